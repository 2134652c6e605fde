import { expect, test } from 'vitest';
import { identityRouter } from '../../adapters/express/index.ts';
import { clientAddress } from '../../src/http/client-address.ts';
import { fetchHandler, nodeListener } from '../../src/http/index.ts';
import { addressBucket } from '../../src/people/address-bucket.ts';
import { toRequest } from '../support/api.ts';
import { listen, listenExpress } from '../support/servers.ts';
import { openService } from '../support/service.ts';

test.each([
  ['no proxy is trusted', 0, ['1.1.1.1'], '9.9.9.9'],
  ['one proxy, one client', 1, ['1.1.1.1'], '1.1.1.1'],
  ['one proxy, and a client that makes one up', 1, ['6.6.6.6, 1.1.1.1'], '1.1.1.1'],
  ['two proxies', 2, ['6.6.6.6, 1.1.1.1, 2.2.2.2'], '1.1.1.1'],
  ['two headers are one list', 2, ['6.6.6.6, 1.1.1.1', '2.2.2.2'], '1.1.1.1'],
  ['more proxies than entries', 3, ['1.1.1.1'], '1.1.1.1'],
  ['a proxy that adds nothing', 1, [], '9.9.9.9'],
])('the client behind proxies: %s', (_, proxies, forwarded, expected) => {
  const rawHeaders = forwarded.flatMap((value) => ['X-Forwarded-For', value]).concat('Via', '8.8.8.8');
  expect(clientAddress('9.9.9.9', rawHeaders, proxies)).toBe(expected);
});

test.each([
  ['203.0.113.7', '203.0.113.7'],
  ['203.0.113.7:8080', '203.0.113.7'],
  ['203.000.113.007', '203.0.113.7'],
  ['::ffff:203.0.113.7', '203.0.113.7'],
  ['::FFFF:cb00:7107', '203.0.113.7'],
  ['[2001:db8::1]:443', '2001:db8:0:0::/64'],
  ['2001:DB8:0:0:ffff:ffff:ffff:ffff', '2001:db8:0:0::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
  ['::1', '0:0:0:0::/64'],
  ['64:ff9b::203.0.113.7', '64:ff9b:0:0::/64'],
  ...[
    undefined,
    '',
    'localhost',
    '256.1.1.1',
    '1.2.3',
    ':::',
    '1::2::3',
    '1:2:3:4:5:6:7',
    '12345::',
    'g::',
  ].map((address) => [address, 'unknown']),
])('%s counts as %s', (address, bucket) => {
  expect(addressBucket(address)).toBe(bucket);
});

test.each([-1, 1.5, Number.NaN, 33, '1', true])('trustProxy %s is refused', (trustProxy) => {
  const { service } = openService();
  const options = { trustProxy: trustProxy as number };
  const refused = expect.objectContaining({ code: 'invalid_configuration' });
  expect(() => nodeListener(service, options)).toThrow(refused);
  expect(() => identityRouter(service, options)).toThrow(refused);
});

test('every way of mounting gives the service the address of the client', async () => {
  const seen: (string | undefined)[] = [];
  const { service } = openService();
  const watched = {
    ...service,
    login: async (
      credentials: Parameters<typeof service.login>[0],
      client?: { address: string | undefined },
    ) => {
      seen.push(client?.address);
      return service.login(credentials, client);
    },
  };
  const ask = (origin?: string) =>
    toRequest(
      'POST',
      '/auth/login',
      { json: { email: 'a@b.example', password: 'x' }, headers: { 'x-forwarded-for': '6.6.6.6, 1.1.1.1' } },
      origin,
    );
  await fetchHandler(watched)(ask());
  await fetchHandler(watched, { address: () => '5.5.5.5' })(ask());
  await fetch(ask(`${await listen(nodeListener(watched))}/api`));
  await fetch(ask(`${await listen(nodeListener(watched, { trustProxy: 1 }))}/api`));
  await fetch(ask(`${await listenExpress((app) => app.use('/api', identityRouter(watched)))}/api`));
  const proxied = await listenExpress((app) => app.use('/api', identityRouter(watched, { trustProxy: 2 })));
  await fetch(ask(`${proxied}/api`));
  expect(seen).toEqual([undefined, '5.5.5.5', '127.0.0.1', '1.1.1.1', '127.0.0.1', '6.6.6.6']);
});
