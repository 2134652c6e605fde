import { describe, expect, test } from 'vitest';
import { IdentityError } from '../../src/errors.ts';
import { sized } from '../support/runs.ts';
import { openService } from '../support/service.ts';
import { stores } from '../support/stores.ts';

const MOST = 137;
const CREATIONS = sized(1_000, 300);
const ACTOR = { account_id: 'acc_a', plan: 'starter' } as const;
const plans = { starter: { keys: MOST, passports: MOST, verifications_per_minute: null } };

/** Does it so often at once; how often it was done, when all the others were refused for the plan. */
async function done(times: number, make: (index: number) => Promise<unknown>): Promise<number> {
  const results = await Promise.allSettled(Array.from({ length: times }, (_, index) => make(index)));
  for (const result of results) {
    if (result.status === 'fulfilled') continue;
    if (!(result.reason instanceof IdentityError)) throw result.reason;
    expect(result.reason.code).toBe('plan_limit_reached');
  }
  return results.filter(({ status }) => status === 'fulfilled').length;
}

describe.each(stores)(`${CREATIONS} creations at once on %s`, (_, open) => {
  test('by four nodes never exceed the number of keys, also beside rotations and revocations', async () => {
    const storage = await open();
    const nodes = Array.from({ length: 4 }, () => openService({ storage, plans, storageDeadlineMs: 60_000 }));
    const keysOf = (index: number) => (nodes[index % 4] ?? nodes[0])?.service.keys;
    const create = async (index: number) => keysOf(index)?.create({ name: 'k' }, ACTOR);
    const active = async () =>
      (await storage.list('keys', { where: { status: 'active' }, limit: 1_000 })).length;
    expect(await done(CREATIONS, create)).toBe(MOST);
    expect(await active()).toBe(MOST);
    const ids = (await storage.list('keys', { where: {}, limit: 40 })).map(({ id }) => id);
    const [again] = await Promise.all([
      done(200, create),
      ...ids.slice(0, 20).map((id, index) => keysOf(index)?.rotate(id, { grace_seconds: 60 }, ACTOR)),
      ...ids.slice(20).map((id, index) => keysOf(index)?.revoke(id, ACTOR)),
    ]);
    expect(again).toBeLessThanOrEqual(20);
    expect((await done(30, create)) + again).toBe(20);
    expect(await active()).toBe(MOST);
  });

  test('never exceed the number of passports', async () => {
    const storage = await open();
    const { service } = openService({ storage, plans, storageDeadlineMs: 60_000 });
    const create = (index: number) =>
      service.passports.create(
        { domain: 'example.com', agent_name: `a${index}`, allowed_actions: [], monetary_limit_per_txn: 0 },
        ACTOR,
      );
    expect(await done(CREATIONS, create)).toBe(MOST);
    expect(await storage.list('passports', { where: {}, limit: 1_000 })).toHaveLength(MOST);
    expect(await storage.list('passport_versions', { where: {}, limit: 1_000 })).toHaveLength(MOST);
  });
});
