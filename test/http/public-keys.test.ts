import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { toPublicJwk } from '../../src/platform/signing.ts';
import type { PublicJwk } from '../../src/ports/signer.ts';
import { ED25519_KEYS, P256_KEYS } from '../support/agent-keys.ts';
import { PASSPORT } from '../support/api.ts';
import { openStage } from '../support/malformed.ts';
import { openService } from '../support/service.ts';
import { VECTORS } from '../tokens/proof/vectors.ts';

const [ed25519, otherEd25519] = ED25519_KEYS;
const [p256, otherP256] = P256_KEYS;
const bare = ({ kid: _, alg: __, ...jwk }: { kid: string; alg: string }) => jwk;
const path = (agent: unknown) => `/passports/${encodeURIComponent(`${agent}`)}`;

/** What may never be read again. */
const PRIVATE = 'nWGxne_9WmC6hEr0kuwsxERJxWl7MmkZcDusAxyuf2A';
const RFC_8037 = { kty: 'OKP', crv: 'Ed25519', x: '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo' };
/** The keys of our signed passports. The last one signs the passports of another issuer. */
const PASSPORT_KEYS: readonly PublicJwk[] = [
  ...JSON.parse(
    readFileSync(new URL('../../src/tokens/proof/vectors/passports.json', import.meta.url), 'utf8'),
  ).keys,
  { kty: 'OKP', crv: 'Ed25519', x: 'Rp_D0ZOA14wlFd8PLUA5-5LoTE1BYWF3c094ahTRdjw' },
];
const PUBLISHED = [
  ...[...VECTORS.private_keys, ...PASSPORT_KEYS].map(toPublicJwk),
  RFC_8037,
  { kty: 'OKP', crv: 'Ed25519', x: 'JrQLj5P_89iXES9-vFgrIy29clF9CC_oPPsw3c5D0bs' },
  {
    kty: 'EC',
    crv: 'P-256',
    x: 'f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU',
    y: 'x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0',
  },
  {
    kty: 'EC',
    crv: 'P-256',
    x: 'qIVYZVLCrPZHGHjP17CTW0_-D9Lfw0EkjqF7xB4FivA',
    y: 'Mc4nN9LTDOBhfoUeg8Ye9WedFRhnZXZJA12Qp0zZ6F0',
  },
];

test('keys are kept in their order and returned with kid and alg, however they were spelled', async () => {
  const { api, token } = await openStage();
  const given = [
    { ...bare(ed25519), alg: 'Ed25519', use: 'sig', ext: true, key_ops: ['verify'] },
    bare(p256),
    otherEd25519,
    { ...otherP256, ext: false, key_ops: [] },
  ];
  const made = await api.ask('POST', '/passports', { token, json: { ...PASSPORT, public_keys: given } });
  const shown = [ed25519, p256, otherEd25519, otherP256];
  expect([made.status, made.body['public_keys']]).toEqual([201, shown]);
  const agent = path(made.body['agent_id']);
  expect((await api.ask('GET', agent, { token })).body['public_keys']).toEqual(shown);

  // The same keys spelled in another way are no change.
  const same = await api.ask('PATCH', agent, { token, json: { public_keys: shown } });
  expect([same.status, same.body['version']]).toEqual([200, 1]);
  const fewer = await api.ask('PATCH', agent, { token, json: { public_keys: [bare(p256)] } });
  expect([fewer.body['version'], fewer.body['public_keys']]).toEqual([2, [p256]]);
  const none = await api.ask('PATCH', agent, { token, json: { public_keys: [] } });
  expect([none.body['version'], none.body['public_keys']]).toEqual([3, []]);
  const removed = await api.ask('PATCH', agent, { token, json: { public_keys: null } });
  expect(removed.body['version']).toBe(4);
  expect(removed.body).not.toHaveProperty('public_keys');
});

/** The keys, and the codes by path. */
type Row = readonly [what: string, keys: unknown, errors: Readonly<Record<string, string>>];

const x = (jwk: object, value: unknown) => [{ ...jwk, x: value }];
const small = Buffer.from('26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05', 'hex');
const notCanonical = Buffer.from(`ee${'ff'.repeat(30)}7f`, 'hex');
const yOfNone = Buffer.from(`02${'00'.repeat(31)}`, 'hex');

const rows: readonly Row[] = [
  ['no list', ed25519, { '': 'wrong_type' }],
  ['five keys', [...ED25519_KEYS, ...P256_KEYS, bare(ed25519)], { '': 'too_many' }],
  ['no object', ['key'], { '/0': 'wrong_type' }],
  ['null', [null], { '/0': 'wrong_type' }],
  ['an empty object', [{}], { '/0/kty': 'required', '/0/crv': 'required', '/0/x': 'required' }],
  [
    'an RSA key',
    [{ kty: 'RSA', n: 'AQAB', e: 'AQAB' }],
    {
      '/0/kty': 'not_allowed',
      '/0/crv': 'required',
      '/0/x': 'required',
      '/0/n': 'unknown_field',
      '/0/e': 'unknown_field',
    },
  ],
  ['another curve', [{ ...bare(ed25519), crv: 'X25519' }], { '/0/crv': 'not_allowed' }],
  ['the curve of the other type', [{ ...bare(ed25519), crv: 'P-256' }], { '/0/crv': 'not_allowed' }],
  ['a y on Ed25519', [{ ...bare(ed25519), y: ed25519.x }], { '/0/y': 'unknown_field' }],
  ['no y on P-256', [{ kty: 'EC', crv: 'P-256', x: p256.x }], { '/0/y': 'required' }],
  ['padding', x(bare(ed25519), `${ed25519.x}=`), { '/0/x': 'malformed' }],
  ['bits beyond the end', x(bare(ed25519), ed25519.x.replace(/.$/, 'd')), { '/0/x': 'malformed' }],
  ['base64', x(bare(ed25519), ed25519.x.replaceAll('-', '+')), { '/0/x': 'malformed' }],
  ['31 bytes', x(bare(ed25519), ed25519.x.slice(0, 42)), { '/0/x': 'malformed' }],
  ['no text', x(bare(ed25519), 1), { '/0/x': 'wrong_type' }],
  ['a point of small order', x(bare(ed25519), small.toString('base64url')), { '/0/x': 'malformed' }],
  ['another encoding of one', x(bare(ed25519), notCanonical.toString('base64url')), { '/0/x': 'malformed' }],
  ['no point of Ed25519', x(bare(ed25519), yOfNone.toString('base64url')), { '/0/x': 'malformed' }],
  ['no point of P-256', [{ ...bare(p256), x: otherP256.x }], { '/0/x': 'malformed' }],
  ['the kid of another key', [{ ...ed25519, kid: otherEd25519.kid }], { '/0/kid': 'malformed' }],
  ['the algorithm of another type', [{ ...ed25519, alg: 'ES256' }], { '/0/alg': 'not_allowed' }],
  ['the other algorithm of another type', [{ ...p256, alg: 'Ed25519' }], { '/0/alg': 'not_allowed' }],
  ['an unknown algorithm', [{ ...p256, alg: 'none' }], { '/0/alg': 'not_allowed' }],
  ['another use', [{ ...p256, use: 'enc' }], { '/0/use': 'not_allowed' }],
  ['an unknown member', [{ ...p256, x5u: 'https://x.example' }], { '/0/x5u': 'unknown_field' }],
  ['the same key twice', [ed25519, p256, bare(ed25519)], { '/2': 'duplicate' }],
  ['a private key', [p256, { ...ed25519, d: PRIVATE }], { '/1/d': 'private_key' }],
  [
    'a secret key',
    [{ kty: 'oct', k: PRIVATE }],
    {
      '/0/kty': 'not_allowed',
      '/0/crv': 'required',
      '/0/x': 'required',
      '/0/k': 'private_key',
    },
  ],
  ...PUBLISHED.map((jwk, at): Row => [`published key ${at}`, [jwk], { '/0': 'not_allowed' }]),
];

test.each(rows)(
  'a passport is refused with %s, on creation and on change, and nothing is kept',
  async (_, keys, codes) => {
    const { opened, api, token } = await openStage();
    opened.secrets.add(PRIVATE);
    const made = await api.ask('POST', '/passports', { token, json: PASSPORT });
    const asks = [
      ['POST', '/passports', { ...PASSPORT, agent_name: 'other', public_keys: keys }],
      ['PATCH', path(made.body['agent_id']), { public_keys: keys }],
    ] as const;
    for (const [method, where, json] of asks) {
      const { status, body } = await api.ask(method, where, { token, json });
      const errors = body['errors'] as readonly { path: string; code: string }[];
      expect([status, body['code']]).toEqual([400, 'invalid_request']);
      expect(
        Object.fromEntries(errors.map(({ path, code }) => [path.replace('/public_keys', ''), code])),
      ).toEqual(codes);
    }
    expect((await api.ask('GET', path(made.body['agent_id']), { token })).body['version']).toBe(1);
  },
);

test('published keys are taken where localhost is', async () => {
  const { service } = openService({ allowLocalhost: true });
  const { id } = await service.accounts.create({
    email: 'ann@example.com',
    password: 'a-long-password-of-ann',
  });
  const { public_keys } = await service.passports.create(
    { ...PASSPORT, public_keys: [RFC_8037] as never },
    { account_id: id },
  );
  expect(public_keys).toEqual([
    { ...RFC_8037, kid: 'kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k', alg: 'EdDSA' },
  ]);
});
