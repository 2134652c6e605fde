/** Guards and the order of actions: the session, and reports that the next call depends on. */
import { expect, test } from 'vitest';
import { createIdentityClient } from '../../src/client.ts';
import type { IdentityService } from '../../src/core.ts';
import { createToolGuard, type ToolGuardOptions, type Verifier } from '../../src/guard/index.ts';
import { fetchHandler } from '../../src/http/index.ts';
import type { OutcomeInput } from '../../src/records/outcome.ts';
import type { Order } from '../../src/records.ts';
import { openLocalService } from '../support/service.ts';

const TESTED: Order = {
  name: 'tested',
  actions: ['deploy'],
  needs: { actions: ['test'], seconds: 600 },
  same: ['session'],
};
const STOP: Order = {
  name: 'stop',
  actions: ['try'],
  forbids: { actions: ['try'], seconds: 600, failed: 1 },
};

const WAYS: readonly (readonly [string, (service: IdentityService) => Promise<Verifier>])[] = [
  ['in process', async (service) => service],
  [
    'over HTTP',
    async (service) => {
      const { key: apiKey } = await service.keys.create({ name: 'guard' });
      const handle = fetchHandler(service);
      return createIdentityClient({
        baseUrl: 'http://127.0.0.1/api',
        apiKey,
        fetch: (input, init) => handle(new Request(input, init)),
      });
    },
  ],
];

async function openStage(way: (service: IdentityService) => Promise<Verifier>) {
  const { service } = openLocalService();
  const { agent_id: agentId } = await service.passports.create({
    ...{ domain: 'example.com', agent_name: 'deployer', allowed_actions: ['*'] },
    monetary_limit_per_txn: 0,
    order: [TESTED, STOP],
  });
  const verifier = await way(service);
  const guardOf = (more: Partial<ToolGuardOptions>) => createToolGuard({ verifier, agentId, ...more });
  return { service, verifier, agentId, guardOf };
}

const call = (name: string) => ({ name, args: {} });

test.each(WAYS)('%s a call may follow at once on the success that it needs', async (_, way) => {
  const { guardOf } = await openStage(way);
  const guard = guardOf({ session: 'run-1' });
  const denied = { details: { reasons: [{ code: 'order_required', order: 'tested' }] } };
  await expect(guard.run(call('deploy'), () => 1)).rejects.toMatchObject(denied);
  expect(await guard.run(call('test'), () => 'green')).toBe('green');
  expect(await guard.run(call('deploy'), () => 'deployed')).toBe('deployed');
  await expect(guardOf({ session: () => 'run-2' }).run(call('deploy'), () => 1)).rejects.toMatchObject(
    denied,
  );
});

test.each(WAYS)('%s a failed tool forbids the next call at once', async (_, way) => {
  const { guardOf } = await openStage(way);
  const guard = guardOf({});
  await expect(guard.run(call('try'), () => Promise.reject(new Error('no')))).rejects.toThrow('no');
  await expect(guard.run(call('try'), () => 1)).rejects.toMatchObject({
    details: { reasons: [{ code: 'order_forbidden' }] },
  });
});

test.each(WAYS)('%s the method guard waits for its report', async (_, way) => {
  const { service, verifier, agentId } = await openStage(way);
  const intent = (action: string) => ({ agent_id: agentId, action, session: 's' });
  const { guard } = verifier as unknown as Pick<IdentityService, 'guard'>;
  expect(await guard(intent('test'), (record) => 'mark' in record)).toBe(true);
  expect((await service.verify(intent('deploy'))).verdict).toBe('ALLOW');
});

test('a report that is refused keeps the next call closed, and the tool returns', async () => {
  const { guardOf, verifier } = await openStage(async (service) => service);
  const sent: OutcomeInput[] = [];
  const outcomes = {
    async report(reports: readonly OutcomeInput[]) {
      sent.push(...reports);
      throw Object.assign(new Error('no'), { code: 'invalid_request' });
    },
  };
  const refusing = { verify: verifier.verify, outcomes } as Verifier;
  const guard = guardOf({ session: 's', verifier: refusing });
  expect(await guard.run(call('test'), () => 'green')).toBe('green');
  expect(sent).toMatchObject([{ outcome: 'succeeded', mark: expect.any(String) }]);
  await expect(guard.run(call('deploy'), () => 1)).rejects.toMatchObject({ code: 'tool_denied' });
});

test('no hook hears the mark', async () => {
  const heard: unknown[] = [];
  const { guardOf } = await openStage(async (service) => service);
  const guard = guardOf({ session: 's', onVerdict: (_, verdict) => heard.push(verdict.record) });
  await guard.run(call('test'), () => 1);
  expect(heard).toHaveLength(1);
  expect(heard[0]).not.toHaveProperty('mark');
});

test.each<[string, unknown]>([
  ['empty text', ''],
  ['a space', 'a b'],
  ['long text', 'x'.repeat(129)],
  ['a number', 7],
])('refuses a session that is %s', async (_, session) => {
  const { guardOf } = await openStage(async (service) => service);
  expect(() => guardOf({ session: session as string })).toThrow(/session must be/);
  await expect(
    guardOf({ session: () => session as string }).run(call('test'), () => 1),
  ).rejects.toMatchObject({ details: { reasons: [{ code: 'intent_unreadable' }] } });
});
