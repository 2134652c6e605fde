import { describe, expect, test } from 'vitest';
import { verifyPassport } from '../../../src/tokens/proof/index.ts';
import { decide } from '../../../src/verdict/index.ts';
import { ED25519_KEYS } from '../../support/agent-keys.ts';
import { HOUR, MINUTE, SECRET } from '../../support/service.ts';
import {
  AGENT,
  claimsOf,
  ISSUER,
  networkOf,
  openSigningService,
  PUBLIC_URL,
  shopper,
} from '../../support/signing.ts';

const issuers = [ISSUER];
const refused = (problem: string) => ({ code: 'invalid_token', details: { problem } });

async function openSigned(fields: Parameters<typeof shopper>[0] = {}) {
  const opened = openSigningService();
  const { service, clock } = opened;
  await service.passports.create(shopper(fields));
  const { token } = await service.passports.sign(AGENT);
  const network = networkOf(service);
  /** As a third party verifies it now. */
  const verify = (options: object = {}) =>
    verifyPassport(token, { issuers, fetch: network, at: clock.now(), ...options });
  return { ...opened, token, network, verify };
}

test('resolves the issuer, checks the token and its status, and fetches nothing else', async () => {
  const { verify, network, token, clock } = await openSigned({ public_keys: [ED25519_KEYS[0]] });
  const passport = await verify();
  const { passport: claimed, jti } = claimsOf(token);
  expect(passport).toEqual({
    agent_id: AGENT,
    domain: 'example.com',
    agent_name: 'shopper',
    ...(claimed as object),
    monetary_limit_per_txn: 100.5,
    public_keys: [ED25519_KEYS[0]],
    status: 'active',
    created_at: clock.instant(),
    updated_at: clock.instant(),
    expires_at: clock.instant(HOUR),
    suspended_until: null,
    suspended_by: null,
    suspension_reason: null,
    revoked_at: null,
    revoked_by: null,
    revocation_reason: null,
    issuer: ISSUER,
    token_id: jti,
  });
  const { uri } = (claimsOf(token)['status'] as { status_list: { uri: string } }).status_list;
  expect(network.asked).toEqual(['https://example.com/.well-known/did.json', uri]);
  const intent = { agent_id: AGENT, action: 'orders.list', target: 'did:web:shop.example.net' };
  expect(decide({ passport, intent, at: clock.now() }).verdict).toBe('ALLOW');
  expect(decide({ passport, intent, at: clock.now() + HOUR }).reasons[0]?.code).toBe('agent_expired');
});

test('keys that are given replace the resolution, and without status nothing is fetched', async () => {
  const { service, verify, network } = await openSigned();
  const jwks = await service.signing.jwks();
  await verify({ keys: jwks, status: false });
  await verify({ keys: jwks.keys, status: false });
  expect(network.asked).toEqual([]);
  await verify({ keys: jwks });
  expect(network.asked).toHaveLength(1);
  const others = await openSigningService().service.signing.jwks();
  await expect(verify({ keys: others, status: false })).rejects.toMatchObject(refused('key'));
});

test('only the issuers that are named are trusted', async () => {
  const { verify, network } = await openSigned();
  for (const issuer of ['did:web:example.org', 'did:web:sub.example.com', 'did:web:example.com%3A8443']) {
    await expect(verify({ issuers: [issuer] })).rejects.toMatchObject(refused('issuer'));
  }
  expect(network.asked).toEqual([]);
  await verify({ issuers: ['did:web:example.org', ISSUER] });
});

test('options that cannot work are no fault of the token', async () => {
  const { verify } = await openSigned();
  for (const options of [
    { issuers: [] },
    { issuers: ISSUER },
    { issuers: ['example.com'] },
    { issuers: [AGENT] },
    { issuers: ['did:web:example.com/'] },
    { keys: [] },
    { keys: {} },
    { keys: [{ kty: 'RSA', n: 'x', e: 'AQAB' }] },
    { at: 'yesterday' },
    { at: Number.NaN },
    { status: 'no' },
  ]) {
    await expect(verify(options)).rejects.toMatchObject({ code: 'invalid_configuration' });
  }
});

test.each([undefined, null, 7, {}, [], '', 'a.b.c', 'x'.repeat(1_000_000)])(
  '%s is no token',
  async (given) => {
    await expect(verifyPassport(given as string, { issuers })).rejects.toMatchObject(refused('malformed'));
  },
);

describe('a third party that checks the status', () => {
  test.each(['revoke', 'suspend'] as const)('refuses within 60 s and a fetch after: %s', async (change) => {
    const { service, clock, verify } = await openSigned();
    const problem = change === 'revoke' ? 'revoked' : 'suspended';
    // The worst case: the list was made right before the change.
    await verify();
    clock.advance(1);
    await service[change]({ agent_id: AGENT });
    let waited = 0;
    let found: unknown;
    while (found === undefined && waited < 2 * MINUTE) {
      found = await verify().then(
        () => undefined,
        (error: unknown) => error,
      );
      if (found !== undefined) break;
      clock.advance(1_000);
      waited += 1_000;
    }
    expect(found).toMatchObject(refused(problem));
    expect(waited).toBeLessThanOrEqual(MINUTE);
    if (change === 'revoke') return;
    await service.reinstate({ agent_id: AGENT });
    clock.advance(MINUTE);
    await verify();
  });

  test('and keeps lists until iat + ttl refuses no later', async () => {
    const { service, clock, token, network } = await openSigned();
    let kept: { readonly text: string; readonly until: number } | undefined;
    /** As a third party with a cache does it. */
    const fetch: typeof globalThis.fetch = async (input, init) => {
      if (!String(input).startsWith(PUBLIC_URL)) return network(input, init);
      if (kept === undefined || clock.now() >= kept.until) {
        const text = await (await network(input, init)).text();
        const { iat, ttl } = claimsOf(text) as { iat: number; ttl: number };
        kept = { text, until: (iat + ttl) * 1_000 };
      }
      return new Response(kept.text);
    };
    const verify = () => verifyPassport(token, { issuers, fetch, at: clock.now() });
    clock.advance(59_000);
    await verify();
    await service.revoke({ agent_id: AGENT });
    clock.advance(59_000);
    await verify();
    clock.advance(1_000);
    await expect(verify()).rejects.toMatchObject(refused('revoked'));
  });

  test('refuses where no list can be had, and one that is kept back', async () => {
    const { clock, token, network, service } = await openSigned();
    const withList = (answer: () => Promise<Response>) => {
      const fetch: typeof globalThis.fetch = async (input, init) =>
        String(input).startsWith(PUBLIC_URL) ? answer() : network(input, init);
      return verifyPassport(token, { issuers, fetch, at: clock.now() });
    };
    const { uri } = (claimsOf(token)['status'] as { status_list: { uri: string } }).status_list;
    const old = await (await network(uri)).text();
    await withList(async () => new Response(old));
    for (const answer of [
      () => Promise.reject(new TypeError('no host')),
      async () => new Response('', { status: 503 }),
      async () => new Response(null, { status: 200 }),
      async () => new Response(old, { status: 203 }),
      async () => new Response(null, { status: 302, headers: { location: uri } }),
      async () => new Response(`${old} `),
      async () => new Response('x'.repeat(300 * 1_024)),
      async () => new Response(token),
    ]) {
      await expect(withList(answer)).rejects.toMatchObject(refused('status'));
    }
    await service.revoke({ agent_id: AGENT });
    clock.advance(70_000);
    await expect(withList(async () => new Response(old))).rejects.toMatchObject(refused('status'));
  });
});

describe('the DID document', () => {
  const method = (jwk: object, more: object = {}) => ({
    id: `${ISSUER}#1`,
    type: 'JsonWebKey',
    controller: ISSUER,
    publicKeyJwk: jwk,
    ...more,
  });
  const documentOf = (jwk: object) => ({
    id: ISSUER,
    verificationMethod: [method(jwk)],
    assertionMethod: [`${ISSUER}#1`],
  });

  test('gives the keys that assert, by what they are and not by what they are called', async () => {
    const { service, token, clock } = await openSigned();
    const [jwk = {}] = (await service.signing.jwks()).keys;
    const verify = (document: unknown, status = 200) => {
      const fetch: typeof globalThis.fetch = async () => Response.json(document, { status });
      return verifyPassport(token, { issuers, fetch, at: clock.now(), status: false });
    };
    const good = documentOf(jwk);
    await verify(good);
    await verify(documentOf({ ...jwk, kid: 'a name' }));
    for (const [problem, document] of [
      ['unresolved', { ...good, id: AGENT }],
      ['unresolved', { ...good, assertionMethod: undefined }],
      ['unresolved', []],
      ['unresolved', null],
      ['key', { ...good, assertionMethod: [] }],
      ['key', { ...good, assertionMethod: [], authentication: [`${ISSUER}#1`] }],
      ['key', { ...good, verificationMethod: [method(jwk, { controller: AGENT })] }],
      ['key', { ...good, verificationMethod: [method({ ...jwk, use: 'enc' })] }],
      ['key', documentOf({ ...jwk, x: 'a'.repeat(43) })],
      ['key', documentOf(ED25519_KEYS[0])],
    ] as const) {
      await expect(verify(document)).rejects.toMatchObject(refused(problem));
    }
    await expect(verify(good, 404)).rejects.toMatchObject(refused('unresolved'));
  });
});

test('a key that was rotated verifies what it signed, and a revoked one does not', async () => {
  const { service, verify, clock } = await openSigned();
  const [first] = await service.signing.list();
  await service.signing.rotate({ now: true });
  clock.advance(MINUTE);
  await verify();
  await service.signing.revoke(first?.kid ?? '');
  await expect(verify()).rejects.toMatchObject(refused('key'));
});

test('ES256 signs passports and lists as well', async () => {
  const { service, clock } = openSigningService({
    identity: { secret: SECRET, publicUrl: PUBLIC_URL, alg: 'ES256' },
  });
  await service.passports.create(shopper());
  const { token } = await service.passports.sign(AGENT);
  const found = await verifyPassport(token, { issuers, fetch: networkOf(service), at: clock.instant() });
  expect(found.agent_id).toBe(AGENT);
});

test('a passport that asks for a proof is denied offline without one', async () => {
  const { verify, clock } = await openSigned({ public_keys: [ED25519_KEYS[0]], proof: 'intent' });
  const intent = { agent_id: AGENT, action: 'orders.list', target: 'did:web:shop.example.net' };
  const { verdict, reasons } = decide({ passport: await verify(), intent, at: clock.now() });
  expect([verdict, reasons.map(({ code }) => code)]).toEqual(['DENY', ['proof_required']]);
});

test('a passport with budgets is denied offline, where what was spent is not known', async () => {
  const budgets = [
    { name: 'day', window: 'day', limit: '50' },
    { name: 'orders', window: 'hour', count: 3, actions: ['orders.*'] },
  ] as const;
  const { service, verify, clock } = await openSigned({ budgets });
  const passport = await verify();
  expect(passport.budgets).toEqual(budgets);
  const target = 'did:web:shop.example.net';
  const parameters = { amount: '1', currency: 'EUR' };
  const offline = (action: string) =>
    decide({ passport, intent: { agent_id: AGENT, action, target, parameters }, at: clock.now() });
  for (const action of ['payments.create', 'orders.list']) {
    const intent = { agent_id: AGENT, action, target, parameters };
    expect((await service.verify({ ...intent, dry_run: true })).verdict).toBe('ALLOW');
    const { verdict, reasons } = offline(action);
    expect([verdict, reasons.map(({ code }) => code)]).toEqual(['DENY', ['budget_unknown']]);
  }
  // The other rules are evaluated too.
  expect(offline('admin.delete').reasons.map(({ code }) => code)).toContain('action_not_allowed');
});

test('a passport with a pace is denied offline, where the history is not known', async () => {
  const pace = [{ name: 'orders', actions: ['orders.*'], max: 5, seconds: 60 }];
  const { verify, clock } = await openSigned({ pace });
  const intent = { agent_id: AGENT, action: 'orders.list', target: 'did:web:shop.example.net' };
  const question = { passport: await verify(), intent, at: clock.now() };
  expect(question.passport.pace).toEqual(pace);
  expect(decide(question).reasons).toMatchObject([{ code: 'history_unknown' }]);
});

test('denies a signed child agent offline without its ancestors, and evaluates them if they are given', async () => {
  const { service, verify, network, clock } = await openSigned();
  const { agent_id } = await service.passports.create(
    shopper({ agent_name: 'child', parent_agent_id: AGENT }),
  );
  const { token } = await service.passports.sign(agent_id);
  const child = await verifyPassport(token, { issuers, fetch: network, at: clock.now() });
  expect(child.parent_agent_id).toBe(AGENT);
  const intent = { agent_id, action: 'orders.list', target: 'did:web:shop.example.net' };
  const asked = { passport: child, intent, at: clock.now() };
  const codes = (question: Parameters<typeof decide>[0]) => decide(question).reasons.map(({ code }) => code);
  expect(codes(asked)).toEqual(['parent_not_found']);
  expect(codes({ ...asked, ancestors: [await verify()] })).toEqual([]);
});
