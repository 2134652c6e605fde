import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { root } from '../architecture/sources.ts';
import { newFolder } from '../storage/folder.ts';
import { IS_FULL } from '../support/runs.ts';
import { ASKED, apply, BEGUN } from './added-field.ts';

const run = promisify(execFile);
const COPIED = [
  'adapters',
  'bench',
  'dist',
  'src',
  'test',
  'package.json',
  'rollup.config.mjs',
  'tsconfig.json',
];
/** A run of the tests within the tests must not take itself for a part of them. */
const ENVIRONMENT = Object.fromEntries(
  Object.entries(process.env).filter(([name]) => !name.startsWith('VITEST') && name !== 'NODE_ENV'),
);

test('the edits of an added field fit the files that they are for', () => {
  const folder = newFolder();
  for (const { file, before } of [...BEGUN, ...ASKED]) {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    if (before !== '') cpSync(join(root, file), join(folder, file));
  }
  apply(folder, [...BEGUN, ...ASKED]);
});

/** Opens a database of that name by the build in the folder, and prints the columns of its passports. */
const columnsOf = (file: string): string => `
  import Libsql from 'libsql';
  import { sqliteStorage } from './dist/storage/sql.js';
  await (await sqliteStorage({ file: '${file}' })).close();
  const rows = new Libsql('${file}').prepare('pragma table_info(ais_passports)').all();
  console.log(JSON.stringify(rows.map(({ name }) => name).sort()));`;

const WHAT = 'an optional field does not compile until every place has it, and then every storage keeps it';

if (IS_FULL) {
  test(WHAT, async () => {
    const folder = newFolder();
    for (const name of COPIED) cpSync(join(root, name), join(folder, name), { recursive: true });
    symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'), 'junction');
    const node = (...args: readonly string[]) =>
      run(process.execPath, args, { cwd: folder, env: ENVIRONMENT, maxBuffer: 2 ** 26 });
    const columns = async (file: string): Promise<readonly string[]> =>
      JSON.parse((await node('--input-type=module', '--eval', columnsOf(file))).stdout);
    const compile = () => node('node_modules/typescript/bin/tsc', '-p', '.', '--noEmit', '--pretty', 'false');

    const before = await columns('before.db');
    apply(folder, BEGUN);
    const { stdout: asked = '' } = await compile().then(
      () => ({}) as { stdout?: string },
      (error: { stdout: string }) => error,
    );
    const errors = asked.split('\n').filter((line) => /^\S+\(\d+,\d+\): error /.test(line));
    expect(errors.filter((line) => !line.includes('purpose') || !line.includes('hours'))).toEqual([]);
    const places = new Set(errors.map((line) => line.slice(0, line.indexOf('('))));
    expect([...places].sort()).toEqual([...new Set(ASKED.map(({ file, askedAt = file }) => askedAt).sort())]);

    apply(folder, ASKED);
    await compile();
    await node('src/build/build.mjs');
    // Its migration gives them to a database of the release before, and a new one has them once.
    expect(await columns('before.db')).toEqual([...before, 'hours', 'purpose'].sort());
    expect(await columns('new.db')).toEqual(await columns('before.db'));
    await node(
      ...['node_modules/vitest/vitest.mjs', 'run', '--config', 'test/vitest.config.ts'],
      'test/storage/every-field.test.ts',
    );
  }, 900_000);
} else {
  const note = `Only "npm run test:all" tries that ${WHAT}.`;
  test(note, () => console.warn(note));
}
