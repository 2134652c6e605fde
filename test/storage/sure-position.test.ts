/** What a node is sure of when its writes wait for replicas: a model with random loss, and mutants that it must find. */
import { readFileSync } from 'node:fs';
import ts from '@typescript/typescript6';
import { describe, expect, test } from 'vitest';
import { createSurePosition } from '../../adapters/storage/redis/sure-position.ts';
import { createRandom } from '../support/random.ts';
import { cases } from '../support/runs.ts';
import { runModel } from './sure-position-model.ts';

const FILE = new URL('../../adapters/storage/redis/sure-position.ts', import.meta.url);
const STEPS = 80;
/** Enough for every mutant, by some margin. */
const RUNS_FOR_MUTANTS = 400;

async function breakIt(create: typeof createSurePosition, runs: number): Promise<string | undefined> {
  for (let seed = 1; seed <= runs; seed += 1) {
    const broken = await runModel(create, { random: createRandom(seed), steps: STEPS });
    if (broken !== undefined) return `${broken} (seed ${seed})`;
  }
  return undefined;
}

test('no acknowledged write is lost unnoticed, no good store is refused, no answer precedes its write', async () => {
  expect(await breakIt(createSurePosition, cases(2_000))).toBeUndefined();
});

describe('the model finds', () => {
  test.each([
    ['a position raised by a read or a message', 'if (replicas === 0) value = ', 'value = '],
    [
      'a WAIT without a write of its own connection',
      'cover(touch, leftMs())',
      'cover(async () => ({ position, hasWritten: true, answer: undefined }), leftMs())',
    ],
    ['one WAIT for two turns', 'turn = undefined;', ''],
    ['an answer before its WAIT', 'const reachedCount = await count;', 'const reachedCount = replicas;'],
    [
      'an answer of an earlier write without confirmation',
      'if (!outcome.hasWritten) await confirm(outcome.position, leftMs);',
      '',
    ],
    [
      'a position raised before its WAIT',
      'const reachedCount = await count;',
      'value = Math.max(value, outcome.position); const reachedCount = await count;',
    ],
  ])('%s', async (_, from, to) => {
    const source = readFileSync(FILE, 'utf8');
    expect(source.split(from)).toHaveLength(2);
    const { outputText } = ts.transpileModule(source.replace(from, to), {
      compilerOptions: { module: ts.ModuleKind.ESNext, target: ts.ScriptTarget.ES2022 },
    });
    const module = (await import(
      /* @vite-ignore */ `data:text/javascript,${encodeURIComponent(outputText)}`
    )) as { createSurePosition: typeof createSurePosition };
    expect(await breakIt(module.createSurePosition, RUNS_FOR_MUTANTS)).toBeDefined();
  });
});

test('one WAIT for all writes of a turn, for what is left of the shortest call less 50 ms, at most 500 ms', async () => {
  const waited: number[] = [];
  let turn: (() => void)[] = [];
  const sure = createSurePosition({
    replicas: 2,
    async wait(ms) {
      waited.push(ms);
      return 2;
    },
    touch: async () => ({ position: 0, hasWritten: true, answer: undefined }),
    atTurnEnd: (act) => turn.push(act),
    connection: () => 1,
  });
  const endTurn = (): void => {
    for (const act of turn.splice(0)) act();
    turn = [];
  };
  const write = (position: number, leftMs: number) =>
    sure.write(
      async () => ({ position, hasWritten: true, answer: position }),
      () => leftMs,
    );
  const all = Promise.all([write(1, 900), write(2, 300), write(3, 1_000)]);
  endTurn();
  expect((await all).map(({ answer }) => answer)).toEqual([1, 2, 3]);
  expect(waited).toEqual([250]);
  expect(sure.value).toBe(3);
  for (const leftMs of [5_000, 20]) {
    const one = write(4, leftMs);
    endTurn();
    await one;
  }
  expect(waited).toEqual([250, 500, 1]);
});
