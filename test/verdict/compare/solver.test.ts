import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { compare } from '../../../src/verdict/compare/index.ts';
import type { Passport } from '../../../src/verdict/index.ts';
import { hasSolver } from '../../support/programs.ts';
import { nightly, seedOf, sized } from '../../support/runs.ts';
import { changed, createDraw, passportOf } from './random-pairs.ts';
import { questionFor } from './solver-question.ts';

const PAIRS = nightly(2_000, sized(30, 1));
/** The seconds that the solver may take for one question, before its answer is `unknown`. */
const PATIENCE = 10;

test.runIf(hasSolver())(
  'Z3 finds an intent exactly where a comparison names one',
  { timeout: 14_400_000 },
  () => {
    const seed = seedOf(20261127);
    const draw = createDraw(seed);
    const answers: Record<string, number> = { sat: 0, unsat: 0, unknown: 0 };
    for (let pair = 0; pair < PAIRS; pair += 1) {
      const before = known(passportOf(draw));
      const after = known(changed(draw, before));
      const { wider, narrower } = compare(before, after);
      for (const [allowing, denying, named] of [
        [after, before, wider],
        [before, after, narrower],
      ] as const) {
        const answer = ask(questionFor(allowing, denying));
        answers[answer] = (answers[answer] ?? 0) + 1;
        if (answer === 'unknown') continue;
        const told = JSON.stringify({ seed, allowing, denying, answer, named }, null, 1);
        expect(named.length > 0 ? 'sat' : 'unsat', told).toBe(answer);
      }
    }
    console.log(`Z3 on ${2 * PAIRS} questions: ${JSON.stringify(answers)}`);
    expect(Object.keys(answers)).toEqual(['sat', 'unsat', 'unknown']);
    expect(answers['unknown']).toBeLessThanOrEqual(Math.max(1, 0.1 * PAIRS));
  },
);

function ask(question: string): string {
  const { stdout } = spawnSync('z3', ['-in', `-T:${PATIENCE}`], { input: question, encoding: 'utf8' });
  const answer = stdout.trim();
  return answer === 'timeout' ? 'unknown' : answer;
}

/** Returns the passport with the fields alone that the formulas know. */
function known(passport: Passport): Passport {
  const { agent_id, allowed_actions, denied_actions, monetary_actions, allowed_targets } = passport;
  const { monetary_limit_per_txn, currency, not_before, expires_at } = passport;
  const lists = { allowed_actions, denied_actions, monetary_actions, allowed_targets };
  const rules = { ...lists, monetary_limit_per_txn, currency, not_before, expires_at };
  return JSON.parse(JSON.stringify({ agent_id, status: 'active', ...rules })) as Passport;
}
