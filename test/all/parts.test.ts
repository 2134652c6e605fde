import { existsSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { HEAVY } from '../support/heavy-files.ts';
import { partsOf } from './parts.ts';
import { PARTS, PROGRAMS } from './programs.mjs';
import { SECONDS } from './seconds.ts';

test('every file is in exactly one of five parts, which take the same time', () => {
  const parts = partsOf(HEAVY);
  expect(parts.length).toBe(5);
  expect(parts.flatMap(({ files }) => files).toSorted()).toEqual(HEAVY.toSorted());
  const seconds = parts.map((part) => part.seconds);
  expect(Math.max(...seconds)).toBeLessThan(1.1 * Math.min(...seconds));
});

test('every file that is known to take long exists', () => {
  expect(Object.keys(SECONDS).filter((file) => !existsSync(file))).toEqual([]);
});

test('every program is in exactly one part, and is a script of the package', () => {
  expect([...PARTS.flat()].sort()).toEqual(Object.keys(PROGRAMS).sort());
  const { scripts } = JSON.parse(readFileSync('package.json', 'utf8'));
  for (const { command } of Object.values(PROGRAMS)) expect(scripts).toHaveProperty([command[0]]);
});
