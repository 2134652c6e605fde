/** The requests of a proxy: what its client needs of `fetch`, and nothing that only `fetch` would notice. */
import { expect, onTestFinished, test } from 'vitest';
import { httpFetch as fetch } from '../../adapters/cli/mcp-guard/http-fetch.ts';
import { createIdentityClient } from '../../src/client.ts';
import { listen } from '../support/servers.ts';

test('an answer has its status, its text and the headers that a client reads', async () => {
  const origin = await listen((asked, answer) => {
    let sent = '';
    asked.setEncoding('utf8').on('data', (piece) => {
      sent += piece;
    });
    asked.on('end', () => {
      answer.writeHead(429, { 'content-type': 'application/problem+json', 'retry-after': '7' });
      answer.end(`${asked.method} ${asked.url} ${asked.headers['x-api-key']} ${sent}`);
    });
  });
  const init = { method: 'POST', headers: { 'x-api-key': 'key' }, body: '"grün"' };
  const response = await fetch(`${origin}/verify?at=1`, init);
  expect(response.status).toBe(429);
  expect(response.headers.get('retry-after')).toBe('7');
  expect(response.headers.get('content-type')).toBe('application/problem+json');
  expect(await response.text()).toBe('POST /verify?at=1 key "grün"');
});

test('an answer without a body and a redirect are answers', async () => {
  const origin = await listen((asked, answer) => {
    answer.writeHead(asked.url === '/gone' ? 204 : 302, { location: '/gone' }).end();
  });
  expect([(await fetch(`${origin}/gone`)).status, (await fetch(`${origin}/moved`)).status]).toEqual([
    204, 302,
  ]);
});

test('what breaks, is refused, or is given up rejects with what happened', async () => {
  const origin = await listen((asked, answer) => {
    if (asked.url === '/late') return;
    answer.writeHead(asked.url === '/odd' ? 999 : 200, { 'content-length': '100' });
    if (asked.url === '/odd') answer.end('x'.repeat(100));
    else answer.write('half', () => answer.destroy());
  });
  await expect(fetch(`${origin}/half`)).rejects.toMatchObject({ code: 'ECONNRESET' });
  await expect(fetch(`${origin}/odd`)).rejects.toThrow(RangeError);
  const controller = new AbortController();
  onTestFinished(() => controller.abort());
  setTimeout(() => controller.abort(), 20);
  await expect(fetch(`${origin}/late`, { signal: controller.signal })).rejects.toMatchObject({
    name: 'AbortError',
  });
  await expect(fetch('http://127.0.0.1:1/verify')).rejects.toMatchObject({ code: 'ECONNREFUSED' });
});

test('a client says over it what it says over fetch', async () => {
  const origin = await listen((_asked, answer) => answer.writeHead(302, { location: '/' }).end());
  const client = createIdentityClient({ baseUrl: `${origin}/api`, apiKey: 'key', fetch });
  const intent = { agent_id: 'did:web:example.com:agents:shopper', action: 'search' };
  await expect(client.verify(intent)).rejects.toMatchObject({ code: 'service_unreachable' });
});
