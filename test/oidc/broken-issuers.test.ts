import { createServer, type ServerResponse } from 'node:http';
import { exportJWK, generateKeyPair, SignJWT, UnsecuredJWT } from 'jose';
import { describe, expect, test } from 'vitest';
import { openidProvider } from '../../adapters/oidc/index.ts';
import { memoryStorage } from '../../adapters/storage/memory/index.ts';
import { awaitedAfter } from '../../src/core/shared/timers.ts';
import { createSeal } from '../../src/credential/seal.ts';
import type { OidcClaims } from '../../src/ports/index.ts';
import { listen } from '../support/servers.ts';
import { openNode, type Steps, stepsWith } from './stage.ts';

const CLIENT = { clientId: 'service', clientSecret: 's'.repeat(43), redirectUri: 'https://id.example/' };
const [OWN, FOREIGN] = await Promise.all([generateKeyPair('ES256'), generateKeyPair('ES256')]);

type Claims = Readonly<Record<string, unknown>>;

/** Two nodes that would sign everyone in: one begins, the other ends. */
function openNodes(issuer: string) {
  const storage = memoryStorage();
  const map = () => ({ account: 'acme', role: 'owner' as const });
  const oidc = { provider: openidProvider({ issuer, ...CLIENT }), map };
  const [one, two] = [openNode(oidc, storage), openNode(oidc, storage)];
  const steps = { start: one.service.oidc.start, finish: two.service.oidc.finish };
  return { steps, storage, service: one.service, logs: two.logs };
}

/** What an issuer does otherwise than it should. */
interface Break {
  readonly claims?: Claims;
  readonly sign?: (claims: Claims) => Promise<string | undefined>;
  readonly discovery?: (right: Claims, response: ServerResponse) => Claims | undefined;
  readonly token?: (response: ServerResponse) => void;
}

const signed = (claims: Claims, key: CryptoKey = OWN.privateKey) =>
  new SignJWT(claims).setProtectedHeader({ alg: 'ES256', kid: 'own' }).sign(key);

/** An issuer of the few pages that a sign-in asks, right but for one thing. */
async function startBroken({ claims = {}, sign = signed, discovery = (right) => right, token }: Break = {}) {
  let nonce = '';
  const issuer: string = await listen(async (request, response) => {
    const json = (body: unknown) => {
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify(body));
    };
    if (request.url === '/.well-known/openid-configuration') {
      const right = {
        ...{ issuer, authorization_endpoint: `${issuer}/auth`, token_endpoint: `${issuer}/token` },
        ...{ jwks_uri: `${issuer}/jwks`, id_token_signing_alg_values_supported: ['ES256'] },
      };
      const document = discovery(right, response);
      return document === undefined ? undefined : json(document);
    }
    if (request.url === '/jwks') return json({ keys: [{ ...(await exportJWK(OWN.publicKey)), kid: 'own' }] });
    if (token !== undefined) return token(response);
    const iat = Math.floor(Date.now() / 1_000);
    const right = { iss: issuer, sub: 'ann', aud: CLIENT.clientId, iat, exp: iat + 60, nonce };
    const id_token = await sign({ ...right, ...claims });
    return json({ access_token: 'a', token_type: 'bearer', ...(id_token !== undefined && { id_token }) });
  });
  const signIn = async <Ended>(steps: Steps<Ended>) => {
    const { url, transaction } = await steps.start();
    const { searchParams } = new URL(url);
    nonce = searchParams.get('nonce') ?? '';
    return steps.finish({ transaction, response: `code=c&state=${searchParams.get('state')}` });
  };
  return { issuer, signIn };
}

function stepsOf(issuer: string, after = awaitedAfter): Steps<OidcClaims> {
  const seal = createSeal(new TextEncoder().encode('a secret'));
  return stepsWith(
    { seal, clock: { now: () => 0 }, awaitedAfter: after },
    openidProvider({ issuer, ...CLIENT }),
  );
}

const unsecured = async (claims: Claims) => new UnsecuredJWT(claims).encode();
const byClientSecret = (claims: Claims) =>
  new SignJWT(claims)
    .setProtectedHeader({ alg: 'HS256' })
    .sign(new TextEncoder().encode(CLIENT.clientSecret));

test('the issuer of these tests signs people in, where nothing is broken', async () => {
  const { issuer, signIn } = await startBroken();
  expect(await signIn(stepsOf(issuer))).toMatchObject({ iss: issuer, sub: 'ann' });
  const { steps, service } = openNodes(issuer);
  const { access_token } = await signIn(steps);
  expect(await service.authenticateSession(access_token)).toMatchObject({ role: 'owner' });
});

describe('an ID token signs no person in', () => {
  test.each<[what: string, broken: Break]>([
    ['of another issuer', { claims: { iss: 'https://evil.example' } }],
    ['for another service', { claims: { aud: 'another' } }],
    [
      'for two services, and not ours as the one that asked',
      { claims: { aud: [CLIENT.clientId, 'b'], azp: 'b' } },
    ],
    ['with another nonce', { claims: { nonce: 'another' } }],
    ['without a nonce', { claims: { nonce: undefined } }],
    ['that is expired', { claims: { iat: 1, exp: 2 } }],
    ['without an expiry', { claims: { exp: undefined } }],
    ['without a subject', { claims: { sub: undefined } }],
    ['with a number as subject', { claims: { sub: 7 } }],
    ['that another key has signed', { sign: (claims) => signed(claims, FOREIGN.privateKey) }],
    ['that nothing has signed', { sign: unsecured }],
    ['that the secret of the service has signed', { sign: byClientSecret }],
    ['that is absent', { sign: async () => undefined }],
    ['that is no token', { sign: async () => 'x' }],
  ])('%s', async (_, broken) => {
    const { issuer, signIn } = await startBroken(broken);
    await expect(signIn(stepsOf(issuer))).rejects.toMatchObject({ code: 'invalid_credentials' });
    const { steps, storage, logs } = openNodes(issuer);
    await expect(signIn(steps)).rejects.toMatchObject({ code: 'invalid_credentials' });
    expect(logs.map(({ event }) => event)).toEqual(['member.sign_in_refused']);
    for (const name of ['sessions', 'members', 'logins', 'accounts'] as const)
      expect(await storage.list(name, { where: {}, limit: 10 })).toEqual([]);
  });
});

describe('an issuer that does not answer as one is service_unreachable', () => {
  const UNREACHABLE = { code: 'service_unreachable' };

  test.each<[what: string, broken: Break]>([
    ['no discovery document', { discovery: (_, response) => void response.writeHead(404).end() }],
    ['a page', { discovery: (_, response) => void response.end('<!doctype html>') }],
    ['another issuer', { discovery: (right) => ({ ...right, issuer: 'https://evil.example' }) }],
    ['no place to sign in', { discovery: (right) => ({ ...right, authorization_endpoint: undefined }) }],
    ['no place for tokens', { discovery: (right) => ({ ...right, token_endpoint: undefined }) }],
    [
      'a redirect',
      {
        discovery: (right, response) =>
          void response.writeHead(302, { location: String(right['jwks_uri']) }).end(),
      },
    ],
  ])('its discovery is %s', async (_, broken) => {
    const { issuer } = await startBroken(broken);
    await expect(stepsOf(issuer).start()).rejects.toMatchObject(UNREACHABLE);
  });

  test('its token endpoint fails, or cuts the connection', async () => {
    for (const token of [
      (response: ServerResponse) => void response.writeHead(502).end(),
      (response: ServerResponse) => void response.destroy(),
    ]) {
      const { issuer, signIn } = await startBroken({ token });
      await expect(signIn(stepsOf(issuer))).rejects.toMatchObject(UNREACHABLE);
    }
  });

  test('nothing listens there; once it does, a sign-in works without a restart', async () => {
    const { issuer, signIn } = await startBroken();
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = Object(server.address());
    await new Promise((resolve) => server.close(resolve));
    await expect(stepsOf(`http://127.0.0.1:${port}`).start()).rejects.toMatchObject(UNREACHABLE);

    let isUp = false;
    const flaky = await startBroken({
      discovery: (right, response) => (isUp ? right : void response.writeHead(503).end()),
    });
    const steps = stepsOf(flaky.issuer);
    await expect(steps.start()).rejects.toMatchObject(UNREACHABLE);
    isUp = true;
    expect((await flaky.signIn(steps)).sub).toBe('ann');
    expect((await signIn(stepsOf(issuer))).sub).toBe('ann');
  });

  test('it does not answer within five seconds, at either step', async () => {
    const waits: number[] = [];
    const atOnce = (ms: number, callback: () => void) => {
      waits.push(ms);
      const timer = setTimeout(callback, 20);
      return () => clearTimeout(timer);
    };
    const silent = await startBroken({ discovery: () => undefined });
    await expect(stepsOf(silent.issuer, atOnce).start()).rejects.toMatchObject(UNREACHABLE);
    expect(waits).toEqual([5_000]);

    const slow = await startBroken({ token: () => undefined });
    let isSlow = false;
    const patient = stepsOf(slow.issuer, (ms, callback) =>
      isSlow ? atOnce(ms, callback) : awaitedAfter(ms, callback),
    );
    const { url, transaction } = await patient.start();
    isSlow = true;
    const response = `code=c&state=${new URL(url).searchParams.get('state')}`;
    await expect(patient.finish({ transaction, response })).rejects.toMatchObject(UNREACHABLE);
  });
});

describe('options that cannot work are refused at once', () => {
  const right = { ...CLIENT, issuer: 'https://login.example.com' };
  test.each<[options: object]>([
    [{ issuer: 'http://login.example.com' }],
    [{ issuer: 'https://login.microsoftonline.com/common/v2.0' }],
    [{ issuer: 'https://login.microsoftonline.com/organizations/v2.0' }],
    [{ issuer: 'https://login.microsoftonline.com/{tenantid}/v2.0' }],
    [{ issuer: 'https://user:secret@login.example.com' }],
    [{ issuer: 'https://login.example.com?tenant=a' }],
    [{ issuer: '' }],
    [{ issuer: undefined }],
    [{ clientId: '' }],
    [{ clientSecret: '' }],
    [{ scope: 'email' }],
    [{ redirectUri: 'https://id.example' }],
    [{ redirectUri: 'https://id.example/#/join' }],
    [{ redirectUri: 'http://id.example/' }],
    [{ issuerUrl: 'https://login.example.com' }],
  ])('%j', (wrong) => {
    expect(() => openidProvider({ ...right, ...wrong })).toThrow(
      expect.objectContaining({ code: 'invalid_configuration' }),
    );
  });

  test('a realm may have any name, and loopback needs no https', () => {
    for (const issuer of [
      'https://id.example/realms/common',
      'http://localhost:8080/realms/a',
      'http://[::1]:1',
    ])
      expect(Object.keys(openidProvider({ ...right, issuer }))).toEqual(['start', 'finish']);
  });
});
