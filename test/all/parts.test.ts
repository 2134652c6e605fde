import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { partOf } from '../support/heavy.ts';
import { PARTS, PROGRAMS } from './programs.mjs';

test('every test file is in exactly one of five parts, and none of them is empty', () => {
  const files = Array.from({ length: 500 }, (_, index) => `test/service/file-${index}.test.ts`);
  const parts = PARTS.map((_, index) => partOf(files, index + 1, PARTS.length));
  expect(parts.flat().sort()).toEqual([...files].sort());
  for (const part of parts) expect(part.length).toBeGreaterThan(50);
});

test('every program is in exactly one part, and is a script of the package', () => {
  expect([...PARTS.flat()].sort()).toEqual(Object.keys(PROGRAMS).sort());
  const { scripts } = JSON.parse(readFileSync('package.json', 'utf8'));
  for (const [script] of Object.values(PROGRAMS)) expect(scripts).toHaveProperty([script ?? '']);
});
