import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { root } from './readme/run.ts';

interface Entry {
  readonly integrity?: string;
  readonly link?: boolean;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

/** What lacks a place in a lock file by which `npm ci` checks what it downloads. */
function unlocked(packages: Readonly<Record<string, Entry>>): readonly string[] {
  const installed = Object.entries(packages).filter(([path, { link }]) => path !== '' && link !== true);
  const unchecked = installed.filter(([, { integrity = '' }]) => !/^sha512-[\w+/]{86}==$/.test(integrity));
  // npm leaves out what a registry does not have, such as the packages of other platforms.
  const missing = Object.entries(packages).flatMap(([path, { optionalDependencies = {} }]) =>
    Object.keys(optionalDependencies).filter(
      (name) => !(`node_modules/${name}` in packages) && !(`${path}/node_modules/${name}` in packages),
    ),
  );
  return [...unchecked.map(([path]) => path), ...missing];
}

test('the lock file has an integrity for every package, also for those of other platforms', () => {
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'));
  expect(Object.keys(packages).length).toBeGreaterThan(100);
  expect(unlocked(packages)).toEqual([]);
});

test('a package without an integrity, and one that is left out, are found', () => {
  const integrity = `sha512-${'a'.repeat(86)}==`;
  const packages = {
    '': {},
    'node_modules/good': {
      integrity,
      optionalDependencies: { 'good-linux': '1.0.0', 'good-darwin': '1.0.0' },
    },
    'node_modules/good-linux': { integrity },
    'node_modules/bare': {},
    'node_modules/weak': { integrity: 'sha1-AAAA' },
  };
  expect(unlocked(packages)).toEqual(['node_modules/bare', 'node_modules/weak', 'good-darwin']);
});
