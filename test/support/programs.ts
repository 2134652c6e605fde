import { spawnSync } from 'node:child_process';
import { sayMissing } from './missing.ts';

/** Whether curl is there, by which the README and the first start ask. Where it is not, one case says what did not run. */
export function hasCurl(): boolean {
  if (spawnSync('curl', ['--version']).error === undefined) return true;
  sayMissing('There is no curl: no command that names it was run. Install curl.');
  return false;
}

/** Whether Python is there. Where it is not, one case says what did not run. */
export function hasPython(): boolean {
  if (spawnSync('python3', ['--version']).error === undefined) return true;
  sayMissing('There is no python3: no script in another language was run. Install Python.');
  return false;
}

/** Whether the solver Z3 is there. Where it is not, one case says what did not run. */
export function hasSolver(): boolean {
  if (spawnSync('z3', ['--version']).error === undefined) return true;
  sayMissing('There is no z3: no comparison was held against a solver. Install z3.');
  return false;
}
