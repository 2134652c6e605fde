/** The tools of a management key: what its scopes allow, and what no tool does. */
import { expect, test } from 'vitest';
import { scopeOf } from '../../adapters/mcp-server/rows.ts';
import { TOOLS } from '../../adapters/mcp-server/tools.ts';
import type { Scope } from '../../src/records.ts';
import { ALL, itemsOf, openDesk, recordOf } from './desk.ts';

const namesOf = (tools: readonly { readonly name: string }[]): readonly string[] =>
  tools.map(({ name }) => name).sort();

test.each<[Scope, readonly string[]]>([
  ['passports:read', ['budgets', 'find_passports', 'show_passport', 'try_change', 'unused']],
  [
    'passports:propose',
    ['budgets', 'find_passports', 'propose_change', 'show_passport', 'try_change', 'unused'],
  ],
  ['verifications:read', ['explain_verdict', 'why_denied']],
  ['approvals:read', ['list_approvals']],
  ['analytics:read', ['usage']],
  ['audit:read', ['audit']],
  ['keys:read', []],
  ['webhooks:read', []],
])('offers a key with %s its tools alone', async (scope, expected) => {
  const { open } = await openDesk();
  const assistant = await open([scope]);
  expect(namesOf(assistant.tools)).toEqual(expected);
  for (const { name } of TOOLS.filter(({ name }) => !expected.includes(name)))
    expect(await assistant.call(name, {})).toMatchObject({
      isError: true,
      structuredContent: { code: 'insufficient_scope' },
    });
});

test('offers suspend_agent with the scope revoke, and every tool with all scopes', async () => {
  const { open } = await openDesk();
  expect(namesOf((await open(['passports:read', 'revoke'])).tools)).toContain('suspend_agent');
  expect(namesOf((await open()).tools)).toEqual(namesOf(TOOLS));
});

test('calls no operation that approves, rejects, reinstates, revokes or creates', () => {
  const calls = [...new Set(TOOLS.flatMap((tool) => tool.calls))];
  const changing = calls.filter((call) => !call.startsWith('GET '));
  expect(changing.sort()).toEqual([
    'PATCH /passports/{agent_id}',
    'POST /passports/{agent_id}/try',
    'POST /suspend',
  ]);
  const scopes = new Set(calls.map(scopeOf));
  expect([...scopes].filter((scope) => scope.endsWith(':write') || scope === 'reinstate')).toEqual([]);
});

test.each(['passports:write', 'keys:write', 'webhooks:write'] as const)(
  'throws insufficient_scope if the key holds %s',
  async (scope) => {
    const { open } = await openDesk();
    await expect(open([scope, 'passports:read'])).rejects.toMatchObject({ code: 'insufficient_scope' });
  },
);

test('throws insufficient_scope if the key holds reinstate', async () => {
  const { open } = await openDesk();
  await expect(open(['passports:read', 'reinstate'])).rejects.toMatchObject({ code: 'insufficient_scope' });
});

test('denies a write once somebody gave the key a scope that an assistant must not hold', async () => {
  const { open, service, account_id, agent_id } = await openDesk();
  const { call } = await open();
  const { data } = await service.keys.list({}, { account_id });
  const [key] = data.filter(({ scopes }) => scopes.includes('passports:propose'));
  await service.keys.update(key?.id ?? '', { scopes: ['passports:write'] }, { account_id });
  const given = { agent_id, patch: { monetary_limit_per_txn: 900 } };
  expect(recordOf(await call('propose_change', given))).toMatchObject({ code: 'insufficient_scope' });
  expect(await service.passports.get(agent_id, { account_id })).toMatchObject({
    monetary_limit_per_txn: 100,
  });
});

test('applies what narrows at once, and what widens after another person approved exactly that', async () => {
  const { open, approve, agent_id, service, account_id } = await openDesk();
  const { call } = await open();
  const limit = async () => (await service.passports.get(agent_id, { account_id })).monetary_limit_per_txn;
  const propose = async (value: number) =>
    recordOf(await call('propose_change', { agent_id, patch: { monetary_limit_per_txn: value } }));
  expect(await propose(50)).toMatchObject({ status: 'applied', version: 3 });
  expect(await limit()).toBe(50);
  const asked = await propose(500);
  expect(asked).toMatchObject({ status: 'waits', approval_id: expect.stringMatching(/^apr_/) });
  expect(await propose(500)).toEqual(asked);
  expect(await limit()).toBe(50);
  await approve(asked['approval_id']);
  expect(await propose(501)).toMatchObject({ status: 'waits' });
  expect(await propose(500)).toMatchObject({ status: 'applied', version: 4 });
  expect(await limit()).toBe(500);
});

test('shows the patch as a comparison with the verdicts of intents, and stores nothing', async () => {
  const { open, agent_id, service, account_id } = await openDesk();
  const { call } = await open(['passports:read']);
  const pay = (amount: number) => ({ action: 'pay', parameters: { amount, currency: 'EUR' } });
  const given = { agent_id, patch: { monetary_limit_per_txn: 300 }, intents: [pay(250), pay(301)] };
  expect(recordOf(await call('try_change', given))).toMatchObject({
    result: 'wider',
    differences: { wider: [{ code: 'amount_over_limit' }], narrower: [] },
    intents: [
      { verdict: 'ALLOW' },
      { verdict: 'DENY', reasons: [{ code: 'amount_over_limit', limit: '300' }] },
    ],
  });
  expect(await service.passports.get(agent_id, { account_id })).toMatchObject({ version: 2 });
  const wrong = await call('try_change', { agent_id, patch: { monetary_limit: 300 } });
  expect(recordOf(wrong)).toMatchObject({
    errors: [{ path: '/patch/monetary_limit', code: 'unknown_field' }],
  });
  const many = { ...given, intents: Array.from({ length: 11 }, () => pay(1)) };
  expect(recordOf(await call('try_change', many))).toMatchObject({ code: 'invalid_request' });
});

test('lists denials of one agent with every reason, and explains one by its id and instant', async () => {
  const { open, agent_id, service, account_id } = await openDesk();
  const { call } = await open();
  const intent = { agent_id, action: 'pay', parameters: { amount: 250, currency: 'EUR', to: 'Bob' } };
  const { decision_id, evaluated_at } = await service.verify(intent, { account_id });
  await service.verify({ ...intent, parameters: { amount: 5, currency: 'EUR' } }, { account_id });
  const reasons = [{ code: 'amount_over_limit', limit: '100', actual: '250' }];
  expect(itemsOf(await call('why_denied', { agent_id }))).toMatchObject([{ decision_id, reasons }]);
  const explained = await call('explain_verdict', { decision_id, evaluated_at });
  expect(recordOf(explained)).toMatchObject({ decision_id, verdict: 'DENY', amount: 250, reasons });
  expect(JSON.stringify(explained)).not.toContain('Bob');
  const unknown = await call('explain_verdict', { decision_id: 'dec_unknown', evaluated_at });
  expect(unknown).toMatchObject({ isError: true, structuredContent: { code: 'not_found' } });
});

test('names the parameters of an approval, and never shows their values', async () => {
  const { open, agent_id, service, account_id } = await openDesk();
  await service.passports.update(agent_id, { approval: { above: 10, seconds: 3_600 } }, { account_id });
  const parameters = { amount: 20, currency: 'EUR', iban: 'DE00-SECRET' };
  await service.verify({ agent_id, action: 'pay', parameters }, { account_id });
  const { call } = await open(['approvals:read']);
  const answer = await call('list_approvals', { status: 'pending' });
  expect(itemsOf(answer)).toMatchObject([
    { kind: 'intent', intent: { action: 'pay', amount: 20, currency: 'EUR', parameter_names: ['iban'] } },
  ]);
  expect(JSON.stringify(answer)).not.toContain('SECRET');
});

test('suspends an agent, counts verdicts and lists changes', async () => {
  const { open, agent_id, service, account_id } = await openDesk();
  const { call } = await open();
  await service.verify({ agent_id, action: 'pay' }, { account_id });
  expect(recordOf(await call('usage', {}))).toMatchObject({ overview: { denied: 1 } });
  expect(recordOf(await call('suspend_agent', { agent_id, reason: 'odd' }))).toMatchObject({
    status: 'suspended',
  });
  expect(itemsOf(await call('audit', { limit: 1 }))).toMatchObject([{ type: 'passport.suspended' }]);
  const page = await call('find_passports', { status: 'suspended' });
  expect(itemsOf(page)).toMatchObject([{ agent_id, suspension_reason: 'odd' }]);
  expect(recordOf(await call('budgets', { agent_id }))).toEqual({ data: [] });
});

test('makes at most 20 writes per process, and goes on reading', async () => {
  const { open, agent_id, service, account_id } = await openDesk();
  const { call } = await open(ALL);
  for (let limit = 99; limit > 79; limit -= 1) {
    const patch = { monetary_limit_per_txn: limit };
    expect(recordOf(await call('propose_change', { agent_id, patch }))).toMatchObject({ status: 'applied' });
  }
  const more = [
    await call('propose_change', { agent_id, patch: { monetary_limit_per_txn: 1 } }),
    await call('suspend_agent', { agent_id }),
  ];
  expect(more.map(recordOf)).toMatchObject([{ code: 'rate_limited' }, { code: 'rate_limited' }]);
  expect(await service.passports.get(agent_id, { account_id })).toMatchObject({ monetary_limit_per_txn: 80 });
  expect(recordOf(await call('show_passport', { agent_id }))).toMatchObject({ status: 'active' });
});

test('keeps a bound key within its bounds', async () => {
  const { open, agent_id, service, account_id } = await openDesk();
  const fields = { allowed_actions: ['pay'], monetary_limit_per_txn: 1 };
  const other = await service.passports.create(
    { domain: 'example.com', agent_name: 'other', ...fields },
    { account_id },
  );
  const { call, tools } = await open(['passports:propose'], { agent_ids: [other.agent_id] });
  expect(tools.length).toBe(6);
  expect(itemsOf(await call('find_passports', {})).map((item) => item['agent_id'])).toEqual([other.agent_id]);
  const elsewhere = await call('propose_change', { agent_id, patch: { monetary_limit_per_txn: 1 } });
  expect(recordOf(elsewhere)).toMatchObject({ code: 'not_found' });
});

test('lists agents that were not seen for some days, and keys with the scope keys:read', async () => {
  const { open, agent_id, clock, service, account_id } = await openDesk();
  const { id } = await service.keys.create({ name: 'forgotten' }, { account_id });
  const [whole, reading] = [await open(), await open(['passports:read'])];
  clock.advance(5 * 86_400_000);
  const fields = { allowed_actions: ['pay'], monetary_limit_per_txn: 1 };
  await service.passports.create({ domain: 'example.com', agent_name: 'fresh', ...fields }, { account_id });
  const [agent, ...keys] = itemsOf(await whole.call('unused', { days: 3 }));
  expect(agent).toMatchObject({ agent_id });
  expect(keys.map((key) => key['id'])).toContain(id);
  const { call } = reading;
  expect(itemsOf(await call('unused', { days: 3 }))).toMatchObject([{ agent_id }]);
  expect(itemsOf(await call('unused', { days: 6 }))).toEqual([]);
  for (const wrong of [{}, { days: 0 }, { days: '3' }, { days: 366 }, { unused_days: 3 }])
    expect((await call('unused', wrong)).isError, JSON.stringify(wrong)).toBe(true);
});
