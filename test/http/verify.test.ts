import { describe, expect, test } from 'vitest';
import { expectProblem, issue } from '../support/api.ts';
import { MINUTE } from '../support/service.ts';
import { AGENT, openVerdictStage } from '../support/verdict-stage.ts';

describe('a verdict record', () => {
  test('has every field of the contract and no other', async () => {
    const { opened, key_id, verify } = await openVerdictStage({ currency: 'EUR' });
    const parameters = { amount: '25.50', currency: 'EUR', note: { any: ['thing'] } };
    const answer = await verify({ target: 'did:web:shop.example', parameters, dry_run: true });
    const request_id = answer.headers.get('x-request-id');
    expect(answer.status).toBe(200);
    expect(answer.body).toStrictEqual({
      verdict: 'ALLOW',
      reasons: [],
      decision_id: expect.stringMatching(/^dec_[0-9A-Za-z]{26}$/),
      agent_id: AGENT,
      action: 'payments.create',
      target: 'did:web:shop.example',
      amount: 25.5,
      currency: 'EUR',
      passport_version: 1,
      environment: 'live',
      key_id,
      request_id,
      dry_run: true,
      trace_id: null,
      proof_kid: null,
      subject: null,
      approval_id: null,
      hold_seconds: null,
      verifier: null,
      permit_audience: null,
      ancestor_versions: null,
      budgets: [],
      evaluated_at: opened.clock.instant(),
    });
  });

  test('has null for what there was not', async () => {
    const { verify } = await openVerdictStage();
    expect((await verify({})).body).toMatchObject({
      target: null,
      amount: null,
      currency: null,
      dry_run: false,
    });
    const invalid = { amount: -1, currency: 'x' };
    expect((await verify({ parameters: invalid })).body).toMatchObject({ amount: null, currency: null });
  });

  test('of an agent that does not exist has one reason and no version', async () => {
    const { verify } = await openVerdictStage();
    for (const agent_id of [
      'x',
      `${AGENT}x`,
      'did:web:example.com:agents:',
      '../etc',
      '😀',
      'a'.repeat(512),
    ]) {
      const { body } = await verify({
        agent_id,
        action: 'nothing at all',
        target: '?',
        parameters: { amount: null },
      });
      expect(body).toMatchObject({ verdict: 'DENY', agent_id, passport_version: null });
      expect(body['reasons']).toEqual([{ code: 'agent_not_found', message: expect.any(String) }]);
    }
  });

  test('has an id of its own each time', async () => {
    const { verify } = await openVerdictStage();
    const answers = await Promise.all(Array.from({ length: 20 }, () => verify({})));
    expect(new Set(answers.map(({ body }) => body['decision_id'])).size).toBe(20);
  });
});

interface Fields {
  readonly expires_at?: string;
  readonly [field: string]: unknown;
}

/** A passport, what is done with it, an intent, and the reasons it gets. */
const REASONS: readonly [code: string, passport: Fields, intent: object, reasons: readonly object[]][] = [
  ['action_denied', { denied_actions: ['payments.*'] }, {}, [{ code: 'action_denied' }]],
  ['action_not_allowed', {}, { action: 'payments.refund' }, [{ code: 'action_not_allowed' }]],
  ['target_invalid', { allowed_targets: [] }, { target: 'https://a.example' }, [{ code: 'target_invalid' }]],
  ['target_required', { allowed_targets: ['did:web:a.example'] }, {}, [{ code: 'target_required' }]],
  [
    'target_not_allowed',
    { allowed_targets: ['did:web:*.a.example'] },
    { target: 'did:web:a.example' },
    [{ code: 'target_not_allowed' }],
  ],
  ['amount_invalid', {}, { parameters: { amount: '1e2' } }, [{ code: 'amount_invalid' }]],
  ['amount_required', { monetary_actions: ['payments.*'] }, {}, [{ code: 'amount_required' }]],
  ['currency_invalid', {}, { parameters: { currency: 'eur' } }, [{ code: 'currency_invalid' }]],
  [
    'currency_mismatch',
    { currency: 'EUR' },
    { parameters: { amount: 1_000, currency: 'USD' } },
    [{ code: 'currency_mismatch', expected: 'EUR', actual: 'USD' }],
  ],
  [
    'currency_mismatch without a currency',
    { currency: 'EUR' },
    { parameters: { amount: 1 } },
    [{ code: 'currency_mismatch', expected: 'EUR', actual: null }],
  ],
  [
    'amount_over_limit',
    {},
    { parameters: { amount: 100.01 } },
    [{ code: 'amount_over_limit', limit: '100', actual: '100.01' }],
  ],
  [
    'agent_expired',
    { expires_at: '2026-11-20T12:00:00Z' },
    {},
    [{ code: 'agent_expired', since: '2026-11-20T12:00:00.000Z' }],
  ],
  [
    'agent_not_yet_valid',
    { not_before: '2026-11-20T12:00:00.001Z' },
    {},
    [{ code: 'agent_not_yet_valid', until: '2026-11-20T12:00:00.001Z' }],
  ],
  [
    'every reason that can meet, in the order of the contract',
    { denied_actions: ['x'], allowed_targets: ['did:web:a.example'], expires_at: '2026-11-20T11:00:00Z' },
    { action: 'x', target: 'did:web:b.example', parameters: { amount: '100.000001', currency: '' } },
    [
      { code: 'agent_expired' },
      { code: 'action_denied' },
      { code: 'action_not_allowed' },
      { code: 'target_not_allowed' },
      { code: 'currency_invalid' },
    ],
  ],
];

test.each(REASONS)('a verdict says %s', async (_, { expires_at, ...passport }, intent, reasons) => {
  const { api, token, verify } = await openVerdictStage(passport);
  // No passport is issued that has expired.
  if (expires_at !== undefined)
    await api.ask('PATCH', `/passports/${AGENT}`, { token, json: { expires_at } });
  const { body } = await verify(intent);
  expect(body['verdict']).toBe('DENY');
  expect(body['reasons']).toMatchObject(reasons);
  expect(body['reasons']).toHaveLength(reasons.length);
});

test('a verdict says agent_suspended and agent_revoked, with their instants', async () => {
  const { opened, api, token, verify } = await openVerdictStage();
  const until = opened.clock.instant(MINUTE);
  await api.ask('POST', '/suspend', { token, json: { agent_id: AGENT, until } });
  expect((await verify({})).body['reasons']).toMatchObject([{ code: 'agent_suspended', until }]);
  await api.ask('POST', '/suspend', { token, json: { agent_id: AGENT } });
  expect((await verify({})).body['reasons']).toMatchObject([{ code: 'agent_suspended', until: null }]);
  await api.ask('POST', '/revoke', { token, json: { agent_id: AGENT } });
  const since = opened.clock.instant();
  expect((await verify({})).body['reasons']).toMatchObject([{ code: 'agent_revoked', since }]);
});

describe('money over HTTP', () => {
  test.each([
    ['100', 'ALLOW'],
    ['1e2', 'ALLOW'],
    ['100.0', 'ALLOW'],
    ['100.000000', 'ALLOW'],
    ['"100.00"', 'ALLOW'],
    ['19.99', 'ALLOW'],
    ['"19.99"', 'ALLOW'],
    ['0', 'ALLOW'],
    ['0.1', 'ALLOW'],
    ['99.999999', 'ALLOW'],
    ['100.000001', 'DENY'],
    ['"100.000001"', 'DENY'],
    ['"100.000000000000001"', 'DENY'],
    ['"1e2"', 'DENY'],
    ['"-0"', 'DENY'],
    ['-0.01', 'DENY'],
    ['null', 'DENY'],
    ['[1]', 'DENY'],
    ['true', 'DENY'],
    ['""', 'DENY'],
    ['0.0000001', 'DENY'],
    ['1e15', 'DENY'],
    ['1e300', 'DENY'],
  ])('an amount of %s against a limit of 100 is %s', async (amount, verdict) => {
    const { verifyText } = await openVerdictStage();
    const answer = await verifyText(`{"amount":${amount}}`);
    expect([answer.status, answer.body['verdict']]).toEqual([200, verdict]);
  });

  test.each([
    '100.000000000000001',
    '100.00000000000000000001',
    '-0',
    '-0.0',
    '1e309',
    '0.1000000000000000055',
  ])('an amount of %s, which no double holds, is refused', async (amount) => {
    const { verifyText } = await openVerdictStage();
    expectProblem(await verifyText(`{"amount":${amount}}`), 400, 'invalid_json');
  });

  test('19.99 is never refused at a limit of 19.99', async () => {
    const { verifyText } = await openVerdictStage({ monetary_limit_per_txn: 19.99, currency: 'EUR' });
    for (const amount of ['19.99', '"19.99"', '1999e-2', '19.990', '"19.990000000"']) {
      expect((await verifyText(`{"amount":${amount},"currency":"EUR"}`)).body['verdict']).toBe('ALLOW');
    }
    expect((await verifyText('{"amount":19.991,"currency":"EUR"}')).body['verdict']).toBe('DENY');
  });
});

describe('a batch', () => {
  test('is answered in its order, one verdict for each, also for the same intent twice', async () => {
    const { api, token, key, key_id } = await openVerdictStage();
    const other = await issue(api, token, { agent_name: 'other', allowed_actions: ['a'] });
    const intents = [
      { agent_id: AGENT, action: 'orders.get' },
      { agent_id: other, action: 'orders.get' },
      { agent_id: other, action: 'a', dry_run: true },
      { agent_id: 'missing', action: 'a' },
      { agent_id: AGENT, action: 'orders.get' },
    ];
    const { body } = await api.ask('POST', '/verify/batch', { key, json: { intents } });
    const verdicts = body['verdicts'] as readonly Readonly<Record<string, unknown>>[];
    expect(verdicts.map(({ agent_id, action }) => ({ agent_id, action }))).toEqual(
      intents.map(({ agent_id, action }) => ({ agent_id, action })),
    );
    expect(verdicts.map(({ verdict }) => verdict)).toEqual(['ALLOW', 'DENY', 'ALLOW', 'DENY', 'ALLOW']);
    expect(verdicts.map(({ dry_run }) => dry_run)).toEqual([false, false, true, false, false]);
    expect(new Set(verdicts.map(({ decision_id }) => decision_id)).size).toBe(5);
    expect(new Set(verdicts.map((verdict) => verdict['key_id']))).toEqual(new Set([key_id]));
  });

  test('of a hundred is answered whole', async () => {
    const { api, key } = await openVerdictStage();
    const intents = Array(100).fill({ agent_id: AGENT, action: 'orders.get' });
    const { body } = await api.ask('POST', '/verify/batch', { key, json: { intents } });
    expect(body['verdicts']).toHaveLength(100);
  });
});
