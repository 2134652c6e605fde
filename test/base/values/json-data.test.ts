import { describe, expect, test } from 'vitest';
import { jsonData, jsonText } from '../../../src/base/values/json-data.ts';
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
  const read = [...ofIntents, 'proof', 'amount', 'currency'];

  test.each(read)('%s of every object there is', (name) => {
    try {
      Object.defineProperty(Object.prototype, name, { value: 'a', configurable: true });
      expect(refusedPath({ inside: {} })).toBe(`/${name}`);
      expect(refusedPath({ [name]: 'b', inside: {} })).toBe(`/inside/${name}`);
    } finally {
      Reflect.deleteProperty(Object.prototype, name);
    }
  });

  test('a Proxy that answers for a member it does not have', () => {
    const get = (target: object, name: string) => (name === 'target' ? 'a' : Reflect.get(target, name));
    expect(refusedPath({ parameters: new Proxy({ a: 1 }, { get }) })).toBe('/parameters/target');
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
