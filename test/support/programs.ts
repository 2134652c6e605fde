import { spawnSync } from 'node:child_process';
import { sayMissing } from './missing.ts';

/**
 * Says whether curl is installed, which the README and the first start use. If not, one case names the tests that did
 * not run.
 */
export function hasCurl(): boolean {
  if (spawnSync('curl', ['--version']).error === undefined) return true;
  sayMissing('There is no curl: no command that names it was run. Install curl.');
  return false;
}

/** Says whether Python is installed. If not, one case names the tests that did not run. */
export function hasPython(): boolean {
  if (spawnSync('python3', ['--version']).error === undefined) return true;
  sayMissing('There is no python3: no script in another language was run. Install Python.');
  return false;
}

/** Says whether the solver Z3 is installed. If not, one case names the tests that did not run. */
export function hasSolver(): boolean {
  if (spawnSync('z3', ['--version']).error === undefined) return true;
  sayMissing('There is no z3: no comparison was held against a solver. Install z3.');
  return false;
}
