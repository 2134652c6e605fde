/** The built package as a release before some columns of blocks: they are taken out of its table of columns. */
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll } from 'vitest';

const ROOT = join(import.meta.dirname, '../..');
/** A folder from which its packages are found, and of which Vitest transforms no module. */
const CACHE = join(ROOT, 'node_modules/.cache');

/** Loads a copy of the built package that does not know these columns; it is removed when the tests of the file end. */
export async function olderBuild(
  columns: readonly string[],
): Promise<
  Pick<typeof import('../../src/index.ts'), 'createIdentityService'> &
    Pick<typeof import('../../src/analytics/index.ts'), 'analytics'>
> {
  mkdirSync(CACHE, { recursive: true });
  const folder = mkdtempSync(join(CACHE, 'older-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  cpSync(join(ROOT, 'package.json'), join(folder, 'package.json'));
  cpSync(join(ROOT, 'dist'), join(folder, 'dist'), {
    recursive: true,
    filter: (source) => !/\.map$|\/types$/.test(source),
  });
  const chunks = join(folder, 'dist/chunks');
  let removed = 0;
  for (const name of readdirSync(chunks)) {
    const text = readFileSync(join(chunks, name), 'utf8');
    const [table] = /const COLUMN = \{.*?\};/s.exec(text) ?? [];
    if (table === undefined) continue;
    const lines = table.split('\n');
    const older = lines.filter((line) => !columns.some((column) => line.trim().startsWith(`${column}: `)));
    removed += lines.length - older.length;
    writeFileSync(join(chunks, name), text.replace(table, older.join('\n')));
  }
  if (removed !== columns.length)
    throw new Error(`${removed} of ${columns.length} columns were in the table.`);
  const load = (name: string) => import(pathToFileURL(join(folder, `dist/${name}.js`)).href);
  const [{ createIdentityService }, { analytics }] = await Promise.all([load('index'), load('analytics')]);
  return { createIdentityService, analytics };
}
