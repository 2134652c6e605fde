import { describe, expect, test } from 'vitest';
import type { VerifyCaller } from '../../../src/core.ts';
import { createIdentityService } from '../../../src/core.ts';
import type { StorageAdapter } from '../../../src/ports/storage.ts';
import type { Intent } from '../../../src/records.ts';
import { PATIENT_MS } from '../../support/patience.ts';
import { openLocalService } from '../../support/service.ts';
import { stores } from '../../support/stores.ts';

async function open(openStore = stores[0]?.[1], wrap = (storage: StorageAdapter) => storage) {
  const storage = await openStore?.();
  if (storage === undefined) throw new Error('There is no store.');
  const opened = openLocalService({ storage: wrap(storage) });
  const { service, clock } = opened;
  const { agent_id } = await service.passports.create({
    domain: 'shop.example',
    agent_name: 'shopper',
    allowed_actions: ['*'],
    monetary_actions: ['pay'],
    monetary_limit_per_txn: 1_000,
    currency: 'EUR',
    budgets: [{ window: 'day', limit: 100 }],
  });
  const intentOf = (amount: number, more: Partial<Intent> = {}): Intent => ({
    ...{ agent_id, action: 'pay', parameters: { amount, currency: 'EUR', invoice: 'R-1' } },
    ...more,
  });
  const spent = async () => (await service.passports.budgets(agent_id)).data[0]?.spent;
  let replays = 0;
  const under = (idempotencyKey: string, more: VerifyCaller = {}): VerifyCaller => ({
    idempotencyKey,
    onReplayed: () => {
      replays += 1;
    },
    ...more,
  });
  const other = () =>
    createIdentityService({
      storageDeadlineMs: PATIENT_MS,
      storage: wrap(storage),
      clock,
      after: () => () => {},
    });
  return { ...opened, agent_id, intentOf, spent, under, replays: () => replays, other };
}

describe.each(stores)('an idempotency key in %s', (_, openStore) => {
  test('gives the first answer again, and spends once', async () => {
    const { service, intentOf, spent, under, replays, clock } = await open(openStore);
    const first = await service.verify(intentOf(60), under('a'));
    expect(replays()).toBe(0);
    clock.advance(1_000);
    expect(await service.verify(intentOf(60), under('a'))).toEqual(first);
    expect(replays()).toBe(1);
    expect(first).toMatchObject({ verdict: 'ALLOW', budgets: [{ spent: 60, remaining: 40 }] });
    expect(await spent()).toBe(60);
    const page = await service.verifications.list({});
    expect(page.data.map(({ decision_id }) => decision_id)).toEqual([first.decision_id]);
  });

  test('of another request is refused, whichever part of it differs', async () => {
    const { service, intentOf, spent, under } = await open(openStore);
    await service.verify(intentOf(1), under('a'));
    const others: readonly Intent[] = [
      intentOf(2),
      intentOf(1, { hold_seconds: 5 }),
      intentOf(1, { dry_run: true }),
      intentOf(1, { target: 'did:web:a.example' }),
      { ...intentOf(1), parameters: { amount: 1, currency: 'EUR', invoice: 'R-2' } },
    ];
    for (const intent of others) {
      await expect(service.verify(intent, under('a'))).rejects.toMatchObject({
        code: 'idempotency_mismatch',
      });
    }
    expect(await spent()).toBe(1);
  });

  test('is known also where nothing is written now: an intent that is denied, or takes nothing any more', async () => {
    const { service, intentOf, under, agent_id, replays } = await open(openStore);
    const first = await service.verify(intentOf(1), under('a'));
    for (const other of [intentOf(2_000), intentOf(1, { action: 'look', parameters: {} })]) {
      await expect(service.verify(other, under('a'))).rejects.toMatchObject({ code: 'idempotency_mismatch' });
    }
    const often = { name: 'often', window: 'day', count: 9, actions: ['look'] } as const;
    await service.passports.update(agent_id, { budgets: [often] });
    expect(await service.verify(intentOf(1), under('a'))).toEqual(first);
    await expect(service.verify(intentOf(2), under('a'))).rejects.toMatchObject({
      code: 'idempotency_mismatch',
    });
    expect(replays()).toBe(1);
  });

  test('holds for 24 hours, for each environment and route by itself', async () => {
    const { service, intentOf, spent, under, clock } = await open(openStore);
    const { decision_id: id } = await service.verify(intentOf(1), under('a'));
    const inTest = await service.verify(intentOf(1), under('a', { environment: 'test' }));
    expect(inTest.decision_id).not.toBe(id);
    const [inBatch] = await service.verifyBatch({ intents: [intentOf(1)] }, under('a'));
    expect(inBatch?.decision_id).not.toBe(id);
    expect(await spent()).toBe(2);
    clock.advance(86_399_999);
    expect(await service.verify(intentOf(1), under('a'))).toMatchObject({ decision_id: id });
    clock.advance(1);
    const again = await service.verify(intentOf(1), under('a'));
    expect(again.decision_id).not.toBe(id);
    expect(await service.verify(intentOf(1), under('a'))).toEqual(again);
  });

  test('holds for the holder of an API key in process as well', async () => {
    const { service, intentOf, spent, under, replays } = await open(openStore);
    const { key } = await service.keys.create({ name: 'a' });
    const first = await service.verifyAs(key, intentOf(1), under('a'));
    expect(await service.verifyAs(key, intentOf(1), under('a', { trace_id: null }))).toEqual(first);
    expect([replays(), await spent()]).toEqual([1, 1]);
    for (const idempotencyKey of ['', 7 as never]) {
      await expect(service.verifyAs(key, intentOf(1), { idempotencyKey })).rejects.toMatchObject({
        code: 'invalid_request',
      });
    }
  });

  test('may have 255 characters, for a batch as well', async () => {
    const { service, intentOf, spent, under, replays } = await open(openStore);
    const batch = { intents: [intentOf(1), intentOf(2)] };
    const first = await service.verifyBatch(batch, under('k'.repeat(255)));
    expect(await service.verifyBatch(batch, under('k'.repeat(255)))).toEqual(first);
    expect([replays(), await spent()]).toEqual([1, 3]);
    await expect(service.verifyBatch(batch, under('k'.repeat(256)))).rejects.toMatchObject({
      code: 'invalid_request',
    });
  });

  test('remembers neither a DENY nor what took nothing', async () => {
    const { service, intentOf, under, agent_id, replays } = await open(openStore);
    expect(await service.verify(intentOf(101), under('a'))).toMatchObject({ verdict: 'DENY' });
    await service.passports.update(agent_id, { budgets: [{ window: 'day', limit: 200 }] });
    expect(await service.verify(intentOf(101), under('a'))).toMatchObject({ verdict: 'ALLOW' });
    const looks = { agent_id, action: 'look' };
    await service.verify(looks, under('b'));
    await service.verify({ ...looks, action: 'look.again' }, under('b'));
    expect(replays()).toBe(0);
  });

  test('gives no ALLOW to a caller that would be denied now', async () => {
    const { service, intentOf, under, agent_id, clock } = await open(openStore);
    await service.verify(intentOf(1), under('a'));
    const unseen = await service.verify(intentOf(1), under('a', { agent_ids: [] }));
    expect(unseen).toMatchObject({ verdict: 'DENY', reasons: [{ code: 'agent_not_found' }] });
    await service.suspend({ agent_id });
    expect(await service.verify(intentOf(1), under('a'))).toMatchObject({
      ...{ verdict: 'DENY', reasons: [{ code: 'agent_suspended' }] },
    });
    await service.reinstate({ agent_id });
    expect(await service.verify(intentOf(1), under('a'))).toMatchObject({ verdict: 'ALLOW' });
    await service.revoke({ agent_id });
    clock.advance(2_000);
    expect(await service.verify(intentOf(1), under('a'))).toMatchObject({ verdict: 'DENY' });
  });

  test('spends once however many ask at once, on two nodes', async () => {
    const { service, intentOf, spent, under, other } = await open(openStore);
    const second = other();
    const asks = Array.from({ length: 20 }, (_, n) =>
      (n % 2 === 0 ? service : second).verify(intentOf(7), under('a')).catch((error) => error.code),
    );
    const answers = await Promise.all(asks);
    const given = answers.filter((answer) => answer !== 'conflict');
    expect(new Set(given.map(({ decision_id }) => decision_id)).size).toBe(1);
    expect(given[0]).toMatchObject({ verdict: 'ALLOW', budgets: [{ spent: 7 }] });
    expect(await spent()).toBe(7);
  });

  test('of a batch is that of each item, and says so when all were answered before', async () => {
    const { service, intentOf, spent, under, replays } = await open(openStore);
    const intents = [intentOf(1), intentOf(2), intentOf(200)];
    const first = await service.verifyBatch({ intents }, under('b'));
    expect(first.map(({ verdict }) => verdict)).toEqual(['ALLOW', 'ALLOW', 'DENY']);
    const again = await service.verifyBatch({ intents }, under('b'));
    expect(again.slice(0, 2)).toEqual(first.slice(0, 2));
    expect(replays()).toBe(0);
    const changed = [intentOf(1), intentOf(3), intentOf(4)];
    const mismatch = { code: 'idempotency_mismatch' };
    await expect(service.verifyBatch({ intents: changed }, under('b'))).rejects.toMatchObject(mismatch);
    expect(await spent()).toBe(3);
    await service.verifyBatch({ intents: intents.slice(0, 2) }, under('b'));
    expect(replays()).toBe(1);
    const longest = 'k'.repeat(255);
    const spending = { intents: intents.slice(0, 2) };
    const made = await service.verifyBatch(spending, under(longest));
    expect(await service.verifyBatch(spending, under(longest))).toEqual(made);
    for (const key of ['', `${longest}k`]) {
      const refused = { code: 'invalid_request' };
      await expect(service.verifyBatch({ intents }, under(key))).rejects.toMatchObject(refused);
    }
  });

  test('of a commit and a release repeats neither', async () => {
    const { service, intentOf, spent } = await open(openStore);
    const { decision_id: id } = await service.verify(intentOf(50));
    let replays = 0;
    const onReplayed = (): void => {
      replays += 1;
    };
    const once = (idempotencyKey: string) => ({ idempotencyKey, onReplayed });
    const first = await service.spends.release(id, { amount: 10 }, once('r'));
    expect(await service.spends.release(id, { amount: 10 }, once('r'))).toEqual(first);
    expect([await spent(), replays]).toEqual([40, 1]);
    const other = service.spends.release(id, { amount: 11 }, once('r'));
    await expect(other).rejects.toMatchObject({ code: 'idempotency_mismatch' });
    await service.spends.release(id, { amount: 10 });
    expect(await spent()).toBe(30);
    const { decision_id: held } = await service.verify(intentOf(5, { hold_seconds: 9 }));
    const done = await service.spends.commit(held, { amount: 5 }, once('r'));
    expect(await service.spends.commit(held, { amount: 5 }, once('r'))).toEqual(done);
  });

  test('finds the answer that was lost on the way, and how the budgets stand with it', async () => {
    const { wrap, lose } = lossy();
    const { service, intentOf, spent, under, replays } = await open(openStore, wrap);
    lose({ isDown: true });
    await expect(service.verify(intentOf(9), under('a'))).rejects.toMatchObject({
      code: 'storage_unavailable',
    });
    lose(undefined);
    expect(await spent()).toBe(9);
    const found = await service.verify(intentOf(9), under('a'));
    expect(found).toMatchObject({ verdict: 'ALLOW', budgets: [{ spent: 9, remaining: 91 }] });
    await service.verify(intentOf(1));
    expect(await service.verify(intentOf(9), under('a'))).toEqual(found);
    expect([await spent(), replays()]).toEqual([10, 2]);
  });

  test('finds it before it fails, as its own and not as a replay', async () => {
    const { wrap, lose } = lossy();
    const { service, intentOf, spent, under, replays } = await open(openStore, wrap);
    lose({ isDown: false });
    const record = await service.verify(intentOf(9), under('a'));
    expect(record).toMatchObject({ verdict: 'ALLOW', budgets: [{ spent: 9, remaining: 91 }] });
    expect((await service.verifications.list({})).data).toEqual([{ ...record, outcome: null }]);
    const { decision_id } = record;
    lose({ isDown: false });
    const given = await service.spends.release(decision_id, { amount: 2 }, { idempotencyKey: 'r' });
    expect(given).toMatchObject({ status: 'committed', released_amount: 2 });
    lose({ isDown: false });
    const { key } = await service.keys.create({ name: 'a' }, { idempotencyKey: 'k' });
    expect(await service.serving.authenticateKey(`${key}`)).toMatchObject({ environment: 'live' });
    expect([await spent(), replays()]).toEqual([7, 0]);
  });
});

/** A storage that takes what is written and loses its answer: once, or with every call after it. */
function lossy() {
  let loss: { readonly isDown: boolean } | undefined;
  let isDown = false;
  const fail = (): void => {
    if (isDown) throw new Error('The storage is down.');
  };
  const wrap = (storage: StorageAdapter): StorageAdapter => ({
    ...storage,
    async get(collection, id) {
      fail();
      return storage.get(collection, id);
    },
    async write(changes) {
      fail();
      const result = await storage.write(changes);
      if (loss === undefined || !changes.some(({ op }) => op === 'add')) return result;
      ({ isDown } = loss);
      loss = undefined;
      throw new Error('The answer is lost.');
    },
  });
  const lose = (next: typeof loss): void => {
    loss = next;
    isDown = false;
  };
  return { wrap, lose };
}

test('an invalid key is refused', async () => {
  const { service, intentOf, under } = await open();
  for (const key of ['', 'ü', 'a'.repeat(256), 7 as never]) {
    await expect(service.verify(intentOf(1), under(key))).rejects.toMatchObject({ code: 'invalid_request' });
  }
});
