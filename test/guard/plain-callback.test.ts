import { expect, test } from 'vitest';
import { createToolGuard } from '../../src/guard/index.ts';
import { nodeListener } from '../../src/http/index.ts';
import { createIdentityClient, IdentityError, type Intent, type VerdictRecord } from '../../src/index.ts';
import { issue, makeKey } from '../support/api.ts';
import { listen } from '../support/servers.ts';
import { openLocalService } from '../support/service.ts';
import { AGENT, openVerdictStage } from '../support/verdict-stage.ts';

type Guarded = (intent: Intent, callback: (record: VerdictRecord) => unknown) => Promise<unknown>;

/** The same guard in process and over HTTP. */
async function openBoth(): Promise<readonly (readonly [string, Guarded])[]> {
  const { opened, key } = await openVerdictStage();
  const url = await listen(nodeListener(opened.service));
  const client = createIdentityClient({ baseUrl: `${url}/api`, apiKey: key });
  return [
    ['service', opened.service.guard],
    ['client', client.guard],
  ];
}

const INTENT = { agent_id: AGENT, action: 'orders.get' };

async function codeOf(call: Promise<unknown>): Promise<IdentityError> {
  const thrown = await call.then(
    () => undefined,
    (error: unknown) => error,
  );
  if (!(thrown instanceof IdentityError)) throw thrown;
  return thrown;
}

test('runs the callback on ALLOW with the record, and returns its answer', async () => {
  for (const [name, guard] of await openBoth()) {
    const paid = await guard(INTENT, ({ verdict, decision_id }) => [name, verdict, decision_id.slice(0, 4)]);
    expect(paid).toEqual([name, 'ALLOW', 'dec_']);
    const own = new Error('The bank is closed.');
    await expect(guard(INTENT, () => Promise.reject(own))).rejects.toBe(own);
  }
});

test('throws an error with the record and the reasons on DENY, and does not run the callback', async () => {
  for (const [, guard] of await openBoth()) {
    const error = await codeOf(guard({ ...INTENT, action: 'burn' }, () => expect.fail('ran')));
    expect(error.code).toBe('tool_denied');
    expect(error.message).toBe('The action is not allowed.');
    expect(error.details).toMatchObject({
      record: { verdict: 'DENY', action: 'burn' },
      reasons: [{ code: 'action_not_allowed' }],
    });
  }
});

test('refuses a callback that is no function before the question, which would spend', async () => {
  const opened = openLocalService();
  const { agent_id } = await opened.service.passports.create({
    ...{ domain: 'example.com', agent_name: 'spender', monetary_limit_per_txn: 0 },
    ...{ allowed_actions: ['orders.get'], budgets: [{ window: 'day', count: 10 }] },
  });
  const intent = { ...INTENT, agent_id };
  const tools = createToolGuard({ verifier: opened.service, agentId: agent_id });
  const client = createIdentityClient({
    baseUrl: 'http://127.0.0.1:9/api',
    apiKey: 'ais_test_x',
    fetch: () => expect.fail('asked'),
  });
  for (const callback of [undefined, null, { idempotencyKey: 'k' }, 'pay'] as never[]) {
    for (const call of [
      opened.service.guard(intent, callback),
      client.guard(intent, callback),
      tools.run({ name: 'orders.get', args: {} }, callback),
    ]) {
      expect((await codeOf(call)).code).toBe('invalid_configuration');
    }
  }
  expect((await opened.service.verifications.list({})).data).toEqual([]);
});

test('refuses a dry run and a malformed intent before the callback', async () => {
  for (const [, guard] of await openBoth()) {
    const dry = await codeOf(guard({ ...INTENT, dry_run: true }, () => expect.fail('ran')));
    expect([dry.code, dry.details.errors?.[0]?.path]).toEqual(['invalid_request', '/dry_run']);
    const malformed = await codeOf(guard({ ...INTENT, action: '' }, () => expect.fail('ran')));
    expect(malformed.code).toBe('invalid_request');
  }
});

test('does not run the callback if the intent turns into a dry run between two reads', async () => {
  const { opened } = await openVerdictStage();
  let reads = 0;
  const intent = {
    ...INTENT,
    get dry_run() {
      reads += 1;
      return reads > 1;
    },
  };
  const error = await codeOf(opened.service.guard(intent, () => expect.fail('ran')));
  expect(error.code).toBe('invalid_request');
});

test('throws the error of the service if there is no verdict, and does not run the callback', async () => {
  const { opened } = await openVerdictStage();
  await opened.service.close();
  const unknown = { ...INTENT, agent_id: 'did:web:example.com:agents:unknown' };
  const closed = await codeOf(opened.service.guard(unknown, () => expect.fail('ran')));
  expect(closed.code).toBe('storage_unavailable');
});

test('a signal ends the wait of verify for the storage, and nothing is recorded', async () => {
  const { opened } = await openVerdictStage();
  const controller = new AbortController();
  const unknown = { ...INTENT, agent_id: 'did:web:example.com:agents:unknown' };
  const running = opened.service.guard(unknown, () => expect.fail('ran'), { signal: controller.signal });
  controller.abort(new Error('stopped'));
  await expect(running).rejects.toThrow('stopped');
  const [account] = (await opened.service.accounts.list()).data;
  const { data } = await opened.service.verifications.list({}, { account_id: account?.id ?? '' });
  expect(data).toEqual([]);
});

test('does not run the callback if the signal is aborted while the answer is on its way', async () => {
  const { opened, key, api, token } = await openVerdictStage();
  await issue(api, token, { agent_name: 'second' });
  await makeKey(api, token);
  const url = await listen(nodeListener(opened.service));
  const controller = new AbortController();
  const client = createIdentityClient({
    baseUrl: `${url}/api`,
    apiKey: key,
    fetch: async (...request) => {
      const response = await fetch(...request);
      const text = await response.text();
      controller.abort(new Error('stopped'));
      return new Response(text, response);
    },
  });
  const running = client.guard(INTENT, () => expect.fail('ran'), { signal: controller.signal });
  await expect(running).rejects.toThrow('stopped');
});
