import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isCarriedAsIs, jsonData, jsonText } from '../../../src/base/values/json-data.ts';
import { IdentityError } from '../../../src/errors.ts';

/** The path of what is refused. */
function refusedPath(value: unknown, maxMembers = 100): string | undefined {
  try {
    jsonData(value, maxMembers);
  } catch (error) {
    if (!(error instanceof IdentityError) || error.code !== 'invalid_request') throw error;
    const { errors } = error.details as { errors: readonly { path: string }[] };
    return errors[0]?.path;
  }
  return expect.fail('It was taken.');
}

test('what JSON carries is copied and frozen', () => {
  const given = { text: 'a\u{1f600}', list: [1, -2.5, null, true, false], none: undefined };
  const data = jsonData(given, 100);
  expect(data).toStrictEqual({ text: 'a\u{1f600}', list: [1, -2.5, null, true, false] });
  expect(Object.isFrozen(data)).toBe(true);
  for (const value of ['', 0, null, true]) expect(jsonData(value, 100)).toBe(value);
});

describe('what JSON cannot carry is refused by its path:', () => {
  test.each<[string, unknown]>([
    ['the first half of a pair', '\ud83d'],
    ['the second half of a pair', 'a\ude00'],
    ['no number', Number.NaN],
    ['an infinite number', Number.NEGATIVE_INFINITY],
    ['a negative zero', -0],
    ['a big integer', 1n],
    ['a symbol', Symbol('a')],
    ['a function', () => 1],
    ['an instance of a class', new Map()],
  ])('%s', (_name, value) => {
    expect(refusedPath({ parameters: { note: value } })).toBe('/parameters/note');
    expect(refusedPath({ list: [0, value] })).toBe('/list/1');
    expect(refusedPath(value)).toBe('');
  });

  test('half a pair in a name', () => {
    expect(refusedPath({ parameters: { '\ud83d': 1 } })).toBe('/parameters/\ud83d');
  });

  test('what throws when it is read', () => {
    const thrower = new Proxy(
      {},
      {
        ownKeys: () => {
          throw new Error('read');
        },
      },
    );
    expect(refusedPath({ parameters: thrower })).toBe('');
  });

  test('more members than may be', () => {
    expect(jsonData([1, 2, 3], 3)).toEqual([1, 2, 3]);
    expect(refusedPath([1, 2, 3], 2)).toBe('');
  });
});

describe('an object that answers by more than its members is refused:', () => {
  const ofIntents = ['agent_id', 'action', 'target', 'parameters', 'dry_run', 'hold_seconds', 'approval_id'];
  const read = [...ofIntents, 'subject', 'permit', 'proof', 'amount', 'currency'];

  test.each(read)('%s of every object there is', (name) => {
    try {
      Object.defineProperty(Object.prototype, name, { value: 'a', configurable: true });
      expect(refusedPath({ inside: {} })).toBe(`/${name}`);
      expect(refusedPath({ [name]: 'b', inside: {} })).toBe(`/inside/${name}`);
      expect(isCarriedAsIs({ other: 'b' }, 10)).toBe(false);
      expect(isCarriedAsIs({ [name]: 'b' }, 10)).toBe(true);
    } finally {
      Reflect.deleteProperty(Object.prototype, name);
    }
  });

  test('a Proxy that answers for a member it does not have', () => {
    const get = (target: object, name: string) => (name === 'target' ? 'a' : Reflect.get(target, name));
    expect(refusedPath({ parameters: new Proxy({ a: 1 }, { get }) })).toBe('/parameters/target');
  });
});

describe('an object is carried as it is', () => {
  /** Values that JSON carries, and some that it does not, or not unchanged. */
  const strange = fc.oneof(
    fc.constantFrom<unknown>(undefined, Number.NaN, -0, '\ud83d', 1n, Symbol('a'), new Map(), new Date(0)),
    fc.jsonValue().map((value) => Object.defineProperty({}, 'shown', { get: () => value, enumerable: true })),
    fc.jsonValue().map((value) => Object.defineProperty({}, 'hidden', { value, enumerable: false })),
    fc.jsonValue().map((value) => ({ [Symbol('named')]: value })),
    fc.jsonValue().map((target) => Object.create({ target }) as unknown),
    fc.jsonValue().map((value) => new Proxy({ value }, { get: () => 'other' })),
    fc.array(fc.jsonValue()).map((list) => Object.assign(list, { more: 1 })),
    fc.jsonValue().map((value) => {
      const get = (target: object, name: string) => (name === 'value' ? 'other' : Reflect.get(target, name));
      return new Proxy({ value }, { get });
    }),
    fc.constantFrom(Object.assign(new Array(3), { 0: 1, 2: 2 }), Object.create(null)),
  );
  const anything = fc.letrec((tie) => ({
    value: fc.oneof(
      { maxDepth: 4 },
      { weight: 4, arbitrary: fc.jsonValue({ maxDepth: 1 }) },
      { weight: 1, arbitrary: strange },
      fc.array(tie('value'), { maxLength: 4 }),
      fc.dictionary(fc.string({ unit: 'binary', maxLength: 4 }), tie('value'), { maxKeys: 4 }),
    ),
  })).value;

  test('only where its copy is the same', () => {
    fc.assert(
      fc.property(anything, fc.integer({ min: 0, max: 20 }), (value, most) => {
        if (isCarriedAsIs(value, most)) expect(jsonData(value, most)).toStrictEqual(value);
      }),
      { numRuns: 2_000 },
    );
  });

  test('wherever JSON carries an object, but for rare forms', () => {
    fc.assert(
      fc.property(fc.oneof(fc.array(fc.jsonValue()), fc.dictionary(fc.string(), fc.jsonValue())), (value) => {
        expect(isCarriedAsIs(JSON.parse(JSON.stringify(value)), 10_000)).toBe(true);
      }),
    );
    for (const value of [{ none: undefined }, Object.create(null), 'a', 1, null])
      expect(isCarriedAsIs(value, 10)).toBe(false);
  });

  const hides = (of: object) => Object.defineProperty(of, 'hidden', { value: 1, enumerable: false });
  const answers = (of: object) => new Proxy(of, { get: () => 'other' });
  const answersForOne = new Proxy(
    { a: 'b' },
    { get: (of, name) => (name === 'a' ? 'other' : Reflect.get(of, name)) },
  );
  const bare: object = Object.setPrototypeOf(() => 1, Object.prototype);
  for (const name of ['length', 'name']) Reflect.deleteProperty(bare, name);
  const fails = new Proxy({ a: 1 }, { ownKeys: () => expect.fail() });

  test.each([
    ['nothing', null],
    ['no value', undefined],
    ['a text', 'a'],
    ['a number', 1],
    ['a function', () => 1],
    ['an instance', new Date(0)],
    ['an object without a prototype', Object.create(null)],
    ['a list with a hole', Object.assign(new Array(2), { 0: 1 })],
    ['a list with a member', Object.assign([1], { more: 1 })],
    ['a list with a hidden member', hides([1])],
    ['a hidden member', hides({ a: 1 })],
    ['a member with a symbol for its name', { a: 1, [Symbol('b')]: 1 }],
    [
      'an accessor',
      {
        get a() {
          return 1;
        },
      },
    ],
    ['a member without a value', { a: undefined }],
    ['NaN', { a: Number.NaN }],
    ['minus zero', { a: -0 }],
    ['a lone surrogate', { a: '\ud83d' }],
    ['a lone surrogate in a name', { '\ud83d': 1 }],
    ['a bigint', { a: 1n }],
    ['a function inside', { a: () => 1 }],
    ['an object that answers otherwise', answers({ a: 'b' })],
    ['an object that answers otherwise for a member', answersForOne],
    ['a function that has no member', bare],
    ['an object that answers nothing', new Proxy({ a: 1 }, { getOwnPropertyDescriptor: () => undefined })],
    ['an object that fails', fails],
  ])('which is not %s, at any depth', (_, value) => {
    expect(isCarriedAsIs(value, 100)).toBe(false);
    if (value === null || typeof value === 'string' || typeof value === 'number') return;
    expect(isCarriedAsIs({ ok: 1, in: value, more: 2 }, 100)).toBe(false);
    expect(isCarriedAsIs([[value]], 100)).toBe(false);
  });

  test('with nothing, texts, numbers, lists and objects inside', () => {
    expect(isCarriedAsIs({ a: null, b: ['c', 0, true, {}], d: { e: [null] } }, 100)).toBe(true);
  });

  test('up to the members and levels of a body', () => {
    const nested = (levels: number): object => (levels === 1 ? {} : { in: nested(levels - 1) });
    expect([32, 33].map((levels) => isCarriedAsIs(nested(levels), 100))).toEqual([true, false]);
    expect([3, 2].map((most) => isCarriedAsIs({ a: [1], b: 2 }, most))).toEqual([true, false]);
    expect([3, 2].map((most) => isCarriedAsIs({ b: 2, a: { c: 1 } }, most))).toEqual([true, false]);
    expect(isCarriedAsIs({ a: [1, 2], b: [], c: 1 }, 4)).toBe(false);
  });
});

test('the text of data is that of JSON.stringify', () => {
  const data = { 'a"b': ['x\n', 1, null, { c: {} }, []], d: true, e: '' };
  expect(jsonText(data)).toBe(JSON.stringify(data));
  for (const value of ['a"', 1, null, false, [], {}]) expect(jsonText(value)).toBe(JSON.stringify(value));
});

test('no toJSON has a say in the text of data', () => {
  try {
    Object.defineProperty(Object.prototype, 'toJSON', { value: () => 'other', configurable: true });
    expect(jsonText({ a: [1] })).toBe('{"a":[1]}');
  } finally {
    Reflect.deleteProperty(Object.prototype, 'toJSON');
  }
});
