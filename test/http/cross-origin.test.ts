import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { IdentityError } from '../../src/errors.ts';
import { readTrustedOrigins, refuseCrossOrigin } from '../../src/http/host-login.ts';

const TRUSTED = 'https://console.example';

type Header = readonly [name: string, value: string];

function passes(headers: readonly Header[], method = 'POST', trustedOrigins = [TRUSTED]): boolean {
  try {
    refuseCrossOrigin({ method, rawHeaders: headers.flat() }, readTrustedOrigins({ trustedOrigins }));
    return true;
  } catch (error) {
    expect(error).toMatchObject({ code: 'cross_origin', name: 'IdentityError' });
    return false;
  }
}

interface Site {
  readonly scheme: 'http' | 'https';
  readonly host: string;
  readonly port: number;
}

const DEFAULT_PORTS = { http: 80, https: 443 } as const;
const HOSTS = ['shop.example', 'evil.shop.example', 'console.example', '127.0.0.1', '[::1]', '[2001:db8::1]'];

const aSite: fc.Arbitrary<Site> = fc.record({
  scheme: fc.constantFrom('http', 'https'),
  host: fc.constantFrom(...HOSTS),
  port: fc.constantFrom(80, 443, 3000),
});

const originOf = ({ scheme, host, port }: Site): string =>
  `${scheme}://${host}${port === DEFAULT_PORTS[scheme] ? '' : `:${port}`}`;

/** One that a browser may send, or a program that pretends to be one. */
const anOrigin = fc.oneof(aSite, fc.constantFrom('null', '', 'https://console.example.', '*', TRUSTED));
const aHost = fc.record({ host: fc.constantFrom(...HOSTS), port: fc.constantFrom(undefined, 80, 443, 3000) });
const aFetchSite = fc.constantFrom('same-origin', 'none', 'same-site', 'cross-site', '', 'Same-Origin');

test('a request passes exactly when the first line that applies says so', () => {
  const origins = fc.array(anOrigin, { maxLength: 2 });
  const sites = fc.array(aFetchSite, { maxLength: 2 });
  const methods = fc.constantFrom('GET', 'HEAD', 'POST', 'PATCH', 'DELETE', 'get');
  const property = fc.property(methods, origins, sites, fc.array(aHost, { maxLength: 2 }), (...given) => {
    const [method, asked, fetched, hosts] = given;
    const [origin] = asked;
    const expected = ((): boolean => {
      if (method === 'GET' || method === 'HEAD') return true;
      if (asked.length > 1) return false;
      if (origin === TRUSTED || (typeof origin === 'object' && originOf(origin) === TRUSTED)) return true;
      if (fetched.length > 0) return fetched.length === 1 && /^(same-origin|none)$/.test(fetched[0] ?? '');
      if (origin === undefined) return true;
      if (typeof origin === 'string' || hosts.length === 0) return false;
      return hosts.every(({ host, port = DEFAULT_PORTS[origin.scheme] }) => {
        return host === origin.host && port === origin.port;
      });
    })();
    const headers: Header[] = [
      ...asked.map((one): Header => ['Origin', typeof one === 'string' ? one : originOf(one)]),
      ...fetched.map((site): Header => ['Sec-Fetch-Site', site]),
      ...hosts.map(({ host, port }): Header => ['Host', port === undefined ? host : `${host}:${port}`]),
    ];
    expect(passes(headers, method)).toBe(expected);
  });
  fc.assert(property, { numRuns: 2_000 });
});

describe('without Sec-Fetch-Site, Origin must have the host and port of Host', () => {
  const own: readonly (readonly [origin: string, host: string])[] = [
    ['http://shop.example', 'shop.example'],
    ['https://shop.example', 'shop.example'],
    ['https://shop.example', 'shop.example:443'],
    ['http://shop.example', 'shop.example:80'],
    ['http://shop.example:3000', 'shop.example:3000'],
    ['http://shop.example', 'SHOP.Example'],
    ['http://[::1]:3000', '[::1]:3000'],
    ['https://[2001:db8::1]', '[2001:DB8:0:0::1]:443'],
  ];
  test.each(own)('%s may ask %s', (origin, host) => {
    expect(
      passes([
        ['origin', origin],
        ['host', host],
      ]),
    ).toBe(true);
    // HTTP/2 has no Host.
    expect(
      passes([
        ['origin', origin],
        [':authority', host],
      ]),
    ).toBe(true);
  });

  const foreign: readonly (readonly [origin: string, host: string])[] = [
    ['http://evil.shop.example', 'shop.example'],
    ['http://shop.example:3001', 'shop.example:3000'],
    ['http://shop.example', 'shop.example:3000'],
    ['https://shop.example', 'shop.example:80'],
    ['http://shop.example', 'shop.example:443'],
    ['https://shop.example', '10.0.0.7:8080'],
    ['https://shop.example.evil.example', 'shop.example'],
    ['http://[::1]:3000', '[::2]:3000'],
    ['http://[::1]:3000', '::1:3000'],
    ['null', 'null'],
    ['null', 'shop.example'],
    ['', 'shop.example'],
    ['file://', 'shop.example'],
    ['chrome-extension://shop.example', 'shop.example'],
    ['http://shop.example/', 'shop.example'],
    ['http://user@shop.example', 'shop.example'],
    ['HTTP://shop.example', 'shop.example'],
    ['http://shop.example', 'evil.example@shop.example'],
    ['http://shop.example', 'shop.example/path'],
    ['http://shop.example', 'shop.example#'],
    ['http://shop.example', 'shop.example\\'],
    ['http://shop.example', ''],
  ];
  test.each(foreign)('%s may not ask %s', (origin, host) => {
    expect(
      passes([
        ['origin', origin],
        ['host', host],
      ]),
    ).toBe(false);
    expect(
      passes([
        ['origin', origin],
        [':authority', host],
      ]),
    ).toBe(false);
  });

  test('a missing Host, and two that differ, belong to no origin', () => {
    expect(passes([['origin', 'http://a.example']])).toBe(false);
    const doubled: Header[] = [
      ['host', 'a.example'],
      ['host', 'b.example'],
    ];
    expect(passes([['origin', 'http://a.example'], ...doubled])).toBe(false);
    expect(passes([['origin', 'http://b.example'], ...doubled])).toBe(false);
    expect(
      passes([
        ['origin', 'http://a.example'],
        ['host', 'a.example'],
        [':authority', 'b.example'],
      ]),
    ).toBe(false);
  });

  test('a proxy that replaces Host needs its public origin in trustedOrigins', () => {
    const behindProxy: Header[] = [
      ['origin', 'https://shop.example'],
      ['host', 'app:3000'],
    ];
    expect(passes(behindProxy)).toBe(false);
    expect(passes(behindProxy, 'POST', ['https://shop.example'])).toBe(true);
  });
});

test('a header that came twice is refused, also as Fetch joins it', () => {
  const host: Header = ['host', 'shop.example'];
  const own: Header = ['origin', 'http://shop.example'];
  expect(passes([own, own, host])).toBe(false);
  expect(passes([own, ['ORIGIN', TRUSTED], host])).toBe(false);
  expect(
    passes([
      ['origin', TRUSTED],
      ['origin', TRUSTED],
      ['sec-fetch-site', 'same-origin'],
    ]),
  ).toBe(false);
  expect(
    passes([
      ['origin', `${TRUSTED}, ${TRUSTED}`],
      ['sec-fetch-site', 'same-origin'],
    ]),
  ).toBe(false);
  expect(
    passes([
      ['sec-fetch-site', 'same-origin'],
      ['Sec-Fetch-Site', 'same-origin'],
    ]),
  ).toBe(false);
  expect(passes([['sec-fetch-site', 'same-origin, none'], host])).toBe(false);
});

test('a page without an origin of its own may act where the browser says that it is our page', () => {
  expect(
    passes([
      ['origin', 'null'],
      ['sec-fetch-site', 'same-origin'],
    ]),
  ).toBe(true);
  expect(
    passes([
      ['origin', 'null'],
      ['sec-fetch-site', 'cross-site'],
    ]),
  ).toBe(false);
});

test('a trusted origin is compared exactly', () => {
  for (const near of [`${TRUSTED}:443`, `${TRUSTED}/`, TRUSTED.toUpperCase(), 'http://console.example']) {
    expect([
      near,
      passes([
        ['origin', near],
        ['sec-fetch-site', 'cross-site'],
      ]),
    ]).toEqual([near, false]);
  }
  expect(
    passes([
      ['origin', TRUSTED],
      ['sec-fetch-site', 'cross-site'],
    ]),
  ).toBe(true);
});

test('trustedOrigins takes origins as browsers send them, and nothing else', () => {
  const wrong: readonly unknown[] = [
    ...[
      '*',
      'null',
      '',
      'shop.example',
      'https://shop.example/',
      'https://shop.example:443',
      'https://Shop.example',
    ],
    ...['https://*.shop.example', 'ftp://shop.example', 'https://user@shop.example', 7, null],
  ];
  for (const origin of wrong) {
    const read = () => readTrustedOrigins({ trustedOrigins: [origin as string] });
    expect(read, String(origin)).toThrow(IdentityError);
  }
  expect(() => readTrustedOrigins({ trustedOrigins: ['https://Shop.example/'] })).toThrow(
    /such as https:\/\/shop\.example\.$/,
  );
  expect(() => readTrustedOrigins({ trustedOrigins: TRUSTED as never })).toThrow(/must be a list/);
  expect(readTrustedOrigins({})).toEqual(new Set());
});
