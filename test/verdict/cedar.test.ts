import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { root } from '../architecture/sources.ts';
import { nightly, seedOf, sized } from '../support/runs.ts';

const run = promisify(execFile);
const QUESTIONS = nightly(100_000, sized(5_000, 200));
const BY_VERIFIER = nightly(400_000, sized(10_000, 200));
const PAIRS = nightly(20_000, sized(1_000, 100));

/** Runs a script over Cedar; returns what it counted, and what to say where it is wrong. */
async function counted(file: string, size: number, ...more: readonly string[]) {
  const seed = seedOf(20_261_120);
  const args = [
    '--no-turbo-inline-js-wasm-calls',
    join(root, 'test/verdict', file),
    `${size}`,
    `${seed}`,
    ...more,
  ];
  const { stdout, stderr } = await run(process.execPath, args);
  return { counts: JSON.parse(stdout) as Record<string, number>, found: `seed ${seed}: ${stderr}` };
}

test(`a chain decides as Cedar does by the conjunction of its passports, ${QUESTIONS} questions`, async () => {
  const { counts, found } = await counted('cedar-chains.mjs', QUESTIONS);
  expect(counts, found).toMatchObject({ asked: QUESTIONS, differ: 0 });
  // Both answers are frequent.
  expect(counts['allowed']).toBeGreaterThan(QUESTIONS / 50);
  expect(counts['allowed']).toBeLessThan(QUESTIONS / 2);
}, 600_000);

test(`a local verifier decides as Cedar does, ${BY_VERIFIER} questions`, async () => {
  const { counts, found } = await counted('cedar-chains.mjs', BY_VERIFIER, 'verifier');
  expect(counts, found).toMatchObject({ asked: BY_VERIFIER, differ: 0, byService: 0 });
  expect(counts['allowed']).toBeGreaterThan(BY_VERIFIER / 50);
}, 3_600_000);

test(`every example of a comparison is one for Cedar too, ${PAIRS} pairs`, async () => {
  const { counts, found } = await counted('compare/cedar-examples.mjs', PAIRS);
  expect(counts, found).toMatchObject({ pairs: PAIRS, unseen: 0, differ: 0 });
  expect(Math.min(counts['wider'] ?? 0, counts['narrower'] ?? 0)).toBeGreaterThan(PAIRS / 4);
}, 600_000);
