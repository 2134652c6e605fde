/** The records of a verifier, as the service stores them. */
import { expect, test } from 'vitest';
import type { IdentityService } from '../../src/core.ts';
import { fetchHandler } from '../../src/http/index.ts';
import type { VerdictRecord } from '../../src/records.ts';
import { keyOf, open, passport, verifierWith } from './stage.ts';

async function stage(drops: (path: string) => boolean = () => false) {
  const service = open();
  const handle = fetchHandler(service);
  const { agent_id } = await service.passports.create(
    passport('a', { budgets: [{ name: 'day', window: 'day', count: 5, actions: ['orders.pay'] }] }),
  );
  const fetch = async (input: unknown, init?: RequestInit): Promise<Response> => {
    const answer = await handle(new Request(input as string, init));
    if (drops(`${input}`)) throw new TypeError('The answer is lost.');
    return answer;
  };
  const verifier = verifierWith({ apiKey: await keyOf(service), fetch });
  return { service, verifier, agent_id };
}

async function storedIn(service: IdentityService): Promise<readonly VerdictRecord[]> {
  const stored: VerdictRecord[] = [];
  let cursor: string | null = null;
  do {
    const page: Awaited<ReturnType<IdentityService['verifications']['list']>> =
      await service.verifications.list({ limit: 100, ...(cursor !== null && { cursor }) });
    stored.push(...page.data);
    cursor = page.next_cursor;
  } while (cursor !== null);
  return stored;
}

const idsOf = (records: readonly VerdictRecord[]) => records.map(({ decision_id }) => decision_id).sort();

test('have the ids that the caller got, so that every outcome finds its record', async () => {
  const { service, verifier, agent_id } = await stage();
  const records: VerdictRecord[] = [];
  for (let count = 0; count < 10; count += 1) {
    const intents = ['orders.read', 'users.read', 'orders.list'].map((action) => ({ agent_id, action }));
    records.push(await verifier.verify({ agent_id, action: 'orders.read' }));
    records.push(...(await verifier.verifyBatch({ intents })));
  }
  await verifier.close();
  const stored = await storedIn(service);
  expect(idsOf(stored)).toEqual(idsOf(records));
  const allowed = records.filter(({ verdict }) => verdict === 'ALLOW');
  await service.outcomes.report(
    allowed.map((record) => {
      const { decision_id, evaluated_at } = record;
      return { decision_id, evaluated_at, agent_id, outcome: 'succeeded' as const };
    }),
  );
  const reported = await service.verifications.list({ outcome: 'succeeded', limit: 100 });
  expect(idsOf(reported.data)).toEqual(idsOf(allowed));
  expect((await service.verifications.list({ outcome: 'none' })).data).toEqual([]);
});

test('are each stored once, in several blocks, though an answer is lost', async () => {
  let lost = 0;
  const { service, verifier, agent_id } = await stage((path) => {
    if (!path.endsWith('/verifier/verdicts') || lost > 0) return false;
    lost += 1;
    return true;
  });
  const records: VerdictRecord[] = [];
  const intents = ['orders.read', 'users.read'].map((action) => ({ agent_id, action }));
  for (let count = 0; count < 45; count += 1) {
    const batches = Array.from({ length: 50 }, () => verifier.verifyBatch({ intents }));
    const one = Array.from({ length: 100 }, () => verifier.verify({ agent_id, action: 'users.read' }));
    records.push(...(await Promise.all(one)), ...(await Promise.all(batches)).flat());
  }
  await expect.poll(() => lost).toBe(1);
  await expect.poll(() => verifier.state().unsent, { timeout: 10_000 }).toBe(0);
  expect(records).toHaveLength(9_000);
  expect(idsOf(await storedIn(service))).toEqual(idsOf(records));
  expect(new Set(idsOf(records)).size).toBe(9_000);
});
