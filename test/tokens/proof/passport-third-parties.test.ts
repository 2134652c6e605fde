import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { verifyJWT } from 'did-jwt';
import { createLocalJWKSet, createRemoteJWKSet, type JSONWebKeySet, jwtVerify } from 'jose';
import { describe, expect, test } from 'vitest';
import { nodeListener } from '../../../src/http/index.ts';
import { domainDocument } from '../../../src/identity/documents.ts';
import { sayMissing } from '../../support/missing.ts';
import { listen } from '../../support/servers.ts';
import { SECRET } from '../../support/service.ts';
import { AGENT, claimsOf, ISSUER, openSigningService, PUBLIC_URL, shopper } from '../../support/signing.ts';

const CHECKER = fileURLToPath(new URL('check-passport.py', import.meta.url));

const hasPython = spawnSync('python3', ['-c', 'import cryptography']).status === 0;

describe.each(['EdDSA', 'ES256'] as const)('a passport that is signed with %s', (alg) => {
  async function openSigned() {
    const opened = openSigningService({ identity: { secret: SECRET, publicUrl: PUBLIC_URL, alg } });
    const { service } = opened;
    await service.passports.create(shopper());
    const { token } = await service.passports.sign(AGENT);
    const { uri } = (claimsOf(token)['status'] as { status_list: { uri: string } }).status_list;
    const list = async () =>
      (await service.signing.statusList(uri.slice(`${PUBLIC_URL}/status/`.length))).token;
    return { ...opened, token, list };
  }

  test('verifies with jose, by the JWK set in hand and by that of the service', async () => {
    const { service, clock, token } = await openSigned();
    const options = {
      issuer: ISSUER,
      subject: AGENT,
      typ: 'agent-passport+jwt',
      algorithms: [alg],
      currentDate: new Date(clock.now()),
    };
    const local = createLocalJWKSet((await service.signing.jwks()) as JSONWebKeySet);
    expect((await jwtVerify(token, local, options)).payload['vct']).toBe('urn:agent-identity:passport:1');
    const origin = await listen(nodeListener(service));
    const remote = createRemoteJWKSet(new URL(`${origin}/api/jwks.json`));
    expect((await jwtVerify(token, remote, options)).payload.sub).toBe(AGENT);
    const later = { ...options, currentDate: new Date(clock.now() + 3_601_000) };
    await expect(jwtVerify(token, local, later)).rejects.toMatchObject({ code: 'ERR_JWT_EXPIRED' });
    const changed = `${token.slice(0, -3)}${token.endsWith('AAA') ? 'BBA' : 'AAA'}`;
    await expect(jwtVerify(changed, local, options)).rejects.toMatchObject({
      code: 'ERR_JWS_SIGNATURE_VERIFICATION_FAILED',
    });
  });

  test('verifies with did-jwt, by the DID document of its issuer', async () => {
    const { service, clock, token } = await openSigned();
    const { keys } = await service.signing.jwks();
    const document = domainDocument({ domain: 'example.com', keys });
    const resolver = {
      resolve: async (did: string) => ({
        didResolutionMetadata: did === ISSUER ? {} : { error: 'notFound' },
        didDocument: (did === ISSUER ? document : null) as never,
        didDocumentMetadata: {},
      }),
    };
    const now = clock.now() / 1_000;
    const options = { resolver, proofPurpose: 'assertionMethod', policies: { now } } as const;
    expect(await verifyJWT(token, options)).toMatchObject({ verified: true, issuer: ISSUER });
    const changed = `${token.slice(0, -3)}${token.endsWith('AAA') ? 'BBA' : 'AAA'}`;
    await expect(verifyJWT(changed, options)).rejects.toThrow();
  });

  test.runIf(hasPython)('verifies in Python, until it is revoked', async () => {
    const { service, clock, token, list } = await openSigned();
    const { keys } = await service.signing.jwks();
    const check = async (given: object = {}, issuer = ISSUER) => {
      const input = JSON.stringify({ token, keys, list: await list(), ...given });
      const asked = [CHECKER, issuer, `${clock.now() / 1_000}`];
      const { status, stdout, stderr } = spawnSync('python3', asked, { input, encoding: 'utf8' });
      return status === 0 ? JSON.parse(stdout) : stderr.trim().split('\n').at(-1);
    };
    expect(await check()).toEqual(claimsOf(token)['passport']);
    expect(await check({}, 'did:web:example.org')).toBe('AssertionError: issuer');
    const foreign = (await openSigned()).token;
    expect(await check({ token: foreign })).toBe('StopIteration');
    const [head, , signature] = token.split('.');
    const changed = [head, foreign.split('.')[1], signature].join('.');
    expect(await check({ token: changed })).toContain('InvalidSignature');
    await service.revoke({ agent_id: AGENT });
    clock.advance(60_000);
    expect(await check()).toBe('AssertionError: revoked or suspended');
    clock.advance(3_600_000);
    expect(await check()).toBe('AssertionError: time');
  });
});

if (!hasPython) sayMissing('python3 has no cryptography here: the checker in Python did not run.');
