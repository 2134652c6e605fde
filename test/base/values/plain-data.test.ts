import { runInNewContext } from 'node:vm';
import { describe, expect, test } from 'vitest';
import { elementsOf, isPlainObject, plainCopy } from '../../../src/base/values/plain-data.ts';

const nested = (levels: number): unknown => (levels === 0 ? 'end' : { in: nested(levels - 1) });

test('an object is plain with the prototype of all objects, of any realm, or with none', () => {
  for (const value of [{}, Object.create(null), runInNewContext('({})')]) {
    expect(isPlainObject(value)).toBe(true);
  }
  const orphan = Object.create(Object.create(null));
  for (const value of [new Map(), Object.create({}), orphan, new (class {})(), []]) {
    expect(isPlainObject(value)).toBe(false);
  }
});

describe('the elements of a list', () => {
  test('are in a new array', () => {
    const list = [1, undefined, 'a'];
    expect(elementsOf(list)).toEqual(list);
    expect(elementsOf(list)).not.toBe(list);
    expect(elementsOf([])).toEqual([]);
  });

  test('are those of a list alone, and at most 100,000', () => {
    for (const value of [undefined, null, 'ab', { length: 1, 0: 'a' }, new Set([1]), new Uint8Array(1)]) {
      expect(() => elementsOf(value)).toThrow(TypeError);
    }
    expect(elementsOf(new Array(100_000).fill(0))).toHaveLength(100_000);
    expect(() => elementsOf(new Array(100_001).fill(0))).toThrow(TypeError);
  });
});

describe('a copy', () => {
  test('is deep, frozen, and without what is undefined', () => {
    const whole = { a: [1, { b: null }], c: 'd', none: undefined, e: [] };
    const copy = plainCopy(whole) as typeof whole;
    expect(copy).toStrictEqual({ a: [1, { b: null }], c: 'd', e: [] });
    for (const part of [copy, copy.a, copy.a[1], copy.e]) expect(Object.isFrozen(part)).toBe(true);
    for (const part of [whole, whole.a, whole.a[1], whole.e]) expect(Object.isFrozen(part)).toBe(false);
  });

  test('of what is no object is that, unless it is a function', () => {
    for (const value of ['a', 1, true, null, undefined, 1n]) expect(plainCopy(value)).toBe(value);
    expect(() => plainCopy(() => 1)).toThrow(TypeError);
  });

  test('may be of another realm', () => {
    expect(plainCopy(runInNewContext('({ list: [1] })'))).toStrictEqual({ list: [1] });
  });

  test('has 32 levels and 10,000 members at most, or as many as are said', () => {
    expect(plainCopy(nested(32))).toEqual(nested(32));
    expect(() => plainCopy(nested(33))).toThrow(TypeError);
    expect(plainCopy(new Array(10_000).fill(0))).toHaveLength(10_000);
    expect(() => plainCopy(new Array(10_001).fill(0))).toThrow(TypeError);
    const object = { a: 1, b: { c: 1 } };
    expect(plainCopy(object, { maxMembers: 3 })).toEqual(object);
    expect(() => plainCopy(object, { maxMembers: 2 })).toThrow(TypeError);
    expect(plainCopy([[1], 2], { maxMembers: 3 })).toEqual([[1], 2]);
    expect(() => plainCopy([[1], 2], { maxMembers: 2 })).toThrow(TypeError);
  });

  test('does not read the elements of a list that is too long', () => {
    const reads: unknown[] = [];
    const get = (target: object, name: string | symbol, whole: unknown) => {
      reads.push(name);
      return Reflect.get(target, name, whole);
    };
    expect(() => plainCopy(new Proxy([1, 2, 3], { get }), { maxMembers: 2 })).toThrow(TypeError);
    expect(reads).not.toContain('0');
  });

  test('names the part that is refused', () => {
    const refusedAt = (whole: unknown, takes?: (value: unknown) => boolean) => {
      const refuse = (path: readonly string[]): never => {
        throw new Error(`/${path.join('/')}`);
      };
      try {
        plainCopy(whole, takes === undefined ? { refuse } : { refuse, takes });
        return 'taken';
      } catch (error) {
        return (error as Error).message;
      }
    };
    expect(refusedAt({ a: { b: [0, () => 1] }, c: 1 })).toBe('/a/b/1');
    expect(refusedAt({ first: { x: 1 }, a: { b: [0, undefined] } })).toBe('/a/b/1');
    expect(refusedAt({ a: new Map() })).toBe('/a');
    expect(refusedAt({ a: Object.defineProperty({}, 'b', { get: () => 1, enumerable: true }) })).toBe('/a/b');
    expect(refusedAt({ a: Object.defineProperty({}, 'b', { get: () => undefined, enumerable: true }) })).toBe(
      '/a/b',
    );
    expect(refusedAt({ a: Object.defineProperty({}, 'b', { value: 1 }) })).toBe('/a');
    expect(refusedAt(hidesAfter(1, { a: 1 }))).toBe('/a');
    expect(refusedAt({ a: { [Symbol('b')]: 1 } })).toBe('/a');
    expect(refusedAt({ a: Object.assign([1], { b: 1 }) })).toBe('/a');
    expect(refusedAt({ a: new Array(1) })).toBe('/a');
    expect(refusedAt({ a: 1, odd: 1 }, (value) => value !== 'odd')).toBe('/odd');
    expect(refusedAt(7, () => false)).toBe('/');
    // A list does not have its places for names: none is asked for.
    expect(refusedAt([1], (value) => value === 1)).toBe('/0');
  });

  test('holds no NaN for another number, and refuses a Proxy that answers by another value', () => {
    expect(plainCopy({ a: Number.NaN, b: -0 })).toEqual({ a: Number.NaN, b: -0 });
    expect(() => plainCopy(new Proxy({ a: 1 }, { get: () => 2 }))).toThrow(TypeError);
    const hides = { getOwnPropertyDescriptor: () => undefined };
    expect(() => plainCopy(new Proxy({ a: 1 }, hides))).toThrow(TypeError);
    expect(() => plainCopy(hidesAfter(1, { a: 1 }))).toThrow(TypeError);
  });
});

/** A Proxy that shows its members that many times, while they are counted, and hides them then. */
function hidesAfter(times: number, target: object): object {
  let shows = times;
  return new Proxy(target, {
    getOwnPropertyDescriptor: (of, name) =>
      shows-- > 0 ? Reflect.getOwnPropertyDescriptor(of, name) : undefined,
  });
}
