/** The whole matrix of faults, each row under the load of three nodes, three times: about forty minutes. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, test } from 'vitest';

const RUN = new URL('../faults/run.mjs', import.meta.url).pathname;
const LONGEST_MS = 3_600_000;

test.each([1, 2, 3])('every row of the fault matrix holds, time %i', { timeout: LONGEST_MS }, async () => {
  const matrix = spawn(process.execPath, [RUN, '--three'], { stdio: ['ignore', 'inherit', 'inherit'] });
  const [code] = await once(matrix, 'exit');
  expect(code).toBe(0);
});
