import { expect, test } from 'vitest';
import { loadRedis } from '../../adapters/storage/redis/client.ts';
import { redisStorage } from '../../adapters/storage/redis/index.ts';
import { slotOf } from '../../adapters/storage/redis/locate.ts';
import { readRedisUrl } from '../../adapters/storage/redis/url.ts';

test('a URL of one server', () => {
  const plain = { database: 0, tls: false };
  expect(readRedisUrl('redis://cache')).toEqual({ addresses: [{ host: 'cache', port: 6379 }], ...plain });
  expect(readRedisUrl('redis://cache:6380/')).toEqual({
    addresses: [{ host: 'cache', port: 6380 }],
    ...plain,
  });
  expect(readRedisUrl('REDISS://u:p%40w%2C:1@[2001:db8::7]:6380/12')).toEqual({
    addresses: [{ host: '2001:db8::7', port: 6380 }],
    database: 12,
    tls: true,
    username: 'u',
    password: 'p@w,:1',
  });
  expect(readRedisUrl('redis://:secret@cache')).toMatchObject({ password: 'secret' });
  expect(readRedisUrl('redis://:secret@cache')).not.toHaveProperty('username');
});

test('several addresses, with IPv6 in brackets; the port of a Sentinel is another one', () => {
  expect(readRedisUrl('redis://h1:7000,h2,[::1],[::1]:7001').addresses).toEqual([
    { host: 'h1', port: 7000 },
    { host: 'h2', port: 6379 },
    { host: '::1', port: 6379 },
    { host: '::1', port: 7001 },
  ]);
  const { addresses, sentinel } = readRedisUrl('redis://h1,h2:7000/0?sentinel=agents.1_a-b');
  expect(sentinel).toBe('agents.1_a-b');
  expect(addresses).toEqual([
    { host: 'h1', port: 26_379 },
    { host: 'h2', port: 7000 },
  ]);
  const sixteen = Array.from({ length: 16 }, (_, at) => `h${at}`).join(',');
  expect(readRedisUrl(`redis://${sixteen}`).addresses).toHaveLength(16);
});

const SECRET = 'hunter2';
const seventeen = Array.from({ length: 17 }, (_, at) => `h${at}`).join(',');

test.each([
  ['another scheme', `http://u:${SECRET}@h1`, 'redis://'],
  ['no text', 7, 'redis://'],
  ['17 addresses', `redis://u:${SECRET}@${seventeen}`, 'at most 16'],
  ['no address', `redis://u:${SECRET}@`, 'empty or malformed'],
  ['an empty address', `redis://u:${SECRET}@h1,,h2`, 'empty or malformed'],
  ['an empty address at the end', `redis://u:${SECRET}@h1,`, 'empty or malformed'],
  ['IPv6 without brackets', `redis://u:${SECRET}@h1,2001:db8::7`, 'for IPv6'],
  ['brackets around something else', `redis://u:${SECRET}@[1:2]`, 'for IPv6'],
  ['a port that is no number', `redis://u:${SECRET}@h1:x`, 'empty or malformed'],
  ['port 0', `redis://u:${SECRET}@h1:0`, 'empty or malformed'],
  ['port 65536', `redis://u:${SECRET}@h1:65536`, 'empty or malformed'],
  ['a comma in the password', `redis://u:a,${SECRET}@h1`, '%2C or %40'],
  ['an @ in the password', `redis://u:a@${SECRET}@h1`, '%2C or %40'],
  ['a # in the password', `redis://u:a#${SECRET}@h1`, 'cannot be read'],
  ['a password that is encoded wrongly', `redis://u:%zz${SECRET}@h1`, 'cannot be read'],
  ['a database that is no number', `redis://u:${SECRET}@h1/agents`, 'cannot be read'],
  ['another parameter', `redis://u:${SECRET}@h1?prefix=a`, 'sentinel and replicas'],
  ['sentinel twice', `redis://u:${SECRET}@h1?sentinel=a&sentinel=b`, 'parameter twice'],
  ['replicas twice', `redis://u:${SECRET}@h1?replicas=1&replicas=1`, 'parameter twice'],
  ['an empty sentinel', `redis://u:${SECRET}@h1?sentinel=`, '1 to 100'],
  ['a sentinel with a space', `redis://u:${SECRET}@h1?sentinel=a%20b`, '1 to 100'],
  ['a sentinel of 101 characters', `redis://u:${SECRET}@h1?sentinel=${'a'.repeat(101)}`, '1 to 100'],
  ['replicas=6', `redis://u:${SECRET}@h1?replicas=6`, '0 to 5'],
  ['replicas=-1', `redis://u:${SECRET}@h1?replicas=-1`, '0 to 5'],
  ['an empty replicas', `redis://u:${SECRET}@h1?replicas=`, '0 to 5'],
])('%s is refused, without the URL in the message', async (_, url, text) => {
  const error = await redisStorage({ url: url as string }).catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({ code: 'invalid_configuration' });
  const { message } = error as Error;
  expect(message).toContain(text);
  expect(message).not.toContain(SECRET);
});

test('the slot is that of Redis', () => {
  // By CLUSTER KEYSLOT.
  expect(slotOf('123456789')).toBe(12_739);
});

test('the clients of all addresses are of one class, which node-redis would make anew for each', async () => {
  const { createClient } = await loadRedis();
  const classOf = (port: number): unknown =>
    Object.getPrototypeOf(Object.getPrototypeOf(createClient({ socket: { host: '127.0.0.1', port } })));
  expect(classOf(1)).toBe(classOf(2));
  expect(classOf(1)).toHaveProperty('hGetAll');
});
