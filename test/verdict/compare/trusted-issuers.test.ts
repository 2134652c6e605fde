import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { isTrustedSubject } from '../../../src/base/values/trusted-issuer.ts';
import type { Passport, TrustedIssuer } from '../../../src/records.ts';
import { compare, compareFields, differenceSentence } from '../../../src/verdict/compare/index.ts';
import { ED25519_KEYS, P256_KEYS } from '../../support/agent-keys.ts';
import { cases, seedOf } from '../../support/runs.ts';

const AT = '2026-11-20T12:00:00.000Z';
const [ONE, TWO] = ED25519_KEYS;
const THREE = P256_KEYS[0];
const POD: TrustedIssuer = {
  issuer: 'https://cluster.example',
  use: 'workload',
  keys: [ONE, THREE],
  subjects: ['pod-*', 'job'],
  max_agents: 10,
};
const USER: TrustedIssuer = { issuer: 'https://idp.example', use: 'user' };

function passportWith(trusted_issuers: unknown): Passport {
  return {
    agent_id: 'did:web:shop.example:agents:shop',
    allowed_actions: ['oauth:token'],
    monetary_limit_per_txn: 0,
    status: 'active',
    version: 1,
    updated_at: AT,
    ...(trusted_issuers !== undefined && { trusted_issuers }),
  } as unknown as Passport;
}

test.each<[string, unknown, string]>([
  ['the same', [POD, USER], 'equal'],
  ['in another order', [USER, POD], 'equal'],
  ['gone', undefined, 'narrower'],
  ['gone from the list', [USER], 'narrower'],
  ['joined by another issuer', [POD, USER, { ...USER, issuer: 'https://b.example' }], 'wider'],
  ['of more agents', [{ ...POD, max_agents: 11 }, USER], 'wider'],
  ['of fewer agents', [{ ...POD, max_agents: 9 }, USER], 'narrower'],
  ['of the default of agents', [{ ...POD, max_agents: undefined }, USER], 'wider'],
  ['accepted again', [{ ...POD, reuse: true }, USER], 'wider'],
  ['accepted once, as by default', [{ ...POD, reuse: false }, USER], 'equal'],
  ['of another key', [{ ...POD, keys: [ONE, TWO, THREE] }, USER], 'wider'],
  ['of fewer keys', [{ ...POD, keys: [THREE] }, USER], 'narrower'],
  ['of a key for every algorithm', [{ ...POD, keys: [{ ...ONE, alg: undefined }, THREE] }, USER], 'wider'],
  ['of another source of keys', [{ ...POD, keys: undefined }, USER], 'crossing'],
  ['of another use', [POD, { ...USER, use: 'workload', subjects: ['a'] }], 'crossing'],
  ['of more subjects', [{ ...POD, subjects: ['po*', 'job'] }, USER], 'wider'],
  ['of a subject that was meant', [{ ...POD, subjects: ['pod-1', 'job'] }, USER], 'narrower'],
  ['of other subjects', [{ ...POD, subjects: ['pod-*', 'task'] }, USER], 'crossing'],
  ['of users by name', [POD, { ...USER, subjects: ['ann'] }], 'narrower'],
  ['no list', 'issuers', 'crossing'],
])('trusted issuers that are %s', (_, trusted, result) => {
  const [before, after] = [passportWith([POD, USER]), passportWith(trusted)];
  expect(compare(before, after).result).toBe(result);
  expect(compareFields(before, after).result).toBe(result);
});

test('the difference has the code of the tokens, no intent and a sentence', () => {
  const { wider } = compare(passportWith([POD]), passportWith([POD, USER]));
  expect(wider).toMatchObject([{ code: 'token_unavailable', intent: null, reasons: [] }]);
  const [difference] = wider;
  if (difference === undefined) throw new Error('There is no difference.');
  expect(differenceSentence(difference, 'wider')).toMatch(/^Assertions of more issuers/);
});

test('issuers that are not wider accept no subject that the earlier ones refuse', () => {
  const subjects = fc.option(
    fc.uniqueArray(fc.constantFrom('a', 'ab', 'a*', 'ab*', 'b*', 'b'), { minLength: 1, maxLength: 3 }),
    { nil: undefined },
  );
  const issuer = fc.record({
    issuer: fc.constantFrom('x', 'y'),
    use: fc.constant('user' as const),
    subjects,
  });
  const lists = fc.uniqueArray(issuer, { selector: (one) => one.issuer, maxLength: 2 });
  const accepts = (list: readonly TrustedIssuer[], iss: string, sub: string): boolean =>
    list.some((one) => one.issuer === iss && isTrustedSubject(one, sub));
  fc.assert(
    fc.property(lists, lists, (one, other) => {
      const [before, after] = [one, other] as unknown as readonly (readonly TrustedIssuer[])[];
      const { result } = compare(passportWith(before), passportWith(after));
      if (result === 'wider' || result === 'crossing') return;
      for (const iss of ['x', 'y']) {
        for (const sub of ['a', 'ab', 'abc', 'b', 'ba', 'c']) {
          if (accepts(after ?? [], iss, sub)) expect(accepts(before ?? [], iss, sub)).toBe(true);
        }
      }
    }),
    { numRuns: cases(500), seed: seedOf(57) },
  );
});
