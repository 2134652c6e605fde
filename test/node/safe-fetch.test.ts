import type { RequestListener } from 'node:http';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { createSafeFetch, isGlobalAddress, type SafeRequest } from '../../adapters/node/index.ts';
import { openTlsServer } from '../support/tls-server.ts';

const GLOBAL = '93.184.216.34';

async function open(listener: RequestListener, addresses: readonly string[] = [GLOBAL]) {
  const server = await openTlsServer(['shop.example'], listener);
  const asked: string[] = [];
  const { ca, dial } = server;
  const fetch = createSafeFetch({
    ...{ ca, dial },
    resolve: async (host) => {
      asked.push(host);
      return addresses;
    },
  });
  return { ...server, fetch, asked };
}

/** Addresses that are not on the Internet, however they are spelled. */
const HOSTILE = [
  ...[
    '127.0.0.1',
    '127.1',
    '2130706433',
    '0x7f000001',
    '0x7f.1',
    '017700000001',
    '127.0.0.1.',
    '0.0.0.0',
    '0',
  ],
  ...['10.0.0.1', '10.255.255.255', '172.16.0.1', '172.31.255.255', '192.168.0.1', '192.168.255.255'],
  ...['100.64.0.1', '100.127.255.255', '169.254.169.254', '169.254.0.1', '0xa9fea9fe', '2852039166'],
  ...['192.0.0.170', '192.0.2.1', '198.18.0.1', '198.51.100.1', '203.0.113.1', '192.88.99.1'],
  ...['224.0.0.1', '239.255.255.255', '240.0.0.1', '255.255.255.255'],
  ...['[::1]', '[::]', '[::ffff:127.0.0.1]', '[::ffff:10.0.0.1]', '[::ffff:a9fe:a9fe]', '[::127.0.0.1]'],
  ...[
    '[64:ff9b::7f00:1]',
    '[64:ff9b::a9fe:a9fe]',
    '[64:ff9b:1::1]',
    '[2002:7f00:1::]',
    '[2001::1]',
    '[2001:db8::1]',
  ],
  ...[
    '[fe80::1]',
    '[febf::1]',
    '[fc00::1]',
    '[fd12:3456::1]',
    '[fec0::1]',
    '[ff02::1]',
    '[3fff::1]',
    '[100::1]',
  ],
];

test('an address that is not on the Internet is refused in each of its spellings: no connection', async () => {
  const { fetch, dialled } = await open(() => expect.fail('It was connected to.'));
  expect(HOSTILE.length).toBeGreaterThanOrEqual(40);
  for (const host of HOSTILE) {
    await expect(fetch(`https://${host}/`), host).rejects.toMatchObject({ name: 'SafeFetchError' });
  }
  expect(dialled).toEqual([]);
});

test('a name is refused with one such address, also beside a good one: no connection', async () => {
  const addresses = [GLOBAL, ''];
  const { fetch, dialled } = await open(() => expect.fail('It was connected to.'), addresses);
  for (const host of HOSTILE) {
    const address = new URL(`https://${host}`).hostname.replace(/^\[|\]$/g, '');
    for (const both of [
      [GLOBAL, address],
      [address, GLOBAL],
      [address, address],
    ]) {
      addresses.splice(0, 2, ...both);
      await expect(fetch('https://shop.example/'), address).rejects.toThrow(/not on the public Internet/);
    }
  }
  expect(dialled).toEqual([]);
});

test('global addresses are taken, of both families', () => {
  const taken = [
    GLOBAL,
    '1.1.1.1',
    '8.8.8.8',
    '172.15.0.1',
    '172.32.0.1',
    '100.63.0.1',
    '100.128.0.1',
    '223.255.255.1',
  ];
  for (const address of [...taken, '2606:4700:4700::1111', '2a00:1450::1', '2001:4860:4860::8888'])
    expect(isGlobalAddress(address), address).toBe(true);
  for (const text of ['', 'shop.example', '1.1.1', '2606:4700::1%eth0', 'fe80::1%1']) {
    expect(isGlobalAddress(text), text).toBe(false);
  }
});

test.each([
  'http://shop.example/',
  'ftp://shop.example/',
  'file:///etc/passwd',
  'https://user@shop.example/',
  'https://user:word@shop.example/',
  'https://shop.example:80/',
  'https://shop.example:22/',
  'https://shop.example:8443/',
  'https://',
  '//shop.example/',
  'shop.example',
])('%s is refused before the host is looked up', async (url) => {
  const { fetch, asked, dialled } = await open(() => expect.fail('It was connected to.'));
  await expect(fetch(url)).rejects.toMatchObject({ name: 'SafeFetchError' });
  expect([asked, dialled]).toEqual([[], []]);
});

describe('what is sent and what comes back', () => {
  test('the name is looked up once, and the address that was checked is connected to', async () => {
    let looked = 0;
    const server = await openTlsServer(['shop.example'], (_request, response) => void response.end('here'));
    // The second look-up would lead elsewhere: DNS rebinding.
    const fetch = createSafeFetch({
      ...{ ca: server.ca, dial: server.dial },
      resolve: async () => (looked++ === 0 ? [GLOBAL] : ['127.0.0.1']),
    });
    expect(await (await fetch('https://shop.example/x?y=1')).text()).toBe('here');
    expect([looked, server.dialled]).toEqual([1, [`${GLOBAL} 443`]]);
    await expect(fetch('https://shop.example/')).rejects.toThrow(/not on the public Internet/);
    expect(server.dialled).toHaveLength(1);
  });

  test('no redirect is followed, no cookie is kept, and no proxy is used', async () => {
    const seen: unknown[] = [];
    const { fetch, dialled } = await open((request, response) => {
      seen.push([request.method, request.url, request.headers]);
      response.writeHead(302, { location: 'https://127.0.0.1/', 'set-cookie': 'a=b' }).end('moved');
    });
    process.env['HTTPS_PROXY'] = 'http://127.0.0.1:9';
    const answer = await fetch('https://shop.example/x', { headers: { accept: 'text/plain' } }).finally(
      () => {
        delete process.env['HTTPS_PROXY'];
      },
    );
    expect([answer.status, answer.headers.get('set-cookie'), await answer.text()]).toEqual([
      302,
      null,
      'moved',
    ]);
    const headers = { host: 'shop.example', accept: 'text/plain', connection: 'close' };
    expect(seen).toEqual([['GET', '/x', headers]]);
    expect(dialled).toHaveLength(1);
  });

  test('a body is sent, to a high port where that is allowed', async () => {
    const { fetch, dialled } = await open(async (request, response) => {
      let body = '';
      for await (const chunk of request) body += chunk;
      response.end(`${request.method} ${body}`);
    });
    const asked: SafeRequest = { method: 'POST', body: '{}', highPorts: true };
    expect(await (await fetch('https://shop.example:8443/', asked)).text()).toBe('POST {}');
    expect(dialled).toEqual([`${GLOBAL} 8443`]);
    await expect(fetch('https://shop.example:1023/', asked)).rejects.toThrow(/port 1023/);
  });

  test('an answer that is too long, too slow, broken, or of another host is refused', async () => {
    const long = await open((_request, response) => void response.end('x'.repeat(5_000)));
    await expect(long.fetch('https://shop.example/', { maxBytes: 4_096 })).rejects.toThrow(
      /longer than 4096/,
    );
    const slow = await open(() => undefined);
    await expect(slow.fetch('https://shop.example/', { timeoutMs: 200 })).rejects.toThrow(/within 200 ms/);
    const broken = await open((request) => void request.socket.destroy());
    await expect(broken.fetch('https://shop.example/')).rejects.toThrow(/cannot be reached/);
    const other = await open((_request, response) => void response.end('here'));
    await expect(other.fetch('https://other.example/')).rejects.toThrow(/ERR_TLS_CERT_ALTNAME_INVALID/);
    const { dial } = await openTlsServer(['shop.example'], (_r, response) => void response.end());
    const fetch = createSafeFetch({ dial, resolve: async () => [GLOBAL] });
    await expect(fetch('https://shop.example/')).rejects.toThrow(/cannot be reached/);
    const nowhere = await open(() => undefined, []);
    await expect(nowhere.fetch('https://shop.example/?token=word')).rejects.toThrow(
      /^The host shop\.example has no address\. Check its name\.$/,
    );
  });

  test('a certificate that is not valid is refused, whatever the environment says of that', async () => {
    onTestFinished(() => void vi.unstubAllEnvs());
    vi.stubEnv('NODE_TLS_REJECT_UNAUTHORIZED', '0');
    const { dial } = await openTlsServer(['shop.example'], (_r, response) => void response.end('here'));
    const fetch = createSafeFetch({ dial, resolve: async () => [GLOBAL] });
    await expect(fetch('https://shop.example/')).rejects.toThrow(/cannot be reached/);
  });

  test('a name server that does not answer, and a caller that gives up, end it', async () => {
    const never = createSafeFetch({ resolve: () => new Promise(() => undefined) });
    await expect(never('https://shop.example/', { timeoutMs: 100 })).rejects.toThrow(/within 100 ms/);
    const gone = new AbortController();
    const waiting = never('https://shop.example/', { signal: gone.signal });
    gone.abort();
    await expect(waiting).rejects.toMatchObject({ name: 'AbortError' });
  });
});
