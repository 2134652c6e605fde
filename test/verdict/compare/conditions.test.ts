import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Condition, Passport } from '../../../src/records.ts';
import { compare, compareFields } from '../../../src/verdict/compare/index.ts';
import { decide, prepare } from '../../../src/verdict/index.ts';
import { seedOf, sized } from '../../support/runs.ts';

const AGENT = 'did:web:example.com:agents:mailer';
const AT = '2026-11-20T12:00:00.000Z';
const ACTIONS = ['email.send', 'files.read', 'files.write'];

function passportWith(conditions: readonly Condition[]): Passport {
  return {
    agent_id: AGENT,
    allowed_actions: ACTIONS,
    monetary_limit_per_txn: 100,
    status: 'active',
    version: 1,
    updated_at: AT,
    conditions,
  } as unknown as Passport;
}

const TEXTS = [
  'a',
  'ab',
  'abc',
  'ann@example.com',
  'bob@example.org',
  '/srv/app',
  '/srv/app/x',
  'docs',
  'docs/x',
];
const URLS = [
  'https://a.example',
  'https://a.example/docs',
  'https://a.example/docs/x',
  'https://b.a.example',
];
const VALUES: readonly unknown[] = [
  ...TEXTS,
  ...URLS,
  ...[
    '',
    'B',
    '1',
    0,
    1,
    2,
    5,
    1.5,
    true,
    null,
    [],
    {},
    ['a'],
    ['a', 'ab'],
    ['a', 'x'],
    [[]],
    { a: 1 },
    { b: 1 },
  ],
];

const listOf = (values: readonly string[]) => fc.subarray([...values], { minLength: 1, maxLength: 3 });

const testArbitrary: fc.Arbitrary<Partial<Condition>> = fc.oneof(
  fc
    .subarray<string | number | boolean | null>(['a', 'ab', '', 1, 2, true, null], { minLength: 1 })
    .map((values) => ({ in: values })),
  listOf(['a', 'b', 'ab']).map((texts) => ({ not_in: texts })),
  listOf(['a', 'ab', 'abc']).map((prefix) => ({ prefix })),
  listOf(['b', 'bc', 'c']).map((suffix) => ({ suffix })),
  fc
    .tuple(fc.integer({ min: -1, max: 2 }), fc.integer({ min: 2, max: 5 }))
    .map(([min, max]) => ({ min, max })),
  fc.integer({ min: 0, max: 3 }).map((min) => ({ min })),
  listOf(['ann@example.com', '@example.com', '@example.org']).map((email_in) => ({ email_in })),
  listOf([...URLS, 'https://*.a.example']).map((url_under) => ({ url_under })),
  listOf(['/srv', '/srv/app', '/', '.', 'docs']).map((path_under) => ({ path_under })),
  fc.integer({ min: 0, max: 2 }).map((max_items) => ({ max_items })),
  fc.subarray(['a', 'b']).map((only) => ({ only })),
  fc.constant({ present: true } as const),
  fc.constant({ absent: true } as const),
);

const conditionArbitrary: fc.Arbitrary<Condition> = fc
  .record({
    test: testArbitrary,
    at: fc.constantFrom('/to', '/to', '/list/*', '/deep/a'),
    actions: fc.option(fc.constantFrom(['email.send'], ['files.*'], ['*']), { nil: undefined }),
    optional: fc.boolean(),
  })
  .map(({ test: one, at, actions, optional }) => ({
    at,
    ...(actions !== undefined && { actions }),
    ...(optional && !('present' in one) && !('absent' in one) && { optional }),
    ...one,
  }));

const conditionsArbitrary = fc.array(conditionArbitrary, { maxLength: 3 });

/** A second version: the same conditions with one more, one less, or one that is changed. */
const pairArbitrary = fc.oneof(
  fc.tuple(conditionsArbitrary, conditionsArbitrary),
  fc
    .tuple(conditionsArbitrary, fc.nat({ max: 2 }), fc.option(conditionArbitrary, { nil: undefined }))
    .map(([all, place, one]) => {
      const others = all.filter((_, index) => index !== place);
      return [all, one === undefined ? others : [...others, one]] as const;
    }),
);

const parametersArbitrary = fc.record(
  {
    to: fc.constantFrom(...VALUES),
    list: fc.array(fc.constantFrom(...VALUES), { maxLength: 2 }),
    deep: fc.record({ a: fc.constantFrom(...VALUES) }, { requiredKeys: [] }),
  },
  { requiredKeys: [] },
);

test('no parameters pass the later conditions and fail the earlier ones, if the comparison finds nothing wider', {
  timeout: 3_600_000,
}, () => {
  const seen = new Set<string>();
  const seed = seedOf(20_261_129);
  fc.assert(
    fc.property(
      pairArbitrary,
      fc.array(fc.tuple(fc.constantFrom(...ACTIONS), parametersArbitrary), { minLength: 50, maxLength: 50 }),
      ([before, after], questions) => {
        const [earlier, later] = [passportWith(before), passportWith(after)];
        const comparison = compare(earlier, later);
        const alone = compareFields(earlier, later);
        seen.add(comparison.result);
        const sides = [prepare(earlier), prepare(later)] as const;
        const verdictOf = (passport: (typeof sides)[number], [action, parameters]: [string, object]) =>
          decide({ passport, intent: { agent_id: AGENT, action, parameters: parameters as never }, at: AT })
            .verdict;
        for (const question of questions) {
          const [was, is] = [verdictOf(sides[0], question), verdictOf(sides[1], question)];
          if (was === 'DENY' && is === 'ALLOW') {
            expect(comparison.wider).not.toEqual([]);
            expect(alone.wider).not.toEqual([]);
          }
          if (was === 'ALLOW' && is === 'DENY') expect(comparison.narrower).not.toEqual([]);
        }
        for (const { intent, reasons } of comparison.wider) {
          if (intent === null) continue;
          const asked: [string, object] = [intent.action, intent.parameters ?? {}];
          expect([verdictOf(sides[0], asked), verdictOf(sides[1], asked)]).toEqual(['DENY', 'ALLOW']);
          expect(reasons).not.toEqual([]);
        }
      },
    ),
    { numRuns: sized(4_000, 400), seed },
  );
  expect([...seen].sort()).toEqual(['crossing', 'equal', 'narrower', 'wider']);
});

test.each<[string, Condition, Condition, string]>([
  ['the same', { at: '/to', in: ['a'] }, { at: '/to', in: ['a'] }, 'equal'],
  ['fewer values', { at: '/to', in: ['a', 'b'] }, { at: '/to', in: ['a'] }, 'narrower'],
  ['more values', { at: '/to', in: ['a'] }, { at: '/to', in: ['a', 'b'] }, 'wider'],
  [
    'a value of a list instead of a domain',
    { at: '/to', email_in: ['@a.example'] },
    { at: '/to', in: ['x@a.example'] },
    'narrower',
  ],
  ['another place', { at: '/to', in: ['a'] }, { at: '/cc', in: ['a'] }, 'crossing'],
  ['a missing value passes', { at: '/to', in: ['a'] }, { at: '/to', in: ['a'], optional: true }, 'wider'],
  ['fewer actions', { at: '/to', in: ['a'] }, { at: '/to', in: ['a'], actions: ['email.send'] }, 'wider'],
  ['a folder above', { at: '/to', path_under: ['/a/b'] }, { at: '/to', path_under: ['/a'] }, 'wider'],
  [
    'an exact host below a star',
    { at: '/to', url_under: ['https://*.a.example'] },
    { at: '/to', url_under: ['https://x.a.example'] },
    'narrower',
  ],
  ['a higher maximum', { at: '/to', max: '1.5' }, { at: '/to', max: '1.500001' }, 'wider'],
])('says of %s: from %j to %j is %4$s', (_, before, after, result) => {
  const { result: found, wider } = compare(passportWith([before]), passportWith([after]));
  expect(found).toBe(result);
  for (const { intent } of wider) expect(intent).not.toBeNull();
});
