import { generateKeyPairSync } from 'node:crypto';
import { expect, test } from 'vitest';
import type { PassportInput, TrustedIssuer } from '../../../src/types.ts';
import { ED25519_KEYS, P256_KEYS } from '../../support/agent-keys.ts';
import { openLocalService } from '../../support/service.ts';

const PASSPORT: PassportInput = {
  domain: 'example.com',
  agent_name: 'shop',
  allowed_actions: ['oauth:token'],
  monetary_limit_per_txn: 0,
};

const rsaOf = (bits: number): Record<string, unknown> => ({
  ...generateKeyPairSync('rsa', { modulusLength: bits }).publicKey.export({ format: 'jwk' }),
});
const RSA = rsaOf(2_048);
const { kid: _, alg: __, ...ED25519 } = ED25519_KEYS[0];
const { kid: ___, alg: ____, ...P256 } = P256_KEYS[0];
const USER = { issuer: 'https://idp.example', use: 'user' };
const WORKLOAD = {
  issuer: 'kubernetes',
  use: 'workload',
  keys: [RSA],
  subjects: ['system:serviceaccount:*'],
};
const withKey = (key: object) => [{ ...USER, keys: [key] }];

/** The pointers and codes of the errors of a passport with these issuers; `undefined` if it is accepted. */
async function faultsOf(trusted_issuers: unknown, options = {}): Promise<unknown> {
  const { service } = openLocalService(options);
  const refused:
    | { details?: { errors?: readonly { path: string; code: string; message: string }[] } }
    | undefined = await service.passports.create({ ...PASSPORT, trusted_issuers } as PassportInput).then(
    () => undefined,
    (error) => error,
  );
  if (refused === undefined) return undefined;
  const errors = refused.details?.errors ?? [];
  for (const { message } of errors) expect(message).toMatch(/\.$/);
  return Object.fromEntries(errors.map(({ path, code }) => [path.replace('/trusted_issuers', ''), code]));
}

test.each<[string, unknown, Readonly<Record<string, string>>]>([
  ['no list', 'idp', { '': 'wrong_type' }],
  ['nine issuers', Array.from({ length: 9 }, () => USER), { '': 'too_many' }],
  ['a text', ['idp'], { '/0': 'wrong_type' }],
  ['nothing', [{}], { '/0/issuer': 'required', '/0/use': 'required' }],
  ['an unknown member', [{ ...USER, audience: 'x' }], { '/0/audience': 'unknown_field' }],
  ['another use', [{ ...USER, use: 'device' }], { '/0/use': 'not_allowed' }],
  ['an empty issuer', [{ ...USER, issuer: '' }], { '/0/issuer': 'too_short' }],
  ['an issuer with a space', [{ ...WORKLOAD, issuer: 'a b' }], { '/0/issuer': 'malformed' }],
  ['an issuer of 257 characters', [{ ...WORKLOAD, issuer: 'a'.repeat(257) }], { '/0/issuer': 'too_long' }],
  ['an http issuer without keys', [{ ...USER, issuer: 'http://idp.example' }], { '/0/issuer': 'malformed' }],
  ['a local issuer without keys', [{ ...USER, issuer: 'http://localhost:1' }], { '/0/issuer': 'malformed' }],
  ['an issuer with a query', [{ ...USER, issuer: 'https://idp.example?a' }], { '/0/issuer': 'malformed' }],
  ['the same twice', [USER, USER], { '/1/issuer': 'duplicate' }],
  ['a workload without subjects', [{ ...WORKLOAD, subjects: undefined }], { '/0/subjects': 'required' }],
  ['no subject', [{ ...WORKLOAD, subjects: [] }], { '/0/subjects': 'too_few' }],
  ['every subject', [{ ...WORKLOAD, subjects: ['*'] }], { '/0/subjects/0': 'malformed' }],
  ['a subject twice', [{ ...WORKLOAD, subjects: ['a', 'a'] }], { '/0/subjects': 'duplicate' }],
  ['a subject with a line feed', [{ ...USER, subjects: ['a\nb'] }], { '/0/subjects/0': 'malformed' }],
  [
    '17 subjects',
    [{ ...USER, subjects: Array.from({ length: 17 }, (_, at) => `${at}`) }],
    { '/0/subjects': 'too_many' },
  ],
  ['no agents', [{ ...WORKLOAD, max_agents: 0 }], { '/0/max_agents': 'out_of_range' }],
  ['1,001 agents', [{ ...WORKLOAD, max_agents: 1_001 }], { '/0/max_agents': 'out_of_range' }],
  ['agents of a user', [{ ...USER, max_agents: 1 }], { '/0/max_agents': 'not_allowed' }],
  ['reuse of a user', [{ ...USER, reuse: true }], { '/0/reuse': 'not_allowed' }],
  ['a text as reuse', [{ ...WORKLOAD, reuse: 'yes' }], { '/0/reuse': 'wrong_type' }],
  ['no key', [{ ...USER, keys: [] }], { '/0/keys': 'too_few' }],
  ['nine keys', [{ ...USER, keys: Array.from({ length: 9 }, () => RSA) }], { '/0/keys': 'too_many' }],
  ['a key of another type', withKey({ kty: 'oct' }), { '/0/keys/0/kty': 'not_allowed' }],
  ['an RSA key of 1,024 bits', withKey(rsaOf(1_024)), { '/0/keys/0/n': 'malformed' }],
  [
    'an even modulus',
    withKey({ ...RSA, n: `${`${RSA['n']}`.slice(0, -1)}A` }),
    { '/0/keys/0/n': 'malformed' },
  ],
  ['the exponent 1', withKey({ ...RSA, e: 'AQ' }), { '/0/keys/0/e': 'malformed' }],
  ['an RSA key without n', withKey({ kty: 'RSA', e: 'AQAB' }), { '/0/keys/0/n': 'required' }],
  ['a private RSA key', withKey({ ...RSA, d: 'eA' }), { '/0/keys/0/d': 'private_key' }],
  ['a private key', withKey({ ...ED25519, d: 'eA' }), { '/0/keys/0/d': 'private_key' }],
  ['a key off the curve', withKey({ ...P256, x: P256.x.replace(/^./, 'A') }), { '/0/keys/0/x': 'malformed' }],
  ['an algorithm of another key', withKey({ ...RSA, alg: 'ES256' }), { '/0/keys/0/alg': 'not_allowed' }],
  ['HS256', withKey({ ...RSA, alg: 'HS256' }), { '/0/keys/0/alg': 'not_allowed' }],
  ['a key for encryption', withKey({ ...RSA, use: 'enc' }), { '/0/keys/0/use': 'not_allowed' }],
])('refuses trusted issuers with %s at the place of the fault', async (_, given, expected) => {
  const sent = JSON.parse(JSON.stringify(given));
  expect(await faultsOf(sent)).toEqual(expected);
});

test('accepts http on this machine with allowLocalhost alone', async () => {
  expect(
    await faultsOf([{ ...USER, issuer: 'http://localhost:8080' }], { allowLocalhost: true }),
  ).toBeUndefined();
});

test('stores an issuer without the members of a key that nothing reads, and removes the list', async () => {
  const { service } = openLocalService();
  const keys = [
    { ...RSA, kid: 'one', alg: 'PS256', use: 'sig', x5c: ['eA'] },
    ED25519,
    { ...P256, alg: 'ES256' },
  ];
  const trusted_issuers = [{ ...WORKLOAD, keys, reuse: true }, USER] as unknown as readonly TrustedIssuer[];
  const { agent_id, ...made } = await service.passports.create({ ...PASSPORT, trusted_issuers });
  const stored = [{ kty: 'RSA', n: RSA['n'], e: 'AQAB', kid: 'one', alg: 'PS256' }, ED25519, keys[2]];
  expect(made.trusted_issuers).toEqual([{ ...WORKLOAD, keys: stored, reuse: true }, USER]);
  expect(await service.passports.effective(agent_id)).not.toHaveProperty('trusted_issuers');
  const changed = await service.passports.update(agent_id, { trusted_issuers: null });
  expect(changed).not.toHaveProperty('trusted_issuers');
});

test('a signed passport says nothing of the issuers', async () => {
  const { service } = openLocalService({
    identity: { publicUrl: 'https://id.example.com/api' },
    session: { secret: 'a secret of at least thirty-two characters' },
  });
  const account = { account_id: 'acc_1' };
  const passport = { ...PASSPORT, trusted_issuers: [USER] as TrustedIssuer[] };
  const { agent_id } = await service.passports.create(passport, account);
  const { token } = await service.passports.sign(agent_id, {}, account);
  expect(atob(token.split('.')[1]?.replaceAll('-', '+').replaceAll('_', '/') ?? '')).not.toContain(
    'idp.example',
  );
});

test('a change that trusts more needs a second person where changes do', async () => {
  const { service } = openLocalService();
  const approval = { changes: true };
  const { agent_id } = await service.passports.create({ ...PASSPORT, allowed_actions: [], approval });
  const trusting = service.passports.update(agent_id, { trusted_issuers: [USER] as TrustedIssuer[] });
  await expect(trusting).rejects.toMatchObject({ code: 'second_person_required' });
});
