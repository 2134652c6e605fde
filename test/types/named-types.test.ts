import { beforeAll, expect, test } from 'vitest';
import { type EntryPoints, namedBy, readEntryPoints, unexplained } from './named-types.ts';

let entryPoints: EntryPoints;

beforeAll(() => {
  entryPoints = readEntryPoints();
});

test('every type that a public name uses can be imported from one entry point that exports the name', () => {
  const { checker, exports } = entryPoints;
  const missing = [...exports].flatMap(([entryPoint, own]) =>
    [...own].flatMap(([symbol, name]) => {
      const named = namedBy(checker, symbol);
      const isHome = (names: ReadonlyMap<unknown, string>) => named.every((one) => names.has(one));
      if ([...exports.values()].some((names) => names.has(symbol) && isHome(names))) return [];
      const lacking = named.filter((one) => !own.has(one)).map((one) => one.name);
      return [`${entryPoint} ${name}: ${[...new Set(lacking)].join(', ')}`];
    }),
  );
  expect(missing).toEqual([]);
});

test('every member of the inputs, records and options is explained where it is typed', () => {
  expect(unexplained(entryPoints, ['.', './client', './verdict'])).toEqual([]);
});
