import { analytics } from '../../../src/analytics/index.ts';
import { createIdentityService } from '../../../src/index.ts';
import { finishErasures } from '../backend/local.ts';
import { labelOf, openStorage, type StoragePlace } from '../input/storage-url.ts';
import { makePassports, questionsOf, type Subject } from './subject.ts';

/**
 * Opens the whole service over the storage in this process. Requests use an API key, as over HTTP.
 *
 * The run uses its own account. It neither changes nor counts the records of other accounts. At the end, the
 * run erases its account, and with it everything that the run has stored.
 */
export async function openLocalSubject(
  place: StoragePlace,
  { domain, passports }: { readonly domain: string; readonly passports: number },
): Promise<Subject> {
  const start = new Date().toISOString();
  const account_id = `acc_${domain.replace(/\..*$/, '').replace('-', '_')}`;
  const actor = { account_id };
  const service = createIdentityService({ storage: await openStorage(place), capabilities: [analytics()] });
  const close = async (): Promise<void> => {
    try {
      if (place.kind === 'memory') return;
      await service.accounts.delete(account_id);
      await finishErasures(service);
    } finally {
      await service.close();
    }
  };
  try {
    const { key } = await service.keys.create({ name: 'agent-identity bench' }, actor);
    const agents: string[] = [];
    const create: Parameters<typeof makePassports>[0] = (input) => service.passports.create(input, actor);
    await makePassports(create, { domain, count: passports }, agents);
    return {
      label: `the service in this process over ${labelOf(place)}`,
      questions: questionsOf(agents, false),
      isInProcess: true,
      ask: (intent) => service.verifyAs(key, intent),
      countDropped: async () => (await service.analytics({ from: start }, actor)).journal_dropped,
      close,
    };
  } catch (error) {
    await close().catch(() => undefined);
    throw error;
  }
}
