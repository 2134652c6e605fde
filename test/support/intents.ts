/** Passports and intents, among them those that are refused, for tests that compare the ways to ask. */
import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import type { Intent } from '../../src/index.ts';
import { intentArbitrary, type OwnedPassport, passportArbitrary } from '../../src/testing/arbitraries.ts';

/** Anything in addition to the evaluated members. Strings that HTTP refuses are left out. */
const extras = fc.dictionary(fc.stringMatching(/^[a-z]{1,5}$/), fc.jsonValue({ maxDepth: 3 }), {
  maxKeys: 3,
});

/** A passport, and an intent about it: evaluated, or refused. */
export const questions: fc.Arbitrary<{ readonly passport: OwnedPassport; readonly intent: Intent }> =
  passportArbitrary().chain((passport) =>
    fc.record({
      passport: fc.constant(passport),
      intent: fc
        .tuple(intentArbitrary(passport), extras, fc.boolean())
        .map(([intent, more, misspelled]) => ({
          ...intent,
          ...(isObject(intent.parameters) && { parameters: { ...more, ...intent.parameters } }),
          ...(misspelled && Object.keys(more).length === 3 && more),
        }))
        .filter((intent) =>
          isDeepStrictEqual(JSON.parse(JSON.stringify(intent)), intent),
        ) as fc.Arbitrary<Intent>,
    }),
  );

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
