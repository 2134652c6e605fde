import { expect, test } from 'vitest';
import { readPostgresUrl } from '../../adapters/storage/sql/postgres/hosts.ts';
import { readLibpqOptions } from '../../adapters/storage/sql/postgres/libpq-parameters.ts';

test('a URL of one host is passed on as it is', () => {
  const urls = [
    'postgres://root@127.0.0.1:5432/agents?sslmode=verify-full',
    'postgresql:///agents?host=/var/run/postgresql',
    'postgres://root:p,w@db/agents',
    'postgres://db',
    'postgres://[::1]:5432/agents',
    'socket:/var/run/postgresql?db=agents',
    '/var/run/postgresql agents',
  ];
  for (const url of urls) expect(readPostgresUrl(url)).toEqual([url]);
});

test('a list of hosts becomes a URL for each, with the same user, path and parameters', () => {
  expect(
    readPostgresUrl('postgres://u:p%40w@h1:5433,h2/agents?sslmode=require&application_name=a%20b'),
  ).toEqual([
    'postgres://u:p%40w@h1:5433/agents?sslmode=require&application_name=a%20b',
    'postgres://u:p%40w@h2/agents?sslmode=require&application_name=a%20b',
  ]);
  expect(readPostgresUrl('postgresql://[::1]:5433,[2001:db8::7],db.example.com')).toEqual([
    'postgresql://[::1]:5433',
    'postgresql://[2001:db8::7]',
    'postgresql://db.example.com',
  ]);
});

test('target_session_attrs may ask for a host that takes writes, and is not passed on', () => {
  expect(readPostgresUrl('postgres://h1,h2/a?target_session_attrs=read-write&sslmode=disable')).toEqual([
    'postgres://h1/a?sslmode=disable',
    'postgres://h2/a?sslmode=disable',
  ]);
  expect(readPostgresUrl('postgres://h1/a?target_session_attrs=primary')).toEqual(['postgres://h1/a']);
});

test('the parameters that providers write are read', () => {
  const neon = 'postgres://u:p@h/a?sslmode=require&channel_binding=require&connect_timeout=10';
  expect(readPostgresUrl(neon)).toEqual(['postgres://u:p@h/a?sslmode=require']);
  expect(readLibpqOptions(neon, 60_000)).toEqual({
    mustBind: true,
    config: { enableChannelBinding: true, connectionTimeoutMillis: 10_000 },
  });
  expect(readLibpqOptions(neon, 1_000).config).toEqual({ enableChannelBinding: true });
  const other =
    'postgres://h/a?sslrootcert=system&gssencmode=prefer&keepalives=1&keepalives_idle=30&keepalives_count=3&keepalives_interval=5';
  expect(readPostgresUrl(other)).toEqual(['postgres://h/a?sslmode=verify-full']);
  expect(readLibpqOptions(other, 1_000)).toEqual({
    mustBind: false,
    config: { keepAliveInitialDelayMillis: 30_000 },
  });
  const off = readLibpqOptions('postgres://h/a?keepalives=0&channel_binding=disable', 1_000);
  expect(off).toEqual({ mustBind: false, config: { keepAlive: false } });
});

test.each([
  ['channel_binding=require', 'needs an sslmode'],
  ['channel_binding=require&sslmode=disable', 'needs an sslmode'],
  ['channel_binding=on', 'disable, prefer, require'],
  ['gssencmode=require', 'cannot be kept'],
  ['connect_timeout=soon', 'must be a whole number'],
  ['keepalives=yes', 'must be 0, 1'],
])('%s is refused: it cannot be kept', (query, text) => {
  expect(() => readLibpqOptions(`postgres://h/a?${query}`, 1_000)).toThrow(text);
});

const SECRET = 'hunter2';
const seventeen = Array.from({ length: 17 }, (_, at) => `h${at}`).join(',');

test.each([
  [
    'target_session_attrs=any',
    `postgres://u:${SECRET}@h1,h2/a?target_session_attrs=any`,
    'read-write or primary',
  ],
  ['target_session_attrs=standby', `postgres://u:${SECRET}@h1/a?target_session_attrs=standby`, 'read-write'],
  ['load_balance_hosts', `postgres://u:${SECRET}@h1,h2/a?load_balance_hosts=random`, 'load_balance_hosts'],
  ['a parameter twice', `postgres://u:${SECRET}@h1/a?sslmode=require&sslmode=disable`, 'parameter twice'],
  ['a misspelt parameter', `postgres://u:${SECRET}@h1/a?target_session_attr=primary`, 'target_session_attrs'],
  ['a parameter that is not known', `postgres://u:${SECRET}@h1/a?passfile=x`, 'not known: passfile.'],
  ['a question mark in a password', `postgres://u:a?${SECRET}=b@h1/a`, '%3F'],
  [
    'a missing certificate',
    `postgres://u:${SECRET}@h1/a?sslrootcert=/no/ca.pem`,
    '"/no/ca.pem" of sslrootcert',
  ],
  [
    'the public authorities without the name',
    `postgres://h/a?sslrootcert=system&sslmode=require`,
    'verify-full',
  ],
  ['an empty host', `postgres://u:${SECRET}@h1,,h2/a`, 'empty or malformed'],
  ['an empty host at the end', `postgres://u:${SECRET}@h1,/a`, 'empty or malformed'],
  ['an IPv6 address without brackets', `postgres://u:${SECRET}@h1,2001:db8::7/a`, 'for IPv6'],
  ['a port that is no number', `postgres://u:${SECRET}@h1:x,h2/a`, 'empty or malformed'],
  ['17 hosts', `postgres://u:${SECRET}@${seventeen}/a`, 'at most 16'],
  ['another kind of URL', `mysql://u:${SECRET}@h1/a`, 'postgres://'],
])('%s is refused, without the URL in the message', (_, url, text) => {
  let message = '';
  try {
    readPostgresUrl(url);
  } catch (error) {
    message = String((error as Error).message);
    expect(error).toMatchObject({ code: 'invalid_configuration' });
  }
  expect(message).toContain(text);
  expect(message).not.toContain(SECRET);
});
