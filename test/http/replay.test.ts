import { expect, test } from 'vitest';
import { expectProblem, issue, openApi, PASSPORT, signIn } from '../support/api.ts';
import { openService } from '../support/service.ts';
import { probe } from '../support/storage-probe.ts';

const AGENT = 'did:web:example.com:agents:shopper';
const PATH = `/passports/${encodeURIComponent(AGENT)}/replay`;
const INTENT = { agent_id: AGENT, action: 'payments.create', parameters: { amount: 50, currency: 'EUR' } };

async function stage(options: Parameters<typeof openService>[0] = {}) {
  const opened = openService(options);
  const api = openApi(opened);
  const { token, account_id } = await signIn(opened, api);
  await issue(api, token);
  const ask = (json?: unknown, path = PATH) => api.ask('POST', path, { token, json });
  const verify = (intent: object = {}) => opened.service.verify({ ...INTENT, ...intent }, { account_id });
  return { opened, api, token, account_id, ask, verify };
}

test('says which recorded verdicts a patch would have turned, and stores nothing', async () => {
  const { opened, ask, verify, account_id } = await stage();
  const first = await verify();
  await verify({ action: 'other', parameters: {} });
  await verify({ dry_run: true });
  opened.clock.advance(1_000);
  const { status, body } = await ask({
    patch: { monetary_limit_per_txn: 20, allowed_actions: ['other', 'unused'] },
  });
  expect(status).toBe(200);
  expect(body).toMatchObject({
    covered: { records: 3, complete: true },
    ...{ judged: 2, unchanged: 0, now_denied: 1, now_allowed: 1, unknown: {}, dropped: 0 },
    by_change: { now_denied: 1, now_allowed: 1 },
    reasons: [
      { code: 'action_not_allowed', count: 1 },
      { code: 'amount_over_limit', count: 1 },
    ],
    used: { unused: { allowed_actions: ['other', 'unused'], allowed_targets: [] }, highest_amount: 50 },
  });
  const { examples } = body as unknown as {
    examples: { record: object; verdict: string }[];
  };
  expect(examples.map(({ verdict }) => verdict)).toEqual(['ALLOW', 'DENY']);
  const { data } = await opened.service.verifications.list({}, { account_id });
  const listed = data.find(({ decision_id }) => decision_id === first.decision_id);
  expect({ ...examples[1]?.record, outcome: null }).toEqual(listed);
  expect((await ask()).body).toMatchObject({ change: null, now_denied: 0, now_allowed: 0, unchanged: 2 });
  expect((await ask({ passport: 'recorded' })).body).toMatchObject({ unchanged: 2, examples: [] });
});

test('covers all agents below, and no other', async () => {
  const { opened, ask, account_id } = await stage();
  const { service, clock } = opened;
  const child = { ...PASSPORT, agent_name: 'child', parent_agent_id: AGENT };
  const { agent_id } = await service.passports.create(child, { account_id });
  const { agent_id: other } = await service.passports.create(
    { ...PASSPORT, agent_name: 'other' },
    { account_id },
  );
  await service.verify({ ...INTENT, agent_id }, { account_id });
  await service.verify({ ...INTENT, agent_id: other }, { account_id });
  clock.advance(1_000);
  const { body } = await ask({ patch: { monetary_limit_per_txn: 1 } });
  expect(body).toMatchObject({ judged: 1, now_denied: 1, reasons: [{ code: 'parent_denied', count: 1 }] });
});

test('answers the change alone for no time at all, and reads nothing', async () => {
  const { opened, ask, verify } = await stage();
  await verify();
  const now = opened.clock.instant(1_000);
  const { body } = await ask({ from: now, to: now, patch: { monetary_limit_per_txn: 1 } });
  expect(body).toMatchObject({
    change: { result: 'narrower' },
    judged: 0,
    covered: { records: 0, complete: true },
  });
});

test('refuses what is wrong, and names it', async () => {
  const { opened, api, ask, account_id } = await stage();
  const [now, later] = [opened.clock.instant(), opened.clock.instant(1_000)];
  const wrong: readonly (readonly [object, readonly string[]])[] = [
    [{ from: later, to: now }, ['/from']],
    [{ from: 'yesterday' }, ['/from']],
    [{ to: 5 }, ['/to']],
    [{ examples: 101 }, ['/examples']],
    [{ examples: -1 }, ['/examples']],
    [{ environment: 'prod' }, ['/environment']],
    [{ passport: 'next' }, ['/passport']],
    [{ passport: 'recorded', patch: {} }, ['/patch']],
    [{ patch: { curency: 'EUR' } }, ['/patch/curency']],
    [{ patch: { allowed_actions: ['a b'] } }, ['/patch/allowed_actions/0']],
    [{ patch: { currency: 'JPY', monetary_limit_per_txn: '1.5' } }, ['/patch/monetary_limit_per_txn']],
    [{ patch: [] }, ['/patch']],
    [{ rules: [] }, ['/rules']],
  ];
  for (const [json, paths] of wrong) {
    const answer = await ask(json);
    expectProblem(answer, 400, 'invalid_request');
    expect((answer.body as unknown as { errors: { path: string }[] }).errors.map(({ path }) => path)).toEqual(
      paths,
    );
    opened.clock.advance(11_000);
  }
  const path = '/passports/did%3Aweb%3Aexample.com%3Aagents%3Anobody/replay';
  expectProblem(await ask({}, path), 404, 'not_found');
  await opened.service.revoke({ agent_id: AGENT }, { account_id });
  opened.clock.advance(61_000);
  expectProblem(await ask({ patch: { monetary_limit_per_txn: 1 } }), 409, 'conflict');
  expect((await ask({})).status).toBe(200);
  expectProblem(await api.ask('POST', PATH, { json: {} }), 401, 'unauthenticated');
});

test('finds no agent of another account', async () => {
  const { opened, api, ask } = await stage();
  const { token } = await signIn(opened, api, 'other@example.com');
  expectProblem(await api.ask('POST', PATH, { token, json: {} }), 404, 'not_found');
  expect((await ask({})).status).toBe(200);
});

test('covers nothing of a time that is older than retention, and says so', async () => {
  const { opened, verify, account_id } = await stage({ retentionDays: 1, clockOk: true });
  // The clock is compared with that of the storage each minute.
  await opened.timers.pass(61_000);
  await verify();
  const [from, to] = [opened.clock.instant(-10_000), opened.clock.instant(10_000)];
  opened.clock.advance(2 * 86_400_000);
  const answer = await opened.service.passports.replay(AGENT, { from, to }, { account_id });
  expect(answer).toMatchObject({ judged: 0, covered: { from: to, to, records: 0, complete: false } });
});

test('covers 1,000 agents below, and refuses one more', async () => {
  const { opened, ask, account_id } = await stage();
  const create = (index: number) =>
    opened.service.passports.create(
      { ...PASSPORT, agent_name: `child-${index}`, parent_agent_id: AGENT },
      { account_id },
    );
  for (let index = 0; index < 1_000; index += 1) await create(index);
  expect((await ask({})).status).toBe(200);
  await create(1_000);
  const answer = await ask({});
  expectProblem(answer, 400, 'invalid_request');
  expect(answer.body).toMatchObject({ errors: [{ path: '/agent_id', code: 'too_many' }] });
});

test('takes 6 a minute and account, one at a time, and 60 that only compare', async () => {
  const storage = probe();
  const { opened, ask } = await stage({ storage });
  for (let count = 0; count < 6; count += 1) expect((await ask({})).status).toBe(200);
  expectProblem(await ask({}), 429, 'rate_limited');
  const now = opened.clock.instant();
  for (let count = 0; count < 60; count += 1) expect((await ask({ from: now, to: now })).status).toBe(200);
  expectProblem(await ask({ from: now, to: now }), 429, 'rate_limited');
  opened.clock.advance(60_000);
  let goOn = (): void => {};
  const isRunning = new Promise<void>((resolve) => {
    storage.fail = (call) => {
      if (call !== 'blocks') return undefined;
      storage.fail = undefined;
      resolve();
      return new Promise((end) => {
        goOn = () => end([]);
      });
    };
  });
  const first = ask({});
  await isRunning;
  expectProblem(await ask({}), 429, 'rate_limited');
  goOn();
  expect((await first).status).toBe(200);
});
