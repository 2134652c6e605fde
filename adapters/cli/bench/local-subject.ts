import { createIdentityService } from '../../../src/index.ts';
import { labelOf, openStorage, type StoragePlace } from '../input/storage-url.ts';
import { makePassports, questionsOf, type Subject } from './subject.ts';

/** An account of its own: the records of other accounts are neither changed nor counted. */
const ACTOR = { account_id: 'acc_bench' };

/** The whole service over the storage, in this process, asked with an API key as HTTP asks it. */
export async function openLocalSubject(
  place: StoragePlace,
  { domain, passports }: { readonly domain: string; readonly passports: number },
): Promise<Subject> {
  const from = new Date().toISOString();
  const service = createIdentityService({ storage: await openStorage(place) });
  try {
    const maker = {
      createPassport: (input: Parameters<typeof service.passports.create>[0]) =>
        service.passports.create(input, ACTOR),
      revoke: (input: Parameters<typeof service.revoke>[0]) => service.revoke(input, ACTOR),
    };
    const { id, key } = await service.keys.create({ name: 'agent-identity bench' }, ACTOR);
    const { agents, revoke } = await makePassports(maker, { domain, count: passports });
    return {
      label: `the service in this process over ${labelOf(place)}`,
      questions: questionsOf(agents, false),
      isInProcess: true,
      ask: (intent) => service.verifyAs(key, intent),
      countDropped: async () => (await service.analytics({ from }, ACTOR)).journal_dropped,
      async close() {
        try {
          await revoke();
          await service.keys.revoke(id, ACTOR);
          await service.domains.release(domain, { force: true });
        } finally {
          await service.close();
        }
      },
    };
  } catch (error) {
    await service.close();
    throw error;
  }
}
