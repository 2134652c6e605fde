import { spawnSync } from 'node:child_process';
import { sayMissing } from './missing.ts';

/** Whether curl is there, by which the README and the first start ask. Where it is not, one case says what did not run. */
export function hasCurl(): boolean {
  if (spawnSync('curl', ['--version']).error === undefined) return true;
  sayMissing('There is no curl: no command that names it was run. Install curl.');
  return false;
}
