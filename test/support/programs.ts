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

/** Says whether promtool is installed, which checks rules of Prometheus. If not, one case names the tests that did not run. */
export function hasPromtool(): boolean {
  if (spawnSync('promtool', ['--version']).error === undefined) return true;
  sayMissing('There is no promtool: no alert was checked. Install prometheus.');
  return false;
}

/** Says whether systemd-analyze is installed. If not, one case names the tests that did not run. */
export function hasSystemd(): boolean {
  if (spawnSync('systemd-analyze', ['--version']).error === undefined) return true;
  sayMissing('There is no systemd-analyze: the unit of systemd was not checked. Install systemd.');
  return false;
}
