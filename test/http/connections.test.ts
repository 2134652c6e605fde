/** How long the server of the command keeps connections. */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { CONNECTION_TIMES, type ConnectionTimes, listen } from '../../adapters/cli/serve/http-server.ts';

/** Opens a server whose answers take `answerMs`, and a connection to it. */
async function openConnection(times: Partial<ConnectionTimes>, answersAfterMs: number) {
  const server = await listen('127.0.0.1', 0, times);
  server.use(async (_request, response) => {
    await sleep(answersAfterMs);
    response.end('done');
  });
  const socket: Socket = connect(server.port, '127.0.0.1');
  await once(socket, 'connect');
  onTestFinished(async () => {
    socket.destroy();
    await server.stop(0);
  });
  let text = '';
  socket.setEncoding('utf8').on('data', (piece: string) => {
    text += piece;
  });
  socket.on('error', () => undefined);
  const closed = once(socket, 'close').then(() => 'closed');
  return {
    closed,
    text: () => text,
    ask: () => socket.write('GET / HTTP/1.1\r\nhost: h\r\n\r\n'),
  };
}

test('the defaults keep an idle connection longer than AWS ALB, nginx and Caddy do', () => {
  const balancersMs = { alb: 60_000, nginx: 60_000, caddy: 120_000 };
  expect(CONNECTION_TIMES.idleMs).toBeGreaterThan(Math.max(...Object.values(balancersMs)));
});

test('an answer that takes longer than a client may be silent is not cut', async () => {
  const { ask, text } = await openConnection({ silentMs: 30 }, 200);
  ask();
  await expect.poll(text).toMatch(/^HTTP\/1.1 200 OK[\s\S]*done/);
});

test('a request that waits longer than its answer may take is closed', async () => {
  const { ask, text, closed } = await openConnection({ silentMs: 20, answerMs: 60 }, 10_000);
  ask();
  expect(await closed).toBe('closed');
  expect(text()).toBe('');
});

test('an idle connection takes a further request until its time is over', async () => {
  const { ask, text, closed } = await openConnection({ idleMs: 300, silentMs: 30 }, 0);
  ask();
  await expect.poll(text).toContain('done');
  await sleep(100);
  ask();
  await expect.poll(() => text().split('done').length).toBe(3);
  expect(await closed).toBe('closed');
});
