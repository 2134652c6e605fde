import { beforeAll, expect, test } from 'vitest';
import { type Doors, namedBy, readDoors, unexplained } from './named-types.ts';

let doors: Doors;

beforeAll(() => {
  doors = readDoors();
});

test('every type that a public name names can be imported, all of them from one door that has the name', () => {
  const { checker, exports } = doors;
  const missing = [...exports].flatMap(([door, own]) =>
    [...own].flatMap(([symbol, name]) => {
      const named = namedBy(checker, symbol);
      const isHome = (names: ReadonlyMap<unknown, string>) => named.every((one) => names.has(one));
      if ([...exports.values()].some((names) => names.has(symbol) && isHome(names))) return [];
      const lacking = named.filter((one) => !own.has(one)).map((one) => one.name);
      return [`${door} ${name}: ${[...new Set(lacking)].join(', ')}`];
    }),
  );
  expect(missing).toEqual([]);
});

test('every member of the inputs, records and options is explained where it is typed', () => {
  expect(unexplained(doors, ['.', './client', './verdict'])).toEqual([]);
});
