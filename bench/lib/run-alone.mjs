/** Runs a program of `bench/servers` in a separate process. */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { progress } from './part.mjs';

/** Returns the result of the program for its task; `undefined` if the storage of the task is not available. */
export async function runAlone(server, task) {
  const path = fileURLToPath(new URL(`../servers/${server}.mjs`, import.meta.url));
  const child = fork(path, [JSON.stringify(task)], { execArgv: ['--expose-gc'] });
  let found;
  child.on('message', (message) => {
    found = message;
  });
  const [code] = await once(child, 'exit');
  if (found?.absent !== undefined) {
    progress(`Not measured: ${task.engine} is not there (${found.absent}).`);
    return undefined;
  }
  if (code !== 0 || found === undefined) throw new Error(`The run of ${server} ended with ${code}.`);
  return found.found;
}
