import { describe, expect, test } from 'vitest';
import { defaultRules, type ProofFact, prepare, type Rule } from '../../src/verdict/index.ts';
import { ask, codes, INTENT, PASSPORT } from '../support/question.ts';

const KID = 'kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k';
const BOUND: ProofFact = { state: 'valid', kid: KID, bound: true };
const UNBOUND: ProofFact = { state: 'valid', kid: KID, bound: false };
const SINCE = '2026-11-20T11:59:00.000Z';
const EXPIRED: ProofFact = { state: 'expired', since: SINCE };

test.each<[string | undefined, ProofFact | undefined, object | 'ALLOW']>([
  [undefined, undefined, 'ALLOW'],
  ['optional', undefined, 'ALLOW'],
  ['identity', undefined, { code: 'proof_required', message: 'A proof is required.', proof: 'identity' }],
  ['intent', undefined, { code: 'proof_required', message: 'A proof is required.', proof: 'intent' }],
  [undefined, UNBOUND, 'ALLOW'],
  ['identity', UNBOUND, 'ALLOW'],
  ['intent', UNBOUND, { code: 'proof_invalid', message: 'The proof is invalid.', problem: 'intent' }],
  ['intent', BOUND, 'ALLOW'],
  [
    undefined,
    { state: 'invalid', problem: 'key' },
    { code: 'proof_invalid', message: 'The proof is invalid.', problem: 'key' },
  ],
  [undefined, EXPIRED, { code: 'proof_expired', message: 'The proof is expired.', since: SINCE }],
  ['intent', { state: 'replayed' }, { code: 'proof_replayed', message: 'The proof was used before.' }],
])('proof %s, and the fact %j', (proof, fact, expected) => {
  const passport = { ...PASSPORT, ...(proof !== undefined && { proof }) } as typeof PASSPORT;
  for (const asked of [passport, prepare(passport)]) {
    const rest = { passport: asked, ...(fact !== undefined && { proof: fact }) };
    expect(ask({}, {}, rest).reasons).toEqual(expected === 'ALLOW' ? [] : [expected]);
    expect(ask({}, {}, rest, [...defaultRules, () => undefined]).reasons).toEqual(
      expected === 'ALLOW' ? [] : [expected],
    );
  }
});

describe('the reasons stand', () => {
  const objection: Rule = () => ({ code: 'never', message: 'Never.' });
  const rules = [objection, ...defaultRules];
  const dear = { action: 'sell', parameters: { amount: 101 } };

  test('after our own rules and before the rules of the application', () => {
    const proof: ProofFact = { state: 'invalid', problem: 'time' };
    const found = codes({ proof: 'intent' }, dear, { proof }, rules);
    expect(found).toEqual(['action_not_allowed', 'amount_over_limit', 'proof_invalid', 'never']);
  });

  test('last, where the proof was used before', () => {
    const found = codes({}, dear, { proof: { state: 'replayed' } }, rules);
    expect(found).toEqual(['action_not_allowed', 'amount_over_limit', 'never', 'proof_replayed']);
  });
});

test.each<[string, unknown]>([
  ['null', null],
  ['a text', 'valid'],
  ['an array', ['valid']],
  ['no state', {}],
  ['another state', { state: 'proved' }],
  ['no kid', { state: 'valid', bound: true }],
  ['no word on what it carries', { state: 'valid', kid: KID }],
  ['a text for that', { state: 'valid', kid: KID, bound: 'true' }],
  ['no problem', { state: 'invalid' }],
  ['no instant', { state: 'expired' }],
  ['inherited members', Object.create(BOUND)],
])('a fact that is %s denies', (_, fact) => {
  const reasons = [{ code: 'rule_failed', message: 'The rule failed.', rule: 'proof' }];
  expect(ask({}, {}, { proof: fact as never }).reasons).toEqual(reasons);
  expect(ask({ proof: 'intent' }, {}, { proof: fact as never }).reasons).toEqual(reasons);
});

test('a passport with another requirement denies', () => {
  for (const proof of ['always', '', 1, null, ['intent']]) {
    expect(codes({ proof }, {}, { proof: BOUND })).toEqual(['rule_failed']);
  }
});

test('what all objects were made to inherit is no proof', () => {
  const holder = Object.prototype as { proof?: unknown };
  holder.proof = BOUND;
  try {
    expect(codes({ proof: 'intent' }, INTENT)).toEqual(['rule_failed']);
  } finally {
    delete holder.proof;
  }
});
