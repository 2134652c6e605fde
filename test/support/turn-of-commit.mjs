import { spawnSync } from 'node:child_process';

/** A number of the commit that is checked out, by which a short run chooses; 0 where there is no commit. */
export function turnOfCommit() {
  const { stdout } = spawnSync('git', ['rev-parse', 'HEAD'], { encoding: 'utf8' });
  // The parts of the tests use the first 8 digits.
  return Number.parseInt((stdout ?? '').slice(8, 16), 16) || 0;
}
