import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { createSharedParts } from '../../../src/core/storage/caches.ts';

// Few texts and short lists, so that many lists have the same first entry and the same length.
const entry = fc.constantFrom('a', 'b', 'c', '*');
const list = fc.array(fc.oneof({ weight: 5, arbitrary: entry }, fc.constant(null), fc.integer()), {
  maxLength: 4,
});
const part = fc.oneof(
  entry,
  list,
  fc.record({ names: list, of: fc.record({ list }) }),
  fc.array(fc.record({ list })),
);

test('a copy equals the original, however many similar lists were shared before', () => {
  fc.assert(
    fc.property(
      fc.array(fc.record({ one: part, two: part }, { noNullPrototype: true }), {
        minLength: 20,
        maxLength: 60,
      }),
      (originals) => {
        const shareParts = createSharedParts();
        for (const original of originals) expect(shareParts({ ...original })).toEqual(original);
      },
    ),
  );
});

test('equal lists and texts of two copies are the same object, and frozen', () => {
  const shareParts = createSharedParts();
  const [first, second] = [1, 2].map(() =>
    shareParts({ actions: ['orders.read', 'orders.list'], of: { list: ['x'] } }),
  );
  expect(second?.actions).toBe(first?.actions);
  expect(second?.of.list).toBe(first?.of.list);
  for (const frozen of [second, second?.actions, second?.of, second?.of.list])
    expect(Object.isFrozen(frozen)).toBe(true);
});

test('the copy shares no list with the original, which may change later', () => {
  const shareParts = createSharedParts();
  const actions = ['orders.read'];
  const copy = shareParts({ actions });
  actions.push('orders.delete');
  expect(copy.actions).toEqual(['orders.read']);
  expect(shareParts({ actions: ['orders.read'] }).actions).toEqual(['orders.read']);
});
