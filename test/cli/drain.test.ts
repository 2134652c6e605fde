import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { trackConnections } from '../../adapters/cli/serve/connections.ts';
import { drainable } from '../../adapters/cli/serve/http-server.ts';

const GRACE_MS = 8_000;
const GET = 'GET / HTTP/1.1\r\nhost: x\r\n\r\n';

interface Opened {
  readonly server: Server;
  readonly drain: (graceMs: number) => Promise<void>;
  /** A new connection, and all that came over it by the time it is closed. */
  readonly dial: () => Promise<{ readonly socket: Socket; readonly received: Promise<string> }>;
}

async function open(listener: RequestListener): Promise<Opened> {
  const server = createServer({ keepAliveTimeout: 60_000 }, listener);
  const drain = drainable(server, trackConnections(server));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => server.closeAllConnections());
  const { port } = server.address() as AddressInfo;
  return {
    server,
    drain,
    async dial() {
      const accepted = once(server, 'connection');
      const socket = connect(port, '127.0.0.1');
      let text = '';
      socket.on('data', (chunk) => {
        text += chunk.toString('latin1');
      });
      const received = once(socket, 'close').then(() => text);
      await Promise.all([once(socket, 'connect'), accepted]);
      return { socket, received };
    },
  };
}

test('without a connection it is over at once', async () => {
  const { drain } = await open((_, response) => response.end());
  const started = performance.now();
  await drain(GRACE_MS);
  expect(performance.now() - started).toBeLessThan(GRACE_MS / 2);
});

test('what comes over an idle connection is answered, and the connection closed', async () => {
  const { drain, dial } = await open((_, response) => response.end('here'));
  const [used, fresh] = await Promise.all([dial(), dial()]);
  used.socket.write(GET);
  await once(used.socket, 'data');
  const drained = drain(GRACE_MS);
  await sleep(300);
  for (const { socket } of [used, fresh]) socket.write(GET);
  await drained;
  expect(await used.received).toMatch(/^(HTTP\/1\.1 200 OK[\s\S]*here){2}$/);
  expect((await used.received).match(/connection: close/gi)).toHaveLength(1);
  expect(await fresh.received).toMatch(/connection: close[\s\S]*here$/i);
});

test('what runs is answered with `Connection: close`', async () => {
  let answer = (): void => {};
  const { server, drain, dial } = await open((_, response) => {
    answer = () => response.end('late');
  });
  const { socket, received } = await dial();
  socket.write(GET);
  await once(server, 'request');
  const drained = drain(GRACE_MS);
  await sleep(1_500);
  answer();
  await drained;
  expect(await received).toMatch(/connection: close[\s\S]*late$/i);
});

test('of requests that were sent one upon the other each is answered', async () => {
  const answers: (() => void)[] = [];
  const { drain, dial } = await open((_, response) => {
    answers.push(() => response.end(`answer ${answers.length}`));
  });
  const { socket, received } = await dial();
  socket.write(GET + GET);
  while (answers.length < 2) await sleep(5);
  const drained = drain(GRACE_MS);
  socket.write(GET);
  while (answers.length < 3) await sleep(5);
  for (const answer of answers) answer();
  await drained;
  expect((await received).match(/answer/g)).toHaveLength(3);
  expect((await received).match(/connection: close/gi)).toHaveLength(1);
});

test('an answer that is slowly read comes whole', async () => {
  const size = 32 * 1024 * 1024;
  const { server, drain, dial } = await open((_, response) => response.end(Buffer.alloc(size, 'x')));
  const { socket } = await dial();
  socket.removeAllListeners('data').pause();
  let length = 0;
  const closed = once(socket, 'close');
  socket.write(GET);
  await once(server, 'request');
  const drained = drain(GRACE_MS);
  await sleep(1_500);
  socket.on('data', (chunk: Buffer) => {
    length += chunk.length;
  });
  socket.resume();
  await Promise.all([drained, closed]);
  expect(length).toBeGreaterThan(size);
});

test('a request whose head comes in pieces is answered', async () => {
  const { drain, dial } = await open((_, response) => response.end('here'));
  const { socket, received } = await dial();
  const drained = drain(GRACE_MS);
  socket.write(GET.slice(0, 10));
  await sleep(1_500);
  socket.write(GET.slice(10));
  await drained;
  expect(await received).toMatch(/connection: close[\s\S]*here$/i);
});

test('a connection that stays quiet is closed after a second', async () => {
  const { drain, dial } = await open((_, response) => response.end('here'));
  const { socket } = await dial();
  socket.write(GET);
  await once(socket, 'data');
  const started = performance.now();
  await drain(GRACE_MS);
  expect(performance.now() - started).toBeGreaterThan(900);
  expect(performance.now() - started).toBeLessThan(GRACE_MS / 2);
});

test('what never ends is cut off when the time is over', async () => {
  const { server, drain, dial } = await open(() => {});
  const { socket } = await dial();
  socket.write(GET);
  await once(server, 'request');
  const started = performance.now();
  await drain(300);
  expect(performance.now() - started).toBeLessThan(GRACE_MS / 2);
});
