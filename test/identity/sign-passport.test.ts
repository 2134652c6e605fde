import { calculateJwkThumbprint, createLocalJWKSet, type JSONWebKeySet, jwtVerify } from 'jose';
import { describe, expect, test } from 'vitest';
import { ED25519_KEYS, P256_KEYS } from '../support/agent-keys.ts';
import { HOUR, MINUTE, openService, PASSWORD, SECRET, START } from '../support/service.ts';
import { makeSigner } from '../support/signers.ts';
import {
  AGENT,
  claimsOf,
  headerOf,
  ISSUER,
  openSigningService,
  PUBLIC_URL,
  shopper,
} from '../support/signing.ts';
import { stores } from '../support/stores.ts';

const NOW = START / 1_000;

describe.each(stores)('a signed passport on %s', (_, open) => {
  test('says what the passport allows, and nothing of its account', async () => {
    const { service, clock } = openSigningService({ storage: await open() });
    const [first, second] = ED25519_KEYS;
    const input = shopper({
      denied_actions: ['orders.cancel'],
      public_keys: [first, second],
      description: 'For people',
      metadata: { team: 'sales' },
      proof: 'identity',
      not_before: clock.instant(-HOUR),
    });
    await service.passports.create(input);
    const { token, kid, expires_at } = await service.passports.sign(AGENT);
    expect(expires_at).toBe(clock.instant(HOUR));
    expect(headerOf(token)).toEqual({ alg: 'EdDSA', kid, typ: 'agent-passport+jwt' });
    const claims = claimsOf(token);
    expect(claims).toEqual({
      iss: ISSUER,
      sub: AGENT,
      iat: NOW,
      nbf: NOW - 3_600,
      exp: NOW + 3_600,
      jti: expect.stringMatching(/^tok_[0-9A-Za-z]{22}$/),
      vct: 'urn:agent-identity:passport:1',
      cnf: { jwk: { kty: 'OKP', crv: 'Ed25519', x: first.x } },
      status: {
        status_list: {
          idx: expect.any(Number),
          uri: expect.stringMatching(new RegExp(`^${PUBLIC_URL}/status/sl_[0-9A-Za-z]{22}$`)),
        },
      },
      passport: {
        version: 1,
        allowed_actions: input.allowed_actions,
        denied_actions: ['orders.cancel'],
        monetary_limit_per_txn: '100.5',
        currency: 'EUR',
        allowed_targets: input.allowed_targets,
        monetary_actions: input.monetary_actions,
        proof: 'identity',
      },
    });
    const jwks = (await service.signing.jwks()) as JSONWebKeySet;
    const verified = await jwtVerify(token, createLocalJWKSet(jwks), {
      issuer: ISSUER,
      typ: 'agent-passport+jwt',
      algorithms: ['EdDSA'],
      currentDate: new Date(clock.now()),
    });
    expect(verified.payload).toEqual(claims);
    expect(await calculateJwkThumbprint(jwks.keys[0] ?? {})).toBe(kid);
    const again = await service.passports.sign(AGENT);
    expect(claimsOf(again.token)['jti']).not.toBe(claims['jti']);
    expect(claimsOf(again.token)['status']).toEqual(claims['status']);
  });

  test('keeps its place when the passport changes, and other passports have others', async () => {
    const { service } = openSigningService({ storage: await open() });
    const places: string[] = [];
    for (const agent_name of ['a', 'b', 'c']) {
      const { agent_id } = await service.passports.create(shopper({ agent_name }));
      const { token } = await service.passports.sign(agent_id);
      await service.passports.update(agent_id, { monetary_limit_per_txn: 7 });
      const changed = claimsOf((await service.passports.sign(agent_id)).token);
      expect(changed['status']).toEqual(claimsOf(token)['status']);
      expect(changed['passport']).toMatchObject({ version: 2, monetary_limit_per_txn: '7' });
      places.push(JSON.stringify(changed['status']));
    }
    expect(new Set(places).size).toBe(3);
  });
});

test('the time of a token ends with the time of the passport', async () => {
  const { service, clock } = openSigningService();
  const expires_at = clock.instant(90_500);
  await service.passports.create(shopper({ expires_at }));
  const signed = await service.passports.sign(AGENT, { ttl_seconds: 86_400 });
  expect(signed.expires_at).toBe(clock.instant(90_000));
  expect((await service.passports.sign(AGENT, { ttl_seconds: 60 })).expires_at).toBe(clock.instant(60_000));
  clock.advance(90_000);
  await expect(service.passports.sign(AGENT)).rejects.toMatchObject({ code: 'conflict' });
});

test('a token is valid for an hour, or as long as the service is set up for, unless it is said otherwise', async () => {
  const { service, clock } = openSigningService({
    identity: { secret: SECRET, publicUrl: PUBLIC_URL, tokenSeconds: 120 },
  });
  await service.passports.create(shopper());
  expect((await service.passports.sign(AGENT)).expires_at).toBe(clock.instant(120_000));
  expect((await service.passports.sign(AGENT, { ttl_seconds: 60 })).expires_at).toBe(clock.instant(60_000));
  const other = openSigningService();
  await other.service.passports.create(shopper());
  expect((await other.service.passports.sign(AGENT)).expires_at).toBe(clock.instant(3_600_000));
  for (const tokenSeconds of [59, 86_401, 60.5, '60' as never]) {
    expect(() => openSigningService({ identity: { secret: SECRET, tokenSeconds } })).toThrow(
      /identity\.tokenSeconds/,
    );
  }
});

test('the agent key is the first one, or the one that is named', async () => {
  const { service } = openSigningService();
  const [es256] = P256_KEYS;
  await service.passports.create(shopper({ public_keys: [ED25519_KEYS[0], es256] }));
  const { token } = await service.passports.sign(AGENT, { kid: es256.kid });
  const { kid: _, alg: __, ...jwk } = es256;
  expect(claimsOf(token)['cnf']).toEqual({ jwk });
  await expect(service.passports.sign(AGENT, { kid: ED25519_KEYS[1].kid })).rejects.toMatchObject({
    code: 'invalid_request',
    details: { errors: [{ path: '/kid', code: 'not_allowed' }] },
  });
  await service.passports.create(shopper({ agent_name: 'keyless' }));
  const keyless = await service.passports.sign(`${ISSUER}:agents:keyless`);
  expect(claimsOf(keyless.token)).not.toHaveProperty('cnf');
});

test('what breaks the schema names its field', async () => {
  const { service } = openSigningService();
  await service.passports.create(shopper());
  for (const [path, input] of [
    ['/ttl_seconds', { ttl_seconds: 59 }],
    ['/ttl_seconds', { ttl_seconds: 86_401 }],
    ['/ttl_seconds', { ttl_seconds: 60.5 }],
    ['/ttl_seconds', { ttl_seconds: '60' }],
    ['/kid', { kid: 'short' }],
    ['/audience', { audience: 'x' }],
  ] as const) {
    const error = await service.passports.sign(AGENT, input as object).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: 'invalid_request', details: { errors: [{ path }] } });
  }
});

test('only a passport that is active now is signed', async () => {
  const { service, clock } = openSigningService();
  const conflict = { code: 'conflict' };
  await service.passports.create(
    shopper({ not_before: clock.instant(MINUTE), expires_at: clock.instant(HOUR) }),
  );
  await expect(service.passports.sign(AGENT)).rejects.toMatchObject(conflict);
  clock.advance(MINUTE);
  await service.passports.sign(AGENT);
  await service.suspend({ agent_id: AGENT, until: clock.instant(MINUTE) });
  await expect(service.passports.sign(AGENT)).rejects.toMatchObject(conflict);
  clock.advance(MINUTE);
  await service.passports.sign(AGENT);
  clock.advance(HOUR);
  await expect(service.passports.sign(AGENT)).rejects.toMatchObject(conflict);
  await service.passports.update(AGENT, { expires_at: null });
  await service.passports.sign(AGENT);
  await service.revoke({ agent_id: AGENT });
  await expect(service.passports.sign(AGENT)).rejects.toMatchObject(conflict);
});

test('without a public URL, and for an agent that the caller does not see, there is nothing to sign', async () => {
  const missing = { code: 'not_found' };
  const unsigned = openSigningService({ identity: { secret: SECRET } }).service;
  await unsigned.passports.create(shopper());
  await expect(unsigned.passports.sign(AGENT)).rejects.toMatchObject(missing);
  const { service } = openSigningService();
  await service.passports.create(shopper());
  await expect(service.passports.sign(`${AGENT}2`)).rejects.toMatchObject(missing);
  const others = { agent_ids: [`${AGENT}2`] };
  await expect(service.passports.sign(AGENT, {}, others)).rejects.toMatchObject(missing);
  const foreign = { account_id: 'acc_2' };
  await expect(service.passports.sign(AGENT, {}, foreign)).rejects.toMatchObject(missing);
});

describe('a claim of the domain', () => {
  const identity = { publicUrl: PUBLIC_URL };

  test('is enough for the only account', async () => {
    const { service, secrets } = openService({ identity });
    const { id } = await service.accounts.create({ email: 'a@example.com', password: PASSWORD });
    const actor = { account_id: id };
    await service.passports.create(shopper(), actor);
    const { token } = await service.passports.sign(AGENT, {}, actor);
    secrets.add(token);
    expect(claimsOf(token)['iss']).toBe(ISSUER);
  });

  test('is not enough as soon as there is a second account, or registration is open', async () => {
    const unproven = { code: 'domain_unproven' };
    const { service, clock } = openService({ identity });
    const { id } = await service.accounts.create({ email: 'a@example.com', password: PASSWORD });
    const actor = { account_id: id };
    await service.passports.create(shopper(), actor);
    await service.passports.sign(AGENT, {}, actor);
    await service.accounts.create({ email: 'b@example.com', password: PASSWORD });
    clock.advance(1_000);
    await expect(service.passports.sign(AGENT, {}, actor)).rejects.toMatchObject(unproven);
    const open = openService({ identity, registration: 'open' }).service;
    const first = await open.accounts.create({ email: 'a@example.com', password: PASSWORD });
    const firstActor = { account_id: first.id };
    await open.passports.create(shopper(), firstActor);
    await expect(open.passports.sign(AGENT, {}, firstActor)).rejects.toMatchObject(unproven);
  });

  test('that was released or went to another account does not sign', async () => {
    const unproven = { code: 'domain_unproven' };
    const { service } = openSigningService();
    await service.passports.create(shopper());
    await service.domains.release('example.com', { force: true });
    await expect(service.passports.sign(AGENT)).rejects.toMatchObject(unproven);
  });

  test('is not asked for without logins where none is made, and with logins nothing is signed then', async () => {
    const local = openSigningService({ domainProof: 'off' }).service;
    await local.passports.create(shopper());
    await local.passports.sign(AGENT);
    const { service } = openService({ identity, domainProof: 'off' });
    const { id } = await service.accounts.create({ email: 'a@example.com', password: PASSWORD });
    await service.passports.create(shopper(), { account_id: id });
    await expect(service.passports.sign(AGENT, {}, { account_id: id })).rejects.toMatchObject({
      code: 'domain_unproven',
    });
  });
});

test('a key that begins to sign between its choice and its use is named in the header', async () => {
  const [old, next] = [await makeSigner(), await makeSigner()];
  const oldKeys = await old.keys();
  const keys = async () => [
    ...oldKeys,
    ...(await next.keys()).map((key) => ({ ...key, not_before: '9999-01-01T00:00:00.000Z' })),
  ];
  const { service } = openSigningService({
    identity: { publicUrl: PUBLIC_URL, signer: { keys, sign: next.sign } },
  });
  await service.passports.create(shopper());
  const { token, kid } = await service.passports.sign(AGENT);
  expect([headerOf(token)['kid'], kid]).toEqual([(await next.keys())[0]?.kid, kid]);
  const mismatched = { keys: async () => oldKeys, sign: next.sign };
  const broken = openSigningService({ identity: { publicUrl: PUBLIC_URL, signer: mismatched } }).service;
  await broken.passports.create(shopper());
  await expect(broken.passports.sign(AGENT)).rejects.toMatchObject({ code: 'internal' });
});
