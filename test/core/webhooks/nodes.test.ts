import { expect, test } from 'vitest';
import { memoryStorage } from '../../../adapters/storage/memory/index.ts';
import { PASSPORT } from '../../support/api.ts';
import { openService } from '../../support/service.ts';
import { GLOBAL, HOST, issue, openWebhooks } from './stage.ts';

/** Addresses that are not on the public Internet. */
const HOSTILE = [
  ...['127.0.0.1', '127.255.255.254', '0.0.0.0', '0.1.2.3', '10.0.0.1', '10.255.255.255', '100.64.0.1'],
  ...['100.127.255.255', '169.254.169.254', '169.254.0.1', '172.16.0.1', '172.31.255.255', '192.0.0.170'],
  ...['192.0.2.1', '192.88.99.1', '192.168.0.1', '192.168.255.255', '198.18.0.1', '198.19.255.255'],
  ...['198.51.100.1', '203.0.113.1', '224.0.0.1', '239.255.255.255', '240.0.0.1', '255.255.255.255'],
  ...['::', '::1', '::ffff:127.0.0.1', '::ffff:10.0.0.1', '::ffff:169.254.169.254', '64:ff9b::7f00:1'],
  ...[
    '64:ff9b:1::1',
    '100::1',
    '2001::1',
    '2001:db8::1',
    '2002:7f00:1::',
    '3fff::1',
    'fc00::1',
    'fd12:3456::1',
  ],
  ...['fe80::1', 'febf::1', 'fec0::1', 'ff02::1'],
];

test('a name that leads to this machine or its network is never connected to, nor one that does so later', async () => {
  const stage = await openWebhooks();
  const { dns, web, service, actor, create } = stage;
  expect(HOSTILE.length).toBeGreaterThanOrEqual(40);
  const { id } = await create();
  for (const address of HOSTILE) {
    const records = address.includes(':') ? { aaaa: [address] } : { a: [address] };
    dns.set(HOST, records);
    const { delivery } = await service.webhooks.test(id, actor);
    expect([delivery.status, delivery.http_status], address).toEqual(['failed', null]);
    dns.set(HOST, { a: [GLOBAL], ...records, ...(records.a && { a: [GLOBAL, address] }) });
    expect((await service.webhooks.test(id, actor)).delivery.status, `beside ${address}`).toBe('failed');
  }
  expect(web.dialled).toEqual([]);
  // The second look-up would lead elsewhere: DNS rebinding.
  let looks = 0;
  dns.set(HOST, () => ({ a: [looks++ === 0 ? GLOBAL : '127.0.0.1'] }));
  expect((await service.webhooks.test(id, actor)).delivery.status).toBe('delivered');
  expect(web.dialled).toEqual([`${GLOBAL} 443`]);
  expect((await service.webhooks.test(id, actor)).delivery.status).toBe('failed');
  expect(web.dialled).toHaveLength(1);
});

test('a service that is closed cuts off what it sends, and another one sends it when the lease is over', async () => {
  const storage = { ...memoryStorage(), close: async () => {} };
  const stage = await openWebhooks({ storage });
  const { clock, timers, transport, service, arrived, create, received, actor } = stage;
  stage.answer = () => {};
  const { id } = await create();
  await issue(stage);
  await arrived(1);
  let isClosed = false;
  service.close().finally(() => {
    isClosed = true;
  });
  const passed = async () => {
    await timers.pass(1_000);
    return isClosed;
  };
  await expect.poll(passed).toBe(true);
  stage.answer = (_, response) => void response.writeHead(204).end();
  const other = openService({ storage, webhooks: { transport } }, clock);
  await other.timers.pass(20_000);
  expect(received).toHaveLength(1);
  await other.timers.pass(12_000);
  await arrived(2);
  expect(new Set(received.map(({ event }) => event.id)).size).toBe(1);
  const log = async () => (await other.service.webhooks.deliveries(id, {}, actor)).data;
  await expect.poll(log).toMatchObject([{ status: 'delivered', attempt: 1 }]);
});

test('what happens while no node runs is sent by the next one', async () => {
  const storage = { ...memoryStorage(), close: async () => {} };
  const stage = await openWebhooks({ storage });
  const { clock, transport, service, arrived, create, actor } = stage;
  await create();
  await service.close();
  const without = openService({ storage }, clock);
  for (const agent_name of ['one', 'two']) {
    clock.advance(60_000);
    await without.service.passports.create({ ...PASSPORT, agent_name }, actor);
  }
  openService({ storage, webhooks: { transport } }, clock);
  await arrived(2);
});

test('nothing is asked of a storage for webhooks by a service without them', async () => {
  const asked: string[] = [];
  const opened = openService();
  const { storage, timers } = opened;
  const list = storage.list;
  Object.assign(storage, {
    list: (...call: Parameters<typeof list>) => {
      asked.push(call[0]);
      return list(...call);
    },
  });
  await timers.pass(10_000);
  expect(asked.filter((name) => name === 'webhook_deliveries')).toEqual([]);
});
