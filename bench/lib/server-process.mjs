import { fork } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { fileURLToPath } from 'node:url';

/**
 * Starts a server of `bench/<file>` in its own process. `ask` sends a message and returns the next message of the
 * server. `usage` returns the CPU time and the number of requests so far.
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
    /** Sends a message to the process and returns its answer. */
    ask,
    usage: () => ask('usage'),
    async stop() {
      child.disconnect();
      await ended;
    },
  };
}

/**
 * Listens on a free port of this machine, and reports the port with the API key. Answers every message with the CPU
 * time of the process and the number of requests so far.
 */
export async function serve(server, key) {
  let requests = 0;
  server.prependListener('request', () => {
    requests += 1;
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  process.on('message', () => {
    const { user, system } = process.cpuUsage();
    process.send({ cpuUs: user + system, requests });
  });
  process.on('disconnect', () => process.exit());
  process.send({ port: server.address().port, key });
}

export async function freePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  server.close();
  await once(server, 'close');
  return port;
}

/** Waits until a GET of the address succeeds. */
export async function untilAnswers(url) {
  for (let attempt = 0; attempt < 300; attempt += 1) {
    const isThere = await fetch(url).then(
      ({ ok }) => ok,
      () => false,
    );
    if (isThere) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error(`${url} does not answer.`);
}

/** Linux counts the CPU time of a process in hundredths of a second. */
const TICK_US = 10_000;

/** Returns the CPU microseconds that all threads of a process have used; Linux only. */
export function cpuUsOf(pid) {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) * TICK_US;
}
