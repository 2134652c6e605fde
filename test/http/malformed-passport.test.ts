import { expect, test } from 'vitest';
import { PASSPORT } from '../support/api.ts';
import { openStage } from '../support/malformed.ts';

const label63 = 'a'.repeat(63);
const longHost = `${label63}.${label63}.${label63}.${'a'.repeat(57)}.example`;
const actions = (count: number) => Array.from({ length: count }, (_, index) => `a.${index}`);
const targets = (count: number) => Array.from({ length: count }, (_, index) => `did:web:h${index}.example`);
const names = (count: number) => Object.fromEntries(actions(count).map((name) => [name, 'v']));

/** Field, value, and the paths that are named; by default the field itself. */
type Row = [field: string, value: unknown, paths?: string[]];

const domains: Row[] = [
  ...[
    '',
    ' example.com',
    'example.com ',
    'Example.com',
    'EXAMPLE.COM',
    'example',
    'localhost',
    'example.com.',
  ],
  ...['.example.com', 'a..example', '-a.example', 'a-.example', 'a_b.example', 'exämple.com', 'пример.рф'],
  ...[
    'example.1com',
    '127.0.0.1',
    '[::1]',
    '1.2.3.4',
    `${'a'.repeat(64)}.example`,
    longHost,
    'a.b\u0301.example',
  ],
  ...['example.com:8080', 'example.com%3a8080', 'example.com%3A', 'example.com%3A0', 'example.com%3A01'],
  ...[
    'example.com%3A443',
    'example.com%3A65536',
    'example.com%3A80a',
    'example.com%3A80%3A81',
    'a.example/b',
  ],
  ...['example.com%2F', 'user@example.com', 'https://example.com', '*.example.com', 'xn--.example'],
  ...['xn--abc-.example', 'xn--MGB.example', 'xn--99999999999.example', 'localhost%3A3000', 'ｅxample.com'],
].map((value) => ['domain', value]);

const limits: Row[] = [
  ...[
    -1,
    -0.01,
    1e15 + 1,
    1e16,
    0.0000001,
    1.0000001,
    null,
    true,
    [],
    {},
    [1],
    '',
    ' 1',
    '1 ',
    '+1',
    '-1',
    '-0',
  ],
  ...['01', '1.', '.5', '1e2', '0x10', '1,5', '１', 'NaN', 'Infinity', '1000000000000000.000001'],
  ...['1000000000000001', '0.0000001', '1.1234567', '99999999999999999999', '1_000'],
].map((value) => ['monetary_limit_per_txn', value]);

const entries: Row[] = ['allowed_actions', 'denied_actions', 'monetary_actions'].flatMap((field): Row[] => [
  [field, 'payments.create'],
  [field, {}],
  [field, [1], [`/${field}/0`]],
  [field, ['a', null], [`/${field}/1`]],
  [field, ['a', 'b', 'a']],
  [field, actions(257)],
  ...[
    ...[
      '',
      ' a',
      'a ',
      'a b',
      '.a',
      '-a',
      'a*',
      'a*b',
      '**',
      '*.a',
      '.*',
      ':*',
      'a.**',
      'a/*',
      'a-*',
      'ä',
      'a\n',
    ],
    ...['a'.repeat(129), `${'a'.repeat(127)}.*`, 'a,b', 'a?', 'a.*.b', 'a\u0007', '*:*', 'a\u200b'],
  ].map((entry): Row => [field, ['ok', entry], [`/${field}/1`]]),
]);

const others: Row[] = [
  ['allowed_actions', null],
  ...[
    '',
    ' ',
    'Shopper',
    '.shopper',
    '-a',
    '_a',
    'a.',
    'a b',
    'a/b',
    'a:b',
    'ä',
    'a%',
    'a'.repeat(64),
    1,
    null,
  ].map((value): Row => ['agent_name', value]),
  ...[1, null, [], {}, `did:web:${longHost}`, 'a'.repeat(513)].map((value): Row => ['domain', value]),
  ...['', 'eur', 'Eur', 'EURO', 'EU', 'ZZZ', ' EUR', 'HRK', 978, null, []].map(
    (value): Row => ['currency', value],
  ),
  ...['a', {}, targets(257), ['did:web:a.example', 'did:web:a.example'], null].map(
    (value): Row => ['allowed_targets', value],
  ),
  ...[
    ...[
      '',
      '*',
      'example.com',
      'did:',
      'did:web',
      'did:web:',
      'DID:web:a.example',
      'did:WEB:a.example',
      'did:web:a b',
    ],
    ...[
      'did:web:a:',
      'did:web:*',
      'did:web:*.',
      'did:web:*.com',
      'did:web:*.Example.com',
      'did:web:*.a.example:x',
    ],
    ...[
      'did:web:*.a.example%3A80',
      'did:web:a.*.example',
      'did:key:*',
      'did:web:%zz',
      'did:web:%4',
      'did:web:ä.de',
      7,
    ],
    ...[`did:web:${'a'.repeat(600)}`],
  ].map((entry): Row => ['allowed_targets', ['did:web:ok.example', entry], ['/allowed_targets/1']]),
  ...['not_before', 'expires_at'].flatMap((field) =>
    [
      ...[
        '',
        'tomorrow',
        '2027-01-01',
        '2027-01-01T00:00:00',
        '2027-01-01 00:00:00Z',
        '2027-13-01T00:00:00Z',
      ],
      ...[
        '2027-02-30T00:00:00Z',
        '2027-01-01T24:00:00Z',
        '2027-01-01T00:00:60Z',
        '2027-01-01T00:00:00+24:00',
      ],
      ...[
        '2027-01-01T00:00:00+0100',
        '20270101T000000Z',
        '2027-01-01T00:00:00.Z',
        ' 2027-01-01T00:00:00Z',
        0,
        null,
      ],
      ...[
        '0000-01-01T00:00:00+01:00',
        '9999-12-31T23:59:59-01:00',
        '2027-01-01T00:00Z',
        '+02027-01-01T00:00:00Z',
      ],
    ].map((value): Row => [field, value]),
  ),
  ...['a'.repeat(501), '😀'.repeat(251), 1, null, {}].map((value): Row => ['description', value]),
  ...[[], 'a', null, names(21)].map((value): Row => ['metadata', value]),
  ['metadata', { a: 1 }, ['/metadata/a']],
  ['metadata', { a: null }, ['/metadata/a']],
  ['metadata', { a: { b: 'c' } }, ['/metadata/a']],
  ['metadata', { 'a/b~c': 1 }, ['/metadata/a~1b~0c']],
  ['metadata', { ok: 'v', a: 'v'.repeat(501) }, ['/metadata/a']],
];

const unknown: Row[] = [
  ...[
    'holder',
    'account_id',
    'id',
    'agent_id',
    'status',
    'version',
    'plan',
    'created_at',
    'updated_at',
    'revoked_at',
  ],
  ...[
    'suspended_until',
    'suspended_by',
    'revoked_by',
    'revocation_reason',
    'Domain',
    'constructor',
    'toString',
    '',
  ],
].map((field) => [field, 'x']);

const rows = [...domains, ...limits, ...entries, ...others, ...unknown];

test.each(rows)('a passport with %s %j is refused, and nothing is stored', async (field, value, paths) => {
  const { token, refused } = await openStage();
  const named = await refused(
    'POST',
    '/passports',
    { token, json: { ...PASSPORT, [field]: value } },
    400,
    'invalid_request',
  );
  expect([...new Set(named)]).toEqual(paths ?? [`/${field}`]);
});

test.each(['domain', 'agent_name', 'allowed_actions', 'monetary_limit_per_txn'])(
  'a passport without %s is refused',
  async (field) => {
    const { token, refused } = await openStage();
    const json = { ...PASSPORT, [field]: undefined };
    expect(await refused('POST', '/passports', { token, json }, 400, 'invalid_request')).toEqual([
      `/${field}`,
    ]);
  },
);

test.each([
  [{ currency: 'JPY', monetary_limit_per_txn: '1.5' }, '/monetary_limit_per_txn'],
  [{ currency: 'EUR', monetary_limit_per_txn: 1.001 }, '/monetary_limit_per_txn'],
  [{ currency: 'KWD', monetary_limit_per_txn: '1.0001' }, '/monetary_limit_per_txn'],
  [{ not_before: '2027-01-01T00:00:00Z', expires_at: '2027-01-01T00:00:00Z' }, '/expires_at'],
  [{ not_before: '2027-01-01T00:00:01Z', expires_at: '2027-01-01T01:00:00+01:00' }, '/expires_at'],
])('a passport with %j names %s', async (fields, path) => {
  const { token, refused } = await openStage();
  const json = { ...PASSPORT, ...fields };
  expect(await refused('POST', '/passports', { token, json }, 400, 'invalid_request')).toEqual([path]);
});

test('every bad field is named at once, at most twenty of them', async () => {
  const { token, refused } = await openStage();
  const json = { ...PASSPORT, domain: 'X', agent_name: 'X', currency: 'x', monetary_limit_per_txn: '-1' };
  expect(await refused('POST', '/passports', { token, json }, 400, 'invalid_request')).toEqual([
    '/domain',
    '/agent_name',
    '/currency',
    '/monetary_limit_per_txn',
  ]);
  const many = { ...PASSPORT, allowed_actions: Array.from({ length: 256 }, (_, index) => `bad ${index}`) };
  const named = await refused('POST', '/passports', { token, json: many }, 400, 'invalid_request');
  expect(named.length).toBeLessThanOrEqual(20);
});
