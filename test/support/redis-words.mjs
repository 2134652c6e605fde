/** Sends commands to a Redis, each on a separate connection. */
import { setTimeout as pause } from 'node:timers/promises';
import { createClient } from '@keyv/redis';

const ANSWER_MS = 2_000;
const WAIT_MS = 30_000;

/** The answer of the Redis on a port of 127.0.0.1 to a command. */
export async function tellRedis(port, words) {
  const client = createClient({
    socket: { host: '127.0.0.1', port, connectTimeout: ANSWER_MS, reconnectStrategy: false },
    disableClientInfo: true,
  });
  client.on('error', () => {});
  const timer = setTimeout(() => client.isReady && client.destroy(), ANSWER_MS);
  try {
    await client.connect();
    return await client.sendCommand(words);
  } finally {
    clearTimeout(timer);
    if (client.isReady) client.destroy();
  }
}

/** Waits until it holds; a question that fails does not. */
export async function waitFor(what, holds) {
  for (const end = performance.now() + WAIT_MS; !(await holds().catch(() => false)); await pause(50)) {
    if (performance.now() > end) throw new Error(`It did not come to pass in time: ${what}.`);
  }
}
