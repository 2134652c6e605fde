import type { RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { createAdminClient, createIdentityClient } from '../../src/client.ts';
import { listen } from '../support/servers.ts';

const KEY = 'ais_live_0000000000000000000000000000000000000000000abcdef';
const PASSWORD = 'Ein-Geheimes-Kennwort-9';

/** What both clients say of an address; it holds no secret, and neither does its cause. */
async function saidOf(baseUrl: string): Promise<string> {
  const client = createIdentityClient({ baseUrl, apiKey: KEY });
  const admin = createAdminClient({ baseUrl, email: 'ada@example.com', password: PASSWORD });
  const calls = [client.verify({ agent_id: 'did:web:example.com:agents:a', action: 'x' }), admin.account()];
  const errors = (await Promise.allSettled(calls)).map((outcome) =>
    outcome.status === 'rejected' ? outcome.reason : expect.fail('It was answered.'),
  );
  for (const error of errors) {
    expect(error).toMatchObject({ code: 'service_unreachable', message: errors[0]?.message });
    for (const secret of [KEY, PASSWORD]) expect(allOf(error)).not.toContain(secret);
  }
  return errors[0].message;
}

function allOf(error: unknown): string {
  if (!(error instanceof Error)) return JSON.stringify(error) ?? '';
  return `${error.stack} ${JSON.stringify(error)} ${allOf(error.cause)}`;
}

const page: (status: number) => RequestListener = (status) => (_request, response) => {
  response.writeHead(status, { 'content-type': 'text/html; charset=utf-8' }).end('<h1>Welcome</h1>');
};

/** A server that sends the text to each who says something. */
async function listenRaw(text: string): Promise<number> {
  const server = createServer((socket) => {
    socket.on('error', () => {}).once('data', () => socket.end(text));
  }).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  onTestFinished(() => {
    server.close();
  });
  return (server.address() as AddressInfo).port;
}

test('a host that does not exist', async () => {
  expect(await saidOf('https://no-such-host.invalid/api')).toMatch(
    /^No answer from https:\/\/no-such-host\.invalid\/api: the name of the host was not found \((ENOTFOUND|EAI_AGAIN)\)\.$/,
  );
});

test('https where there is none', async () => {
  const port = await listenRaw('HTTP/1.1 400 Bad Request\r\ncontent-length: 0\r\n\r\n');
  expect(await saidOf(`https://127.0.0.1:${port}/api`)).toMatch(/: TLS failed \(\w+\)\.$/);
});

test('what is no HTTP', async () => {
  const port = await listenRaw('SSH-2.0-OpenSSH_9.2\r\n');
  expect(await saidOf(`http://127.0.0.1:${port}/api`)).toMatch(
    /: the server there does not speak HTTP \(HPE_\w+\)\.$/,
  );
});

test.each([200, 404, 500, 503])('a page of HTML (%i), with the address that may be meant', async (status) => {
  const origin = await listen(page(status));
  expect(await saidOf(`${origin}/`)).toBe(
    `The server at ${origin} is not the API of the service (${status}, text/html). Is /api missing? It may be at ${origin}/api.`,
  );
  expect(await saidOf(`${origin}/api/`)).toBe(
    `The server at ${origin}/api is not the API of the service (${status}, text/html).`,
  );
});

test('a redirect, wherever it leads', async () => {
  const origin = await listen((_request, response) => {
    response.writeHead(308, { location: 'https://user:hunter2@elsewhere.example/api' }).end();
  });
  expect(await saidOf(`${origin}/api`)).toBe(
    `No answer from ${origin}/api: it redirects to another address; make that one the baseUrl.`,
  );
});

test.each(['http://h/api?key=hunter2', 'http://h/api#hunter2', 'http://ada:hunter2@h/api'])(
  'a base URL that holds more than an address is refused, unshown: %s',
  (baseUrl) => {
    for (const open of [
      () => createIdentityClient({ baseUrl, apiKey: KEY }),
      () => createAdminClient({ baseUrl, accessToken: 'token' }),
    ]) {
      const error = caught(open);
      expect(error).toMatchObject({ code: 'invalid_configuration' });
      expect(allOf(error)).not.toContain('hunter2');
    }
  },
);

test.each([0, -1, Number.NaN, 2 ** 31, '5' as unknown as number])(
  'a timeout of %s is refused',
  (timeoutMs) => {
    expect(
      caught(() => createIdentityClient({ baseUrl: 'http://h/api', apiKey: KEY, timeoutMs })),
    ).toMatchObject({
      code: 'invalid_configuration',
    });
  },
);

function caught(call: () => unknown): unknown {
  try {
    return expect.fail(`It was taken: ${call()}`);
  } catch (error) {
    return error;
  }
}
