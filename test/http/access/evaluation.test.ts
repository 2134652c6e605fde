/** How a question of AuthZEN becomes an intent. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Reason } from '../../../src/records.ts';
import { createIntentSigner } from '../../../src/tokens/proof/sign-intent.ts';
import { defaultRules, type Rule } from '../../../src/verdict/index.ts';
import { dataOf } from '../../support/api.ts';
import { ED25519 } from '../../support/prover.ts';
import { PUBLIC_URL } from '../../support/service.ts';
import {
  codesOf,
  contextOf,
  decisionsOf,
  openPoint,
  type Point,
  pay,
  SHOP,
  SHOPPER,
  shop,
  subject,
} from './fixture.ts';

async function newest({ api, token }: Point, limit = 1) {
  return dataOf(await api.ask('GET', `/verifications?limit=${limit}`, { token }));
}

describe('a question', () => {
  test('is the verdict of our contract, with its reasons and facts, and is journaled', async () => {
    const point = await openPoint([{ allowed_targets: [SHOP], currency: 'EUR' }]);
    const json = { subject, action: pay('100.01'), resource: shop, context: { order: 'A-17' } };
    const answer = await point.evaluation(json);
    expect(answer.body).toEqual({
      decision: false,
      context: {
        decision_id: expect.stringMatching(/^dec_/),
        reasons: [
          {
            code: 'amount_over_limit',
            message: 'The amount is over the limit.',
            limit: '100',
            actual: '100.01',
          },
        ],
      },
    });
    const allowed = await point.evaluation({ ...json, action: pay('100.00') });
    expect(allowed.body).toEqual({
      decision: true,
      context: { decision_id: expect.stringMatching(/^dec_/) },
    });
    expect(await newest(point, 2)).toMatchObject([
      {
        ...{ decision_id: contextOf(allowed).decision_id, verdict: 'ALLOW', agent_id: SHOPPER, target: SHOP },
        ...{ action: 'payments.create', amount: 100, currency: 'EUR', key_id: point.key_id, dry_run: false },
      },
      { decision_id: contextOf(answer).decision_id, verdict: 'DENY', amount: 100.01 },
    ]);
  });

  test('names no target where its resource is no DID: then a passport with targets denies', async () => {
    const point = await openPoint([{ allowed_targets: [SHOP] }]);
    const at = (id: string) => ({ subject, action: pay(1), resource: { type: 'counterparty', id } });
    expect(codesOf(await point.evaluation(at('shop.example')))).toEqual(['target_required']);
    expect(codesOf(await point.evaluation(at('did:web:evil.example')))).toEqual(['target_not_allowed']);
    expect(codesOf(await point.evaluation(at('did:web:')))).toEqual(['target_invalid']);
    expect(decisionsOf(await point.evaluation(at(SHOP)))).toEqual([true]);
  });

  test('names its agent as a DID, by the application, by the domain, or not at all', async () => {
    const given: unknown[] = [];
    const agentIdOf = (asked: { readonly id: string }) => {
      given.push(asked);
      return asked.id === 'known' ? SHOPPER : undefined;
    };
    const ask = async (point: Point, id: string) => {
      const properties = { team: 'a' };
      await point.evaluation({ subject: { type: 'agent', id, properties }, action: pay(1), resource: shop });
      return (await newest(point))[0]?.['agent_id'];
    };
    const named = await openPoint([{}], { authzen: { agentIdOf, agentDomain: 'example.com' } });
    expect(await ask(named, SHOPPER)).toBe(SHOPPER);
    expect(await ask(named, 'known')).toBe(SHOPPER);
    expect(await ask(named, 'shopper')).toBe(SHOPPER);
    expect(given).toEqual(
      ['known', 'shopper'].map((id) => ({ type: 'agent', id, properties: { team: 'a' } })),
    );
    const plain = await openPoint([{}], { authzen: {} });
    expect(await ask(plain, 'shopper')).toBe('shopper');
    const unknown = { subject: { type: 'spaceship', id: 'shopper' }, action: pay(1), resource: shop };
    expect(codesOf(await plain.evaluation(unknown))).toEqual(['agent_not_found']);
  });

  test('has a user as its subject and its agent elsewhere if the application says so', async () => {
    const point = await openPoint([{}], {
      authzen: {
        agentIdOf: ({ properties }, { context }) => String(properties?.['act'] ?? context?.['agent']),
        subjectOf: ({ subject: { id } }) => (id === 'nobody' ? undefined : id),
      },
    });
    const ask = (id: string, more: object) =>
      point.evaluation({ subject: { type: 'user', id }, action: pay(1), resource: shop, ...more });
    const byUser = { subject: { type: 'user', id: 'user-7', properties: { act: SHOPPER } } };
    const same = { agent: SHOPPER, agent_identity: { subject: 'user-7' } };
    const other = { agent: SHOPPER, agent_identity: { subject: 'user-8' } };
    for (const more of [byUser, { context: { agent: SHOPPER } }, { context: same }]) {
      expect(decisionsOf(await ask('user-7', more))).toEqual([true]);
      expect((await newest(point))[0]).toMatchObject({ agent_id: SHOPPER, subject: 'user-7' });
    }
    const refused = await ask('user-7', { context: other });
    expect([refused.status, refused.text]).toEqual([400, expect.stringContaining('another subject')]);
    await ask('nobody', { context: other });
    expect((await newest(point))[0]).toMatchObject({ subject: 'user-8' });
  });

  test('shows rules of the application its content, with type and id as they were asked', async () => {
    const seen: unknown[] = [];
    const look: Rule = ({ intent }) => void seen.push(intent.parameters);
    const point = await openPoint([{}], { rules: [...defaultRules, look] });
    const properties = { id: 'other', type: 'other', level: 7 };
    const resource = { type: 'order', id: 'A-17', properties: { status: 'open', type: 'x' } };
    const action = { name: 'payments.create', properties: { soft: true } };
    const context = { ip: '192.0.2.1', agent_identity: {} };
    await point.evaluation({ subject: { ...subject, properties }, action, resource, context });
    await point.evaluation({ subject, action: { name: 'payments.create' }, resource: { type: 'a', id: '' } });
    expect(seen).toEqual([
      {
        subject: { type: 'agent', id: SHOPPER, level: 7 },
        resource: { type: 'order', id: 'A-17', status: 'open' },
        properties: { soft: true },
        context: { ip: '192.0.2.1' },
      },
      { subject: { type: 'agent', id: SHOPPER }, resource: { type: 'a', id: '' } },
    ]);
  });

  test('names an amount and a currency in one of three places, or in several as the same', async () => {
    const point = await openPoint([{ currency: 'EUR', monetary_limit_per_txn: 10 }]);
    const money = (amount: unknown, currency?: string) => ({ amount, ...(currency && { currency }) });
    const ask = (action?: object, resource?: object, context?: object) =>
      point.evaluation({
        subject,
        action: { name: 'payments.create', ...(action && { properties: action }) },
        resource: { ...shop, ...(resource && { properties: resource }) },
        ...(context && { context }),
      });
    for (const place of [0, 1, 2]) {
      const at = (given: object) => ask(...[0, 1, 2].map((one) => (one === place ? given : undefined)));
      expect(decisionsOf(await at(money('10.00', 'EUR')))).toEqual([true]);
      expect(codesOf(await at(money('10.01', 'EUR')))).toEqual(['amount_over_limit']);
      expect(codesOf(await at(money(-1, 'EUR')))).toEqual(['amount_invalid']);
      expect(codesOf(await at(money(1, 'USD')))).toEqual(['currency_mismatch']);
    }
    expect(decisionsOf(await ask(money(10, 'EUR'), money('10.00'), money('10', 'EUR')))).toEqual([true]);
    expect(codesOf(await ask(money('x', 'EUR'), money('x')))).toEqual(['amount_invalid']);
    for (const places of [
      [money(10, 'EUR'), money('10.000001')],
      [money('9007199254740993', 'EUR'), money('9007199254740992')],
      [money('x', 'EUR'), undefined, money('y')],
      [money(10, 'EUR'), undefined, money(null)],
      [money(10, 'EUR'), undefined, money(10, 'USD')],
    ]) {
      const answer = await ask(...places);
      expect([answer.status, answer.text]).toEqual([400, expect.stringContaining('two places')]);
    }
  });

  test('says in context.agent_identity what an intent says of itself', async () => {
    const point = await openPoint([
      { proof: 'intent', public_keys: [ED25519.public_jwk], allowed_targets: [SHOP] },
    ]);
    const context = { order: 'A-17' };
    const intent = {
      ...{ agent_id: SHOPPER, action: 'payments.create', target: SHOP },
      parameters: { amount: 5, subject, resource: shop, properties: { amount: 5 }, context },
    };
    const question = {
      subject,
      action: { name: 'payments.create', properties: { amount: 5 } },
      resource: shop,
    };
    const ask = (agent_identity: unknown) =>
      point.evaluation({ ...question, context: { ...context, agent_identity } });
    expect(codesOf(await ask({}))).toEqual(['proof_required']);
    expect(codesOf(await ask({ proof: 'x' }))).toEqual(['proof_invalid']);
    const signer = createIntentSigner({ key: ED25519.private_jwk, agent_id: SHOPPER, audience: PUBLIC_URL });
    const proof = await signer.sign(intent, { iat: Math.floor(point.opened.clock.now() / 1_000) });
    expect(decisionsOf(await ask({ proof, more: 'ignored' }))).toEqual([true]);
    expect(codesOf(await ask({ proof }))).toEqual(['proof_replayed']);
    for (const wrong of ['x', [], null, { proof: '' }, { proof: 'x'.repeat(9_000) }, { hold_seconds: 'x' }]) {
      expect([wrong, (await ask(wrong)).status]).toEqual([wrong, 400]);
    }
  });

  test('keeps the runs of an agent apart by context.agent_identity.session', async () => {
    const order = [
      {
        ...{ name: 'once', actions: ['payments.create'], same: ['session'] },
        forbids: { actions: ['payments.create'], seconds: 60 },
      },
    ];
    const point = await openPoint([{ currency: 'EUR', order }]);
    const ask = (session?: string) =>
      point.evaluation({ subject, action: pay(8), resource: shop, context: { agent_identity: { session } } });
    expect(codesOf(await ask())).toEqual(['session_required']);
    for (const run of ['run-1', 'run-2']) expect(decisionsOf(await ask(run))).toEqual([true]);
    expect(codesOf(await ask('run-1'))).toEqual(['order_forbidden']);
    expect((await ask('a b')).status).toBe(400);
  });

  test('may hold what it takes of a budget', async () => {
    const budgets = [{ name: 'day', window: 'day', limit: 10 }];
    const point = await openPoint([{ currency: 'EUR', monetary_actions: ['payments.create'], budgets }]);
    const context = { agent_identity: { hold_seconds: 60 } };
    const answer = await point.evaluation({ subject, action: pay(8), resource: shop, context });
    expect(decisionsOf(answer)).toEqual([true]);
    const spend = await point.api.ask('GET', `/spends/${contextOf(answer).decision_id}`, {
      token: point.token,
    });
    expect(spend.body).toMatchObject({ status: 'held' });
    expect(codesOf(await point.evaluation({ subject, action: pay(8), resource: shop }))).toEqual([
      'budget_exceeded',
    ]);
  });

  test.each([undefined, {}, { order: 'A-17' }])(
    'uses the approval of a person for the same question, with the context %j',
    async (context) => {
      const approval = { actions: ['payments.*'] };
      const point = await openPoint([{ currency: 'EUR', monetary_actions: ['payments.*'], approval }]);
      const question = { subject, action: pay(8), resource: shop, ...(context && { context }) };
      const asked = await point.evaluation(question);
      expect(decisionsOf(asked)).toEqual([false]);
      const [{ code, approval_id } = {}] = (contextOf(asked).reasons ?? []) as readonly Partial<Reason>[];
      expect([code, approval_id]).toEqual(['approval_required', expect.stringMatching(/^apr_/)]);
      const named = { ...question, context: { ...context, agent_identity: { approval_id } } };
      expect(codesOf(await point.evaluation(named))).toEqual(['approval_pending']);
      await point.api.ask('POST', `/approvals/${approval_id}/approve`, { token: point.token });
      expect(codesOf(await point.evaluation({ ...named, action: pay(9) }))).toEqual(['approval_mismatch']);
      const { action, resource, ...rest } = named;
      const together = await point.evaluations({
        ...rest,
        action,
        evaluations: [{ resource }, { resource }],
      });
      expect(decisionsOf(together)).toEqual([true, false]);
      expect(codesOf(await point.evaluation(named))).toEqual(['approval_used']);
    },
  );

  test('carries its trace and the id of its request into the record', async () => {
    const point = await openPoint([{}]);
    const id = '4bf92f3577b34da6a3ce929d0e0e4736';
    const headers = {
      ...{ authorization: `Bearer ${point.key}`, 'x-request-id': 'order-7' },
      traceparent: `00-${id}-00f067aa0ba902b7-01`,
    };
    const question = { subject, action: pay(1), resource: shop };
    await point.evaluation(question, { headers });
    await point.evaluations({ evaluations: [question] }, { headers });
    const record = { trace_id: id, request_id: 'order-7' };
    expect(await newest(point, 2)).toMatchObject([record, record]);
  });
});

describe('any JSON', () => {
  test('is answered by a decision or by 400, and never allows what is not allowed', async () => {
    const point = await openPoint([{ allowed_actions: [] }]);
    const part = fc.oneof(
      fc.jsonValue({ maxDepth: 2 }),
      fc.record(
        {
          type: fc.string(),
          id: fc.oneof(fc.string(), fc.constant(SHOPPER)),
          properties: fc.jsonValue({ maxDepth: 1 }),
        },
        { requiredKeys: [] },
      ),
      fc.record({ name: fc.string() }),
      fc.constant(undefined),
    );
    const question = fc.record({ subject: part, action: part, resource: part, context: part });
    const batch = fc.tuple(
      question,
      fc.oneof(fc.jsonValue({ maxDepth: 1 }), fc.array(question, { maxLength: 3 })),
    );
    await fc.assert(
      fc.asyncProperty(batch, async ([json, evaluations]) => {
        const answers = [
          await point.evaluation(json),
          await point.evaluations({ ...json, evaluations, options: json.context }),
        ];
        for (const answer of answers) {
          expect([200, 400]).toContain(answer.status);
          if (answer.status === 200) expect(decisionsOf(answer)).not.toContain(true);
        }
      }),
      { numRuns: 100 },
    );
  });
});
