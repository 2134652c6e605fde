import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { root } from './sources.ts';

interface Group {
  readonly files: readonly string[];
  readonly tests: readonly string[];
}
const { groups } = await load<{ groups: readonly Group[] }>('groups.mjs');
const { survivors } = await load<{ survivors: readonly { file: string }[] }>('survivors/index.mjs');

test('every file and folder that the mutation run names is there, also after a move', () => {
  const named = [
    ...groups.flatMap(({ files, tests }) => [...files, ...tests.map((pattern) => dirname(pattern))]),
    ...survivors.map(({ file }) => file),
  ];
  expect(named.filter((path) => !existsSync(join(root, path)))).toEqual([]);
});

function load<Exports>(path: string): Promise<Exports> {
  return import(join(root, 'test/mutation', path));
}
