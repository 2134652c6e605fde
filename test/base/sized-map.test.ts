import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createSizedMap } from '../../src/base/sized-map.ts';

interface Sized {
  readonly size: number;
}

/** The reference: a list in the order of the last use. */
function listed(maxSize: number, gone: [string, Sized][]) {
  let list: [string, Sized][] = [];
  const drop = (isGone: (entry: [string, Sized]) => boolean) => {
    gone.push(...list.filter(isGone));
    list = list.filter((entry) => !isGone(entry));
  };
  const total = () => list.reduce((sum, [, { size }]) => sum + size, 0);
  const peek = (key: string) => list.find(([name]) => name === key)?.[1];
  return {
    peek,
    delete: (key: string) => drop(([name]) => name === key),
    get(key: string) {
      const value = peek(key);
      if (value !== undefined) list = [...list.filter(([name]) => name !== key), [key, value]];
      return value;
    },
    set(key: string, value: Sized) {
      drop(([name]) => name === key);
      if (value.size > maxSize) return;
      while (total() + value.size > maxSize) drop((entry) => entry === list[0]);
      list.push([key, value]);
    },
  };
}

const step = fc.record({
  call: fc.constantFrom('peek', 'get', 'set', 'set', 'delete'),
  key: fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f'),
  size: fc.integer({ min: 0, max: 12 }),
});

test('keeps what a list in the order of the last use keeps', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 200 }), (steps) => {
      const gone: [string, Sized][] = [];
      const expectedGone: [string, Sized][] = [];
      const map = createSizedMap<string, Sized>({
        maxSize: 10,
        sizeOf: ({ size }) => size,
        dispose: (value, key) => gone.push([key, value]),
      });
      const reference = listed(10, expectedGone);
      for (const { call, key, size } of steps) {
        const value = { size };
        if (call === 'set') for (const one of [map, reference]) one.set(key, value);
        else if (call === 'delete') for (const one of [map, reference]) one.delete(key);
        else expect(map[call as 'get' | 'peek'](key)).toBe(reference[call as 'get' | 'peek'](key));
        expect(gone).toEqual(expectedGone);
      }
    }),
    { numRuns: 500 },
  );
});

test('removes each of 300,000 entries in constant time', () => {
  const map = createSizedMap<number, Sized>({ maxSize: 100_000, sizeOf: ({ size }) => size });
  const value = { size: 1 };
  for (let key = 0; key < 400_000; key += 1) map.set(key, value);
  expect(map.peek(300_000)).toBe(value);
  expect(map.peek(299_999)).toBeUndefined();
});
