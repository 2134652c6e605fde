/** The order of actions: marks that an ALLOW writes, and marks that a report of its outcome writes. */
import { setTimeout as pause } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { createIdentityService } from '../../../src/core.ts';
import { identity } from '../../../src/identity/index.ts';
import type { StorageAdapter } from '../../../src/ports/storage.ts';
import type { Order, VerdictRecord } from '../../../src/records.ts';
import { PATIENT_MS } from '../../support/patience.ts';
import { namedStores, openShared } from '../../support/stores.ts';

const STORES = await namedStores();
const SECRET = 'a secret of thirty-two characters, or more';
const SEALED: Order = {
  name: 'sealed',
  actions: ['mail'],
  forbids: { actions: ['read'], seconds: 3_600 },
  same: ['session'],
};
const TESTED: Order = {
  name: 'tested',
  actions: ['deploy'],
  needs: { actions: ['test'], seconds: 3_600 },
  same: ['/commit'],
};
const STOP: Order = {
  name: 'stop',
  actions: ['try'],
  forbids: { actions: ['try'], seconds: 3_600, failed: 2 },
};

function serviceOf(storage: StorageAdapter) {
  const service = createIdentityService({
    storage,
    capabilities: [identity({ secret: SECRET })],
    storageDeadlineMs: PATIENT_MS,
    log: () => {},
  });
  onTestFinished(() => service.close());
  return service;
}

const FIELDS = { domain: 'ops.example', allowed_actions: ['*'], monetary_limit_per_txn: 0 };

async function openWith(store: Parameters<typeof openShared>[0], order: readonly Order[]) {
  const services = (await openShared(store, 2)).map(serviceOf);
  const [one, other] = services as [(typeof services)[0], (typeof services)[0]];
  const { agent_id } = await one.passports.create({ ...FIELDS, agent_name: 'worker', order });
  return { one, other, agent_id };
}

function reportOf({ decision_id, evaluated_at, agent_id, mark }: VerdictRecord, outcome = 'succeeded') {
  return { decision_id, evaluated_at, agent_id, outcome: outcome as 'succeeded', ...(mark && { mark }) };
}

const codesOf = ({ reasons }: VerdictRecord) => reasons.map(({ code }) => code);

test.each(STORES)('forbids on %s in its session alone, until its end', async (_, store) => {
  const { one, other, agent_id } = await openWith(store, [SEALED]);
  const ask = (service: typeof one, action: string, session: string, more: object = {}) =>
    service.verify({ agent_id, action, session, ...more });
  expect(codesOf(await one.verify({ agent_id, action: 'read' }))).toEqual(['session_required']);
  expect((await ask(one, 'read', 's', { dry_run: true })).verdict).toBe('ALLOW');
  expect((await ask(other, 'mail', 's')).verdict).toBe('ALLOW');
  const before = Date.now();
  const read = await ask(other, 'read', 's');
  const after = Date.now();
  expect(read).not.toHaveProperty('mark');
  const denied = await ask(one, 'mail', 's');
  expect(denied.reasons).toMatchObject([{ code: 'order_forbidden', agent_id, order: 'sealed' }]);
  const until = Date.parse(`${denied.reasons[0]?.['until']}`) - 3_600_000;
  expect(until).toBeGreaterThanOrEqual(before - 1_000);
  expect(until).toBeLessThanOrEqual(after + 1_000);
  const dry = await ask(other, 'mail', 's', { dry_run: true });
  expect(dry.reasons).toEqual(denied.reasons);
  expect((await ask(one, 'mail', 'other')).verdict).toBe('ALLOW');
});

test.each(STORES)('needs on %s a reported success of the same values', async (_, store) => {
  const { one, other, agent_id } = await openWith(store, [TESTED]);
  const ask = (service: typeof one, action: string, commit: unknown, dry_run = false) =>
    service.verify({ agent_id, action, parameters: { commit }, dry_run });
  expect(codesOf(await ask(one, 'deploy', 'c1'))).toEqual(['order_required']);
  const tested = await ask(one, 'test', 'c1');
  expect(tested.mark?.length).toBeLessThan(1_025);
  expect(codesOf(await ask(other, 'deploy', 'c1'))).toEqual(['order_required']);
  const { mark: _mark, ...bare } = reportOf(tested);
  await other.outcomes.report([bare]);
  expect(codesOf(await ask(one, 'deploy', 'c1'))).toEqual(['order_required']);
  await other.outcomes.report([reportOf(tested)]);
  expect((await ask(one, 'deploy', 'c1')).verdict).toBe('ALLOW');
  expect((await ask(one, 'deploy', 'c1', true)).verdict).toBe('ALLOW');
  expect(codesOf(await ask(one, 'deploy', 'c2'))).toEqual(['order_required']);
  expect(codesOf(await ask(one, 'deploy', 1))).toEqual(['order_required']);
  expect(await ask(one, 'test', 'c2', true)).not.toHaveProperty('mark');
});

test.each(STORES)('counts on %s the first report of a verdict alone', async (_, store) => {
  const { one, other, agent_id } = await openWith(store, [TESTED, STOP]);
  const attempt = () => one.verify({ agent_id, action: 'try' });
  const first = await attempt();
  for (const outcome of ['unknown', 'not_attempted', 'failed', 'failed', 'succeeded'])
    await other.outcomes.report([reportOf(first, outcome)]);
  const second = await attempt();
  expect(second.verdict).toBe('ALLOW');
  const [tries] = await Promise.all([
    one.verify({ agent_id, action: 'test', parameters: { commit: 1 } }),
    ...[one, other].map((service) => service.outcomes.report([reportOf(second, 'failed')])),
  ]);
  expect((await attempt()).reasons).toMatchObject([{ code: 'order_forbidden', order: 'stop' }]);
  await one.outcomes.report([reportOf(tries, 'failed'), reportOf(tries)]);
  const deploy = await one.verify({ agent_id, action: 'deploy', parameters: { commit: 1 } });
  expect(codesOf(deploy)).toEqual(['order_required']);
});

test.each(STORES)('refuses on %s a mark of another verdict', async (_, store) => {
  const { one, agent_id } = await openWith(store, [TESTED]);
  const ask = () => one.verify({ agent_id, action: 'test', parameters: { commit: 1 } });
  const [tested, again] = [await ask(), await ask()];
  const { mark = '' } = tested;
  const wrong = [`${mark}A`, mark.slice(1), '.', 'x', again.mark ?? ''];
  for (const altered of wrong) {
    const report = { ...reportOf(tested), mark: altered };
    await expect(one.outcomes.report([reportOf(again), report])).rejects.toMatchObject({
      code: 'invalid_request',
      details: { errors: [{ path: '/outcomes/1/mark' }] },
    });
  }
  const elsewhere = { environment: 'test' } as const;
  await expect(one.outcomes.report([reportOf(tested)], elsewhere)).rejects.toMatchObject({
    code: 'invalid_request',
  });
  const deploy = { agent_id, action: 'deploy', parameters: { commit: 1 } };
  expect(codesOf(await one.verify(deploy))).toEqual(['order_required']);
});

test.each(STORES)('gives a replay on %s the mark again, and marks nothing', async (_, store) => {
  const order = [TESTED, { ...SEALED, same: [], forbids: { actions: ['test'], seconds: 60 } }];
  const { one, other, agent_id } = await openWith(store, order);
  const intent = { agent_id, action: 'test', parameters: { commit: 1 } };
  const forbidden = async () => (await one.verify({ agent_id, action: 'mail' })).reasons;
  const first = await one.verify(intent, { idempotencyKey: 'k' });
  const reasons = await forbidden();
  await pause(20);
  const replay = await other.verify(intent, { idempotencyKey: 'k' });
  expect(replay).toEqual(first);
  expect(replay.mark).toBeDefined();
  expect(await forbidden()).toEqual(reasons);
  await other.outcomes.report([reportOf(replay)]);
  await expect(one.verify({ ...intent, session: 's' }, { idempotencyKey: 'k' })).rejects.toMatchObject({
    code: 'idempotency_mismatch',
  });
  const deploy = await one.verify({ agent_id, action: 'deploy', parameters: { commit: 1 } });
  expect(deploy.verdict).toBe('ALLOW');
});

test.each(STORES)('takes on %s the items of a batch in their order', async (_, store) => {
  const { one, agent_id } = await openWith(store, [SEALED]);
  const intents = ['mail', 'read', 'mail'].map((action) => ({ agent_id, action, session: 's' }));
  const verdicts = await one.verifyBatch({ intents });
  expect(verdicts.map(({ verdict }) => verdict)).toEqual(['ALLOW', 'ALLOW', 'DENY']);
});

test.each(STORES)('lets children on %s share the marks of their parent', async (_, store) => {
  const { one, other, agent_id } = await openWith(store, [SEALED]);
  const child = async (agent_name: string) =>
    (await one.passports.create({ ...FIELDS, agent_name, parent_agent_id: agent_id })).agent_id;
  const [ann, ben] = [await child('ann'), await child('ben')];
  await one.verify({ agent_id: ann, action: 'read', session: 's' });
  const denied = await other.verify({ agent_id: ben, action: 'mail', session: 's' });
  expect(denied.reasons).toMatchObject([{ code: 'order_forbidden', agent_id }]);
});

test.each(STORES)('ends a mark on %s after the verdict, not the report', async (_, store) => {
  const { one, agent_id } = await openWith(store, [
    { ...TESTED, same: [], needs: { actions: ['test'], seconds: 1 } },
  ]);
  const tested = await one.verify({ agent_id, action: 'test' });
  await pause(1_050);
  await one.outcomes.report([reportOf(tested)]);
  expect(codesOf(await one.verify({ agent_id, action: 'deploy' }))).toEqual(['order_required']);
});

test('32 rules of a chain fit into a mark', async () => {
  const [[, memory]] = STORES as [(typeof STORES)[0]];
  const rules = Array.from({ length: 8 }, (_, n) => ({
    ...TESTED,
    name: `rule-${n}`,
    needs: { actions: ['test'], seconds: 86_400 },
  }));
  const { one, agent_id } = await openWith(memory, rules);
  let parent_agent_id = agent_id;
  for (const agent_name of ['b', 'c', 'd'])
    ({ agent_id: parent_agent_id } = await one.passports.create({
      ...FIELDS,
      agent_name,
      parent_agent_id,
      order: rules,
    }));
  const ask = (action: string) =>
    one.verify({ agent_id: parent_agent_id, action, parameters: { commit: 'c' } });
  const tested = await ask('test');
  expect(tested.mark?.length).toBeLessThanOrEqual(1_024);
  expect((await ask('deploy')).reasons).toHaveLength(32);
  await one.outcomes.report([reportOf(tested)]);
  expect((await ask('deploy')).verdict).toBe('ALLOW');
});
