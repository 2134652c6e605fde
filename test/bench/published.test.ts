import { execFile } from 'node:child_process';
import { readFileSync, statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

const run = promisify(execFile);
const root = fileURLToPath(new URL('../..', import.meta.url));
const PUBLISHED = ['results.json', 'chart.svg', 'README.md', 'SIZING.md'];

function published(): unknown {
  return PUBLISHED.map((name) => {
    const file = `${root}/bench/${name}`;
    return { text: readFileSync(file, 'utf8'), at: statSync(file).mtimeMs };
  });
}

function bench(...args: readonly string[]): Promise<{ readonly stdout: string }> {
  return run(process.execPath, ['bench/run.mjs', ...args], { cwd: root });
}

test('a run without --save leaves the files of the repository alone, and keeps its figures below .build', async () => {
  const before = published();
  const startedAt = Date.now();
  const { stdout } = await bench('decide');
  expect(stdout).toContain('To publish figures, add --save');
  expect(published()).toEqual(before);
  const own = JSON.parse(readFileSync(`${root}/.build/bench/results.json`, 'utf8'));
  const { decide } = own[`node ${process.versions.node.split('.')[0]}`];
  expect(Date.parse(decide.date)).toBeGreaterThanOrEqual(startedAt);
  expect(readFileSync(`${root}/.build/bench/chart.svg`, 'utf8')).toContain('<svg');
});

test('figures of so few calls cannot be published', async () => {
  const before = published();
  await expect(bench('decide', '--quick', '--save')).rejects.toMatchObject({ code: 2 });
  expect(published()).toEqual(before);
});
