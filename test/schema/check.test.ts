import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { IdentityError, pointer } from '../../src/errors.ts';
import { check, excessOf } from '../../src/schema/check.ts';
import { type RequestName, requestSchemas } from '../../src/schema/requests.ts';
import { schemaOf } from '../support/request-schemas.ts';
import { cases } from '../support/runs.ts';

const NAMES = Object.keys(requestSchemas) as RequestName[];

function refusal(name: RequestName, input: unknown): IdentityError | undefined {
  try {
    check(schemaOf(name), input);
    return undefined;
  } catch (error) {
    if (error instanceof IdentityError) return error;
    throw error;
  }
}

describe('check', () => {
  test.each(NAMES)('of %s is total: it gives back the input itself, or refuses with paths', (name) => {
    const anything = fc.oneof(
      fc.jsonValue(),
      fc.anything({ withBigInt: true, withDate: true, withSparseArray: true }),
    );
    fc.assert(
      fc.property(anything, (input) => {
        const error = refusal(name, input);
        if (error === undefined) expect(check(schemaOf(name), input)).toBe(input);
        else {
          expect(error.code).toBe('invalid_request');
          expect(error.details.errors?.length).toBeGreaterThan(0);
          expect(error.details.errors?.length).toBeLessThanOrEqual(20);
        }
      }),
      { seed: 20261120, numRuns: cases(500) },
    );
  });

  test('names at most twenty fields', () => {
    const input = Object.fromEntries(Array.from({ length: 500 }, (_, index) => [`field${index}`, index]));
    expect(refusal('Intent', input)?.details.errors).toHaveLength(20);
  });

  test('reports each way a field can be wrong by its own code', () => {
    const codeOf = (input: object) =>
      refusal('KeyRequest', { name: 'a', ...input })?.details.errors?.map(({ code }) => code);
    expect(codeOf({ name: undefined })).toEqual(['required']);
    expect(codeOf({ more: 1 })).toEqual(['unknown_field']);
    expect(codeOf({ name: 1 })).toEqual(['wrong_type']);
    expect(codeOf({ name: '' })).toEqual(['too_short']);
    expect(codeOf({ name: 'a'.repeat(101) })).toEqual(['too_long']);
    expect(codeOf({ environment: 'x' })).toEqual(['not_allowed']);
    expect(codeOf({ scopes: [] })).toEqual(['too_few']);
    expect(codeOf({ scopes: ['verify', 'verify'] })).toEqual(['duplicate']);
    expect(codeOf({ agent_ids: Array.from({ length: 101 }, (_, index) => `${index}`) })).toEqual([
      'too_many',
    ]);
  });

  test.each([
    ['minLength', 12, 'This has fewer than 12 characters'],
    ['minLength', 1, 'This is empty'],
    ['maxLength', 12, 'This has more than 12 characters'],
    ['minItems', 2, 'This has fewer than 2 entries'],
    ['minItems', 1, 'This is empty'],
    ['maxItems', 2, 'This has more than 2 entries'],
    ['maxProperties', 2, 'This has more than 2 names'],
    ['type', 2, undefined],
  ])('says by how much %s of %d is missed', (keyword, limit, said) => {
    expect(excessOf(keyword, { limit })).toBe(said);
  });

  test('names the entries that are the same', () => {
    expect(excessOf('uniqueItems', { i: 3, j: 1 })).toBe('Entries 1 and 3 are the same');
  });

  test('never shows what was sent', () => {
    for (const input of [{ hunter2: 1 }, { name: ['hunter2'] }, { name: 'a', scopes: ['hunter2'] }]) {
      const error = refusal('KeyRequest', input);
      const shown = error?.details.errors?.map(({ code, message }) => `${code} ${message}`).join();
      expect(shown).not.toContain('hunter2');
    }
  });

  test('counts UTF-16 units', () => {
    expect(refusal('KeyRequest', { name: '😀'.repeat(50) })).toBeUndefined();
    expect(refusal('KeyRequest', { name: '😀'.repeat(51) })?.details.errors).toMatchObject([
      { path: '/name' },
    ]);
  });

  test('takes no member from a prototype', () => {
    const inherited = Object.create({ email: 'a@b.example', password: 'x' });
    const error = refusal('Intent', inherited);
    expect(error?.code).toBe('invalid_request');
  });
});

test('a pointer escapes its segments by RFC 6901', () => {
  expect(pointer()).toBe('');
  expect(pointer('a', 0, 'b/c', '~', '', '~1')).toBe('/a/0/b~1c/~0//~01');
});

test('every request schema refuses fields that it does not name', () => {
  for (const [name, schema] of Object.entries(requestSchemas)) {
    expect([name, schema['additionalProperties']]).toEqual([name, false]);
  }
});
