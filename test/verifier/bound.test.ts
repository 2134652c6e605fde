/** The bound: no verdict that starts more than a second after a change was acknowledged is by the older state. */
import { describe, expect, test } from 'vitest';
import { sized } from '../support/runs.ts';
import { CHANGES, type ChangeKind, type Defect, type Run, runHistory } from './world.ts';

const FIRST = 20_261_126;
const LATE_MS = 1_000;

/** Runs histories up to a number, or to the first one with a late ALLOW. */
async function runsOf(count: number, kinds: readonly ChangeKind[], defect?: Defect): Promise<readonly Run[]> {
  const runs: Run[] = [];
  for (let place = 0; place < count && !runs.some(isLate); place += 1) {
    const kind = kinds[place % kinds.length] as ChangeKind;
    runs.push(await runHistory(FIRST + place, kind, defect));
  }
  return runs;
}

const isLate = ({ lastMs }: Run) => lastMs > LATE_MS;

test('no history of delays, cuts, copies, freezes and sleep has a late ALLOW', {
  timeout: 120_000,
}, async () => {
  const runs = await runsOf(sized(120, 6), CHANGES);
  console.info('latest', Math.max(...runs.map(({ lastMs }) => lastMs)), 'ms after', runs.length, 'changes');
  expect(runs.some(isLate)).toBe(false);
  const decided = runs.reduce((sum, run) => sum + run.decided, 0);
  expect(decided / runs.length).toBeGreaterThan(20);
});

describe('the test notices a verifier', () => {
  test.for<[Defect, number]>([
    ['dated by the arrival', 30],
    ['as_of_ms after the read', 120],
    ['no clock of sleep', 30],
  ])('with: %s', { timeout: 120_000 }, async ([defect, count]) => {
    const runs = await runsOf(count, ['revoke', 'narrow', 'parent'], defect);
    expect(runs.some(isLate)).toBe(true);
  });
});
