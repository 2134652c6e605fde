/** A decoder in Python, written from the page `FORMAT.md` alone, gives what the codec gives. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { COLUMN } from '../../src/journal-format/format.ts';
import { openBlock, packRecords } from '../../src/journal-format/index.ts';
import { sayMissing } from '../support/missing.ts';
import { inOrder, timedRecords } from './records.ts';

const path = (name: string): string => fileURLToPath(new URL(name, import.meta.url));
const PAGE = readFileSync(path('../../src/journal-format/FORMAT.md'), 'utf8');
const GOLDEN = readdirSync(path('golden/'), { recursive: true })
  .map((file) => path(`golden/${file}`))
  .filter((file) => file.endsWith('.block'));

const hasPython = spawnSync('python3', ['--version']).status === 0;

/** Reads the files with the decoder in Python. */
function readByPython(files: readonly string[]): {
  readonly lines: readonly unknown[];
  readonly error: string;
} {
  const { stdout, stderr } = spawnSync('python3', [path('read-block.py'), ...files], {
    encoding: 'utf8',
    maxBuffer: 100_000_000,
  });
  return {
    lines: stdout
      .split('\n')
      .slice(0, -1)
      .map((line) => JSON.parse(line)),
    error: stderr,
  };
}

/** Reads a file with the codec. */
function readByCodec(file: string): unknown {
  const beside = file.replace(/block$/, 'erasable');
  const isErasable = readdirSync(join(file, '..')).some((name) => beside.endsWith(`/${name}`));
  const view = openBlock(bytesOf(file), isErasable ? bytesOf(beside) : undefined);
  return {
    records: Array.from({ length: view.length }, (_, place) => ({
      record: view.record(place),
      bucket: view.latencies[place],
    })),
    drops: view.drops,
    outcomes: Array.from({ length: view.outcomes.length }, (_, place) => view.outcomes.report(place)),
  };
}

function bytesOf(file: string): Uint8Array {
  return new Uint8Array(readFileSync(file));
}

test('the page has a row for each column that a release writes', () => {
  const rows = [...PAGE.matchAll(/^\| (\d+) +\| .*\|$/gm)].map(([, number]) => Number(number));
  expect(rows.filter((number) => number > 0)).toEqual(expect.arrayContaining(Object.values(COLUMN)));
});

if (hasPython) {
  test('the decoder reads the golden blocks', () => {
    const { lines, error } = readByPython(GOLDEN);
    expect(error).toBe('');
    expect(lines).toEqual(GOLDEN.map(readByCodec));
    expect(lines.length).toBeGreaterThan(15);
  });

  test('the decoder reads blocks of any records', () => {
    const folder = mkdtempSync(join(tmpdir(), 'blocks-'));
    const samples = fc
      .sample(timedRecords(3_600_000), 100)
      .flatMap((records) => packRecords(inOrder(records)));
    const files = samples.map(({ data, erasable }, number) => {
      const file = join(folder, `${number}.block`);
      writeFileSync(file, data);
      if (erasable !== undefined) writeFileSync(file.replace(/block$/, 'erasable'), erasable);
      return file;
    });
    const { lines, error } = readByPython(files);
    expect(error).toBe('');
    expect(lines).toEqual(JSON.parse(JSON.stringify(files.map(readByCodec))));
    rmSync(folder, { recursive: true });
  });

  test('the decoder refuses a block of which one byte is another', () => {
    const folder = mkdtempSync(join(tmpdir(), 'blocks-'));
    const data = bytesOf(GOLDEN.find((file) => file.endsWith('mixed.block')) ?? '');
    const files = Array.from({ length: 2 }, (_, part) => {
      const changed = data.slice();
      const place = Math.floor((data.length * part) / 2);
      changed[place] = (changed[place] as number) ^ 1;
      const file = join(folder, `${part}.block`);
      writeFileSync(file, changed);
      return file;
    });
    for (const file of files) {
      const { lines, error } = readByPython([file]);
      expect(lines).toEqual([]);
      expect(error).toContain('the checksum is another');
    }
    rmSync(folder, { recursive: true });
  });
} else sayMissing('python3 is not here: the decoder of FORMAT.md did not run.');
