/** What an approval is for: exactly one intent, by a digest that others can compute as well. */

import { createHash } from 'node:crypto';
import canonicalizeModule from 'canonicalize';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { canonicalJson, isSameJson } from '../../../src/base/values/json-values.ts';
import { digestIntent } from '../../../src/core/approvals/approval-record.ts';
import type { PermitRequest } from '../../../src/records/permit.ts';
import type { Intent } from '../../../src/records.ts';
import { cases } from '../../support/runs.ts';
import { codesOf, idIn, openShop } from './stage.ts';

/** Its types are those of another module format than it has. */
const canonicalize = canonicalizeModule as unknown as (value: unknown) => string | undefined;

/** Any JSON that a request may carry: every number and every text but those that the service refuses. */
const json = fc.jsonValue({ maxDepth: 4, depthSize: 'medium' }).map(withoutNegativeZero);
const members = fc.dictionary(fc.string({ unit: 'grapheme', maxLength: 6 }), json, { maxKeys: 6 });
const intents: fc.Arbitrary<Intent> = fc
  .record(
    {
      agent_id: fc.constant('did:web:shop.example:agents:shopper'),
      action: fc.constantFrom('payments.refund', 'payments.create'),
      target: fc.constantFrom('did:web:till.example', 'did:web:other.example'),
      parameters: members.map(withoutSpecialNames),
    },
    { requiredKeys: ['agent_id', 'action'] },
  )
  .map((intent) => intent as Intent);

function withoutNegativeZero(value: unknown): unknown {
  if (Object.is(value, -0)) return 0;
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(withoutNegativeZero);
  return withoutSpecialNames(
    Object.fromEntries(Object.entries(value).map(([name, part]) => [name, withoutNegativeZero(part)])),
  );
}

/** `__proto__` is refused as a name over HTTP. */
function withoutSpecialNames(value: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(value).filter(([name]) => name !== '__proto__'));
}

test('the digest is that of an independent implementation of RFC 8785', () => {
  fc.assert(
    fc.property(intents, (intent) => {
      const text = canonicalize(intent) ?? '';
      expect(canonicalJson(intent)).toBe(text);
      const expected = createHash('sha256').update(text).digest('hex');
      const { digest } = digestIntent(intent);
      expect(digest).toBe(Buffer.byteLength(text) > 16_384 ? undefined : expected);
    }),
    { numRuns: cases(20_000) },
  );
});

test('the canonical form is that of the examples of RFC 8785', () => {
  const given = {
    numbers: JSON.parse('[333333333.33333329, 1E30, 4.50, 2e-3, 0.000000000000000000000000001]'),
    string: '\u20ac$\u000F\u000aA\'\u0042\u0022\u005c\\"/',
    literals: [null, true, false],
    '10': 'a name that is a number',
    '9': 'another',
    '\u20ac': 'Euro Sign',
    '\r': 'Carriage Return',
    '\ufb33': 'Hebrew Letter Dalet With Dagesh',
    '\ud83d\ude00': 'Emoji: Grinning Face',
    '\u0080': 'Control',
    '\u00f6': 'Latin Small Letter O With Diaeresis',
  };
  expect(canonicalJson(given)).toBe(canonicalize(given));
  expect(Object.keys(JSON.parse(canonicalJson({ b: 1, a: 2 })))).toEqual(['a', 'b']);
  expect(canonicalJson({ 10: 1, 9: 2 })).toBe('{"10":1,"9":2}');
});

test('leaves only the members that do not describe the action out of the digest', () => {
  const intent = { agent_id: 'a', action: 'b', parameters: { amount: 1 } };
  const { digest } = digestIntent(intent);
  const more = { ...intent, proof: 'x', dry_run: true, hold_seconds: 5, approval_id: 'apr_1' };
  expect(digestIntent(more).digest).toBe(digest);
  expect(digestIntent({ parameters: { amount: 1 }, action: 'b', agent_id: 'a' }).digest).toBe(digest);
  for (const other of [
    { ...intent, agent_id: 'b' },
    { ...intent, action: 'c' },
    { ...intent, target: 'did:web:a.example' },
    { ...intent, parameters: { amount: '1' } },
    { ...intent, parameters: { amount: 1, note: null } },
    { agent_id: 'a', action: 'b' },
    { ...intent, permit: { audience: 'https://pay.example' } },
  ])
    expect(digestIntent(other).digest).not.toBe(digest);
});

test('the digest covers each member of a permit, with its default', () => {
  const digestOf = (permit: PermitRequest) => digestIntent({ agent_id: 'a', action: 'b', permit }).digest;
  const audience = 'https://pay.example';
  expect(digestOf({ audience, seconds: 30, bind: false })).toBe(digestOf({ audience }));
  const all = [
    { audience },
    { audience: 'https://p.example' },
    { audience, seconds: 29 },
    { audience, bind: true },
  ];
  expect(new Set(all.map(digestOf)).size).toBe(all.length);
});

test('any change of any member is another intent', async () => {
  const { service, agent_id, approvals } = await openShop(undefined, {
    allowed_actions: ['*'],
    monetary_actions: [],
    approval: { actions: ['*'] },
  });
  await fc.assert(
    fc.asyncProperty(intents, intents, async (first, second) => {
      // Other parameters, another target, or another action: what differs is up to the generator.
      const amounts = { amount: 1, currency: 'EUR' };
      const of = (intent: Intent): Intent => ({
        ...intent,
        agent_id,
        parameters: { ...intent.parameters, ...amounts },
      });
      const [one, other] = [of(first), of(second)];
      fc.pre(!isSameJson(one, other));
      const approval_id = idIn((await service.verify(one)).reasons);
      await approvals.approve(approval_id);
      expect(codesOf(await service.verify({ ...other, approval_id }))).toEqual(['approval_mismatch']);
      expect((await service.verify({ ...one, approval_id })).verdict).toBe('ALLOW');
    }),
    { numRuns: cases(2_000) },
  );
});

test.each([16_384, 16_385])('an intent of %i bytes is too large above 16 KiB', async (bytes) => {
  const { ask, approvals, intentOf } = await openShop();
  const given = (padding: string) => ({
    parameters: { amount: 250, currency: 'EUR', padding },
  });
  // Each of these takes two bytes of UTF-8 and one of UTF-16.
  const empty = Buffer.byteLength(canonicalJson(intentOf(given(''))));
  const left = bytes - empty;
  const padding = 'é'.repeat(Math.floor(left / 2)) + 'e'.repeat(left % 2);
  const { reasons } = await ask(given(padding));
  if (bytes === 16_384) {
    expect((await approvals.get(idIn(reasons))).intent?.parameters).toEqual(given(padding).parameters);
    return;
  }
  expect(reasons).toEqual([
    {
      ...{ code: 'approval_required', message: 'A person must approve the intent.' },
      ...{ approval_id: null, expires_at: null, too_large: true },
    },
  ]);
  expect(codesOf(await ask({ ...given(padding), approval_id: 'apr_1' }))).toEqual(['approval_mismatch']);
  expect((await approvals.list()).data).toEqual([]);
});

test('what JSON does not carry is refused: two intents could have one digest', async () => {
  const { ask } = await openShop();
  const cost = (value: unknown) => ({ parameters: { amount: 250, currency: 'EUR', value } });
  for (const value of [Number.NaN, -0, Number.POSITIVE_INFINITY, '\ud800', 5n, Symbol('a'), new Map()])
    await expect(ask(cost(value))).rejects.toMatchObject({ code: 'invalid_request' });
});

test('evaluates and stores the intent as it was asked if the caller changes it during the read of the passport', async () => {
  const { service, intentOf, approvals } = await openShop(undefined, {}, { consistency: 'strict' });
  const parameters = { amount: 250, currency: 'EUR', to: 'the shop' };
  const given = { ...intentOf(), parameters };
  const asked = service.verify(given);
  parameters.to = 'another shop';
  const id = idIn((await asked).reasons);
  expect((await approvals.get(id)).intent?.parameters).toEqual({ ...parameters, to: 'the shop' });
  const batch = service.verifyBatch({ intents: [given] });
  parameters.to = 'the shop';
  const [record] = await batch;
  expect(idIn(record?.reasons ?? [])).not.toBe(id);
});
