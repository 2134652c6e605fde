import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

/**
 * A server of `bench/<file>` in a process of its own. `ask` sends it a message and gives back the next one
 * that comes; `usage` is the CPU time and the requests of a server so far.
 */
export async function startServer(file, args, { env = {}, execArgv = [] } = {}) {
  const path = fileURLToPath(new URL(`../${file}`, import.meta.url));
  const child = fork(path, args, { env: { ...process.env, BENCH_TASK: '{}', ...env }, execArgv });
  const told = once(child, 'message');
  const ended = once(child, 'exit');
  const [first] = await Promise.race([
    told,
    ended.then(([code]) => Promise.reject(new Error(`${file} ${args} ended with ${code}`))),
  ]);
  const ask = async (message) => {
    const answer = once(child, 'message');
    child.send(message);
    const [given] = await answer;
    return given;
  };
  return {
    ...first,
    pid: child.pid,
    /** The answer of the process to a message. */
    ask,
    usage: () => ask('usage'),
    async stop() {
      child.disconnect();
      await ended;
    },
  };
}
