import { describe, expect, test } from 'vitest';
import { decide, defaultRules, prepare, type Rule } from '../../src/verdict/index.ts';
import { AT, ask, codes, INTENT, PASSPORT } from '../support/question.ts';

const ID = (name: string) => `did:web:shop.example.com:agents:${name}`;
const above = (name: string, fields: object = {}) => ({
  ...PASSPORT,
  agent_name: name,
  agent_id: ID(name),
  ...fields,
});
const CHILD = { parent_agent_id: ID('parent') };
const PARENT = above('parent');
const MESSAGE = 'The parent of the agent may not do this.';
const silent: Rule = () => undefined;

/** The verdict with these passports above, plain and prepared, with and without a rule of the application. */
function under(ancestors: unknown, intent: object = {}, child: object = {}, rest: object = {}) {
  const given = { ...rest, ancestors: ancestors as never };
  const found = ask({ ...CHILD, ...child }, intent, given);
  expect(ask({ ...CHILD, ...child }, intent, given, [...defaultRules, silent])).toEqual(found);
  const passport = prepare({ ...PASSPORT, ...CHILD, ...child });
  const ready = Array.isArray(ancestors) ? ancestors.map((one) => prepare(one)) : ancestors;
  const question = { passport, intent: { ...INTENT, ...intent }, at: AT, ...rest, ancestors: ready as never };
  expect(decide(question)).toEqual(found);
  return found;
}

const reasonsUnder = (...asked: Parameters<typeof under>) => under(...asked).reasons;

describe('an agent with a parent', () => {
  test('may do what its own passport and that of its parent allow', () => {
    expect(under([PARENT]).verdict).toBe('ALLOW');
    expect(under([PARENT], { parameters: { amount: 100 } }).verdict).toBe('ALLOW');
  });

  test('is denied with the reasons of its parent and their facts', () => {
    const limited = above('parent', { monetary_limit_per_txn: '99.99', denied_actions: ['pay'] });
    const denied = { code: 'parent_denied', message: MESSAGE, parent: ID('parent') };
    expect(reasonsUnder([limited], { parameters: { amount: 100 } })).toEqual([
      { ...denied, reason: 'action_denied' },
      { ...denied, reason: 'amount_over_limit', limit: '99.99', actual: '100' },
    ]);
    const revoked = above('parent', { status: 'revoked', revoked_at: AT });
    expect(reasonsUnder([revoked])).toEqual([{ ...denied, reason: 'agent_revoked', since: AT }]);
  });

  test('gains nothing by limits that are wider than those of its parent', () => {
    const wide = { allowed_actions: ['*'], monetary_limit_per_txn: 10 ** 6 };
    const narrow = above('parent', { allowed_actions: ['pay'], monetary_limit_per_txn: 5 });
    expect(under([narrow], { parameters: { amount: 5 } }, wide).verdict).toBe('ALLOW');
    expect(under([narrow], { parameters: { amount: 6 } }, wide).verdict).toBe('DENY');
    expect(under([narrow], { action: 'sell' }, wide).verdict).toBe('DENY');
  });

  test('has its own reasons first, then those of the nearest ancestor', () => {
    const parent = above('parent', { denied_actions: ['pay'], parent_agent_id: ID('root') });
    const root = above('root', { allowed_actions: [] });
    const found = reasonsUnder([parent, root], {}, { allowed_actions: [] });
    expect(found.map(({ code, parent: by, reason }) => [code, by, reason])).toEqual([
      ['action_not_allowed', undefined, undefined],
      ['parent_denied', ID('parent'), 'action_denied'],
      ['parent_denied', ID('root'), 'action_not_allowed'],
    ]);
  });

  test('reads an amount as each passport reads it', () => {
    const euros = above('parent', { currency: 'EUR' });
    const reasonOf = (parameters: object) =>
      reasonsUnder([euros], { parameters }).map(({ reason }) => reason);
    // Without a currency the passport of the agent itself lets six decimals pass.
    expect(reasonOf({ amount: '0.123' })).toEqual(['amount_invalid', 'currency_mismatch']);
    expect(reasonOf({ amount: 1 })).toEqual(['currency_mismatch']);
    expect(reasonOf({ amount: 1, currency: 'USD' })).toEqual(['currency_mismatch']);
    expect(reasonOf({ amount: 1, currency: 'EUR' })).toEqual([]);
  });
});

describe('parent_not_found', () => {
  const missing = (parent: string) => [
    { code: 'parent_not_found', message: 'The parent of the agent is not found.', parent: ID(parent) },
  ];
  const grandchild = above('parent', { parent_agent_id: ID('root') });

  test.each<[string, unknown, string]>([
    ['no ancestors', undefined, 'parent'],
    ['null', null, 'parent'],
    ['none', [], 'parent'],
    ['another passport', [above('other')], 'parent'],
    ['the passport itself', [above('buyer')], 'parent'],
    ['a null', [null], 'parent'],
    ['no passport', [{}], 'parent'],
    ['the parent without its own', [grandchild], 'root'],
    ['the parent with another behind it', [grandchild, above('other')], 'root'],
    ['both in the wrong order', [above('root'), grandchild], 'parent'],
  ])('for %s', (_, ancestors, parent) => {
    expect(ask(CHILD, {}, { ancestors: ancestors as never }).reasons).toEqual(missing(parent));
  });

  test('for a chain that comes back to itself, and for one of five', () => {
    const own = above('parent', { parent_agent_id: ID('parent') });
    expect(reasonsUnder([own, own, own, own, own])).toEqual(missing('parent'));
    const names = ['parent', 'b', 'c', 'd', 'e'];
    const five = names.map((name, at) =>
      above(name, names[at + 1] === undefined ? {} : { parent_agent_id: ID(names[at + 1] as string) }),
    );
    expect(reasonsUnder(five)).toEqual(missing('e'));
    const four = five.slice(0, 4).map(({ ...one }, at) => (at === 3 ? above('d') : one));
    expect(under(four).verdict).toBe('ALLOW');
  });

  test('stands before the reasons about a proof, and behind those of the passport', () => {
    expect(codes({ ...CHILD, allowed_actions: [], proof: 'identity' })).toEqual([
      'action_not_allowed',
      'parent_not_found',
      'proof_required',
    ]);
  });

  test('is no matter for an agent without a parent', () => {
    for (const ancestors of [[above('other', { status: 'revoked' })], 7 as never]) {
      expect(ask({}, {}, { ancestors }).verdict).toBe('ALLOW');
      expect(ask({}, {}, { ancestors }, [...defaultRules, silent]).verdict).toBe('ALLOW');
    }
  });

  test('is the answer to ancestors that are not of the question itself', () => {
    const inherited: object = Object.prototype;
    Object.defineProperty(inherited, 'ancestors', { value: [PARENT], configurable: true });
    try {
      expect(ask(CHILD).verdict).toBe('DENY');
    } finally {
      Reflect.deleteProperty(inherited, 'ancestors');
    }
  });
});

test('a passport above that cannot be read denies', () => {
  const found = reasonsUnder([above('parent', { allowed_actions: ['not an action'] })]);
  expect(found).toEqual([
    {
      code: 'parent_denied',
      message: MESSAGE,
      parent: ID('parent'),
      reason: 'rule_failed',
      rule: 'passport',
    },
  ]);
});

test.each([[7], ['parent'], [{ 0: PARENT, length: 1 }]])('%j as ancestors denies', (ancestors) => {
  const { verdict, reasons } = ask(CHILD, {}, { ancestors: ancestors as never });
  expect([verdict, ...reasons]).toMatchObject(['DENY', { code: 'rule_failed', rule: 'ancestors' }]);
});

test('ancestors that allow it hide nothing else that denies', () => {
  const daily = { budgets: [{ name: 'daily', window: 'day', count: 3 }] };
  expect(codes(daily, {}, { ancestors: [] })).toEqual(['budget_unknown']);
  expect(codes({ ...CHILD, ...daily }, {}, { ancestors: [PARENT] })).toEqual(['budget_unknown']);
  const invalid = { state: 'invalid', problem: 'signature' } as const;
  expect(codes(CHILD, {}, { ancestors: [PARENT], proof: invalid })).toEqual(['proof_invalid']);
  const unknown = { state: 'mismatch' } as const;
  expect(codes(CHILD, {}, { ancestors: [PARENT], approval: unknown })).toEqual(['approval_mismatch']);
});

test('a person is asked where one passport of the chain wants that', () => {
  const asking = above('parent', { approval: { actions: ['pay'] } });
  expect(reasonsUnder([asking]).map(({ code }) => code)).toEqual(['approval_required']);
  const child = { approval: { actions: ['pay'] } };
  expect(reasonsUnder([PARENT], {}, child).map(({ code }) => code)).toEqual(['approval_required']);
});

test('the strongest proof that one of the chain asks for binds the agent', () => {
  const bound = { state: 'valid', kid: 'k', bound: true } as const;
  const parent = above('parent', { proof: 'identity', parent_agent_id: ID('root') });
  const chain = [parent, above('root', { proof: 'intent' })];
  expect(reasonsUnder(chain)).toMatchObject([{ code: 'proof_required', proof: 'intent' }]);
  expect(under(chain, {}, {}, { proof: bound }).verdict).toBe('ALLOW');
  const unbound = { ...bound, bound: false };
  expect(reasonsUnder(chain, {}, {}, { proof: unbound })).toMatchObject([
    { code: 'proof_invalid', problem: 'intent' },
  ]);
  expect(under([above('parent', { proof: 'identity' })], {}, {}, { proof: unbound }).verdict).toBe('ALLOW');
});

describe('budgets', () => {
  const daily = { budgets: [{ name: 'daily', window: 'day', count: 3 }] };
  const chain = [above('parent', daily)];
  const spent = (child: number, parent: number) => ({
    budgets: {
      [PASSPORT.agent_id]: { daily: { count: child } },
      [ID('parent')]: { daily: { count: parent } },
    },
  });

  test('of the child and of every ancestor must hold', () => {
    expect(under(chain, {}, daily, spent(2, 2)).verdict).toBe('ALLOW');
    const full = { code: 'budget_exceeded', budget: 'daily' };
    expect(reasonsUnder(chain, {}, daily, spent(2, 3))).toMatchObject([{ ...full, agent_id: ID('parent') }]);
    expect(reasonsUnder(chain, {}, daily, spent(3, 3))).toMatchObject([
      { ...full, agent_id: PASSPORT.agent_id },
      { ...full, agent_id: ID('parent') },
    ]);
  });

  test('of an ancestor that are not known deny', () => {
    expect(reasonsUnder(chain)).toMatchObject([{ code: 'budget_unknown' }]);
    const own = { budgets: { [PASSPORT.agent_id]: { daily: { count: 3 } } } };
    expect(reasonsUnder(chain, {}, daily, own)).toMatchObject([{ code: 'budget_unknown' }]);
  });
});

test('a rule of the application runs once, on the facts of the agent itself', () => {
  const seen: string[] = [];
  const rule: Rule = ({ passport }) => void seen.push(passport.agent_id);
  expect(ask(CHILD, {}, { ancestors: [PARENT] }, [...defaultRules, rule]).verdict).toBe('ALLOW');
  expect(seen).toEqual([PASSPORT.agent_id]);
});
