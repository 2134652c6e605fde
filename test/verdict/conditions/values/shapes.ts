/** Values for the tests of lists, objects and presence. */
import { letters, type Subject } from './subject.ts';

export const items: Subject = {
  test: ({ one }) => ({ max_items: one([0, 1, 2, 300, 1_000]) }),
  passing: ({ below: upTo }, { max_items = 0 }) => Array.from({ length: upTo(max_items + 1) }, () => 'a'),
  near: ({ one }, { max_items = 0 }) =>
    one<unknown>([
      Array.from({ length: max_items + 1 }, () => 1),
      'a,b',
      { length: 0 },
      null,
      '',
      0,
      [[1, 2, 3]],
    ]),
};

const MEMBERS = ['to', 'subject', 'a/b', '__proto__', '', 'amount', 'To', 'constructor'];

function objectOf(names: readonly string[]): object {
  const object = {};
  for (const name of names) {
    Object.defineProperty(object, name, { value: 'x', enumerable: true, writable: true, configurable: true });
  }
  return object;
}

export const onlyNames: Subject = {
  test: ({ some, chance }) => ({ only: chance(0.1) ? [] : some(MEMBERS, 5) }),
  passing: ({ some, chance }, { only = [] }) =>
    objectOf(only.length === 0 || chance(0.1) ? [] : some(only, 4)),
  near: ({ one, some }, { only = [] }) =>
    one<unknown>([
      objectOf(some(MEMBERS, 6)),
      objectOf([...only, 'bcc']),
      objectOf(only.map(letters)),
      [],
      'x',
      null,
      objectOf(['to\u0000']),
    ]),
};

export const present: Subject = {
  test: () => ({ present: true }),
  passing: ({ one }) => one<unknown>([0, false, ' ', 'x', [null], { a: null }, [[]], -1]),
  near: ({ one }) => one<unknown>([null, '', [], {}]),
};

/** In the place of a value: the member is left out. */
export const LEFT_OUT: unique symbol = Symbol('left out');

export const absent: Subject = {
  test: () => ({ absent: true }),
  passing: () => LEFT_OUT,
  near: ({ one }) => one<unknown>([null, '', [], {}, 0, false, 'x']),
};
