import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { root } from '../architecture/sources.ts';
import { nightly, sized } from '../support/runs.ts';

const run = promisify(execFile);
const QUESTIONS = nightly(100_000, sized(5_000, 500));

test(`a chain decides as Cedar does by the conjunction of its passports, ${QUESTIONS} questions`, async () => {
  const script = join(root, 'test/verdict/cedar-chains.mjs');
  const seed = process.env['CI'] ? 20_261_120 : Math.floor(Math.random() * 2 ** 31);
  const { stdout, stderr } = await run(process.execPath, [
    '--no-turbo-inline-js-wasm-calls',
    script,
    `${QUESTIONS}`,
    `${seed}`,
  ]);
  const counts: { asked: number; allowed: number; differ: number } = JSON.parse(stdout);
  expect(counts, `seed ${seed}: ${stderr}`).toMatchObject({ asked: QUESTIONS, differ: 0 });
  // Both answers are frequent.
  expect(counts.allowed).toBeGreaterThan(QUESTIONS / 50);
  expect(counts.allowed).toBeLessThan(QUESTIONS / 2);
}, 600_000);
