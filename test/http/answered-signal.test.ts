/** The signal of a request says that its client is gone, not that it was answered. */
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { toApiRequest } from '../../src/http/node-listener.ts';

test.each([
  ['a client that leaves', true],
  ['an answer that was sent whole', false],
])('of %s it aborts: %s', async (_, isLeaving) => {
  const server = createServer();
  onTestFinished(() => {
    server.close();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  socket.write('GET /api/health/live HTTP/1.1\r\nhost: h\r\n\r\n');
  const [request, response] = (await once(server, 'request')) as [never, ServerResponse];
  const stand = { basePath: '/api', proxies: [], hostLogin: undefined } as never;
  const signal = toApiRequest(request, response, stand).signal();
  const closed = once(response, 'close');
  if (isLeaving) socket.destroy();
  else response.end('well');
  await closed;
  socket.destroy();
  expect(signal.aborted).toBe(isLeaving);
});
