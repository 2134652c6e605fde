import { existsSync } from 'node:fs';
import { HEAVY } from './heavy-files.js';

/** The heavy files that every change runs: the walls of the house, the storage contract, examples and snippets. */
export const EVERY_CHANGE: readonly string[] = [
  'architecture',
  'architecture/docstrings',
  'architecture/late-members',
  'architecture/layers',
  'architecture/sizes',
  'architecture/throws',
  'examples',
  'recipes/recipes',
  'storage/postgres-contract',
  'storage/redis-contract',
  'types/examples',
  'types/surface',
].map((name) => `test/${name}.test.ts`);

/** The files that this run leaves out: the heavy ones, unless all tests run or files were asked for by name. */
export function leftOut(): readonly string[] {
  const asked = process.argv.some((argument) => /\.test(\.ts)?$/.test(argument));
  return process.env['TEST_SIZE'] !== undefined || asked ? [] : HEAVY;
}

/** Called by vitest once, before the first test: says what is left out. */
export function setup(): void {
  const gone = [...HEAVY, ...EVERY_CHANGE].filter((file) => !existsSync(file));
  if (gone.length > 0)
    throw new Error(`test/support/heavy.ts names files that do not exist: ${gone.join(', ')}`);
  const files = leftOut();
  if (files.length > 0)
    console.warn(
      `"npm test" leaves out ${files.length} heavy files, which "npm run test:all" runs: ${files.join(', ')}`,
    );
}
