/** The program in Go that checks an exported log with the code of Go's checksum database alone. */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect } from 'vitest';
import { type LogFiles, writeFiles } from '../memory-log.ts';

/** Where Debian puts the packages of Go. */
const GOPATH = '/usr/share/gocode';

/** Whether the program can be built here. */
export const hasGo: boolean =
  spawnSync('go', ['version']).status === 0 && existsSync(`${GOPATH}/src/golang.org/x/mod/sumdb/tlog`);

/** Whether `npm run test:third-parties` runs, which has the time for larger trees and more rows. */
export const isLarge: boolean = process.env['THIRD_PARTIES'] === '1';

/** What the program says of a folder. */
export interface GoAnswer {
  readonly status: number | null;
  readonly said: string;
}

/** Lets the program check a folder with these files, by a key and by checkpoints that were kept. */
export type CheckByGo = (files: LogFiles, kept: readonly string[], key: string) => GoAnswer;

/** Builds the program before the tests of the group. */
export function buildGoCheck(): CheckByGo {
  const folder = mkdtempSync(join(tmpdir(), 'log-third-parties-'));
  const checker = join(folder, 'check');
  let folders = 0;
  beforeAll(() => {
    const program = fileURLToPath(new URL('check.go', import.meta.url));
    const env = { ...process.env, GO111MODULE: 'off', GOPATH, GOFLAGS: '', GOCACHE: join(folder, 'cache') };
    const { status, stderr } = spawnSync('go', ['build', '-o', checker, program], { env, encoding: 'utf8' });
    expect([status, stderr]).toEqual([0, '']);
  }, 120_000);
  afterAll(() => rmSync(folder, { recursive: true }));
  return (files, kept, key) => {
    folders += 1;
    const own = join(folder, `log-${folders}`);
    writeFiles(own, files);
    const notes = kept.map((note, number) => {
      const file = join(own, `kept-${number}`);
      writeFileSync(file, note);
      return file;
    });
    const { status, stdout } = spawnSync(checker, [own, key, ...notes], { encoding: 'utf8' });
    return { status, said: stdout.trim() };
  };
}
