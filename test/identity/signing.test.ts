import { calculateJwkThumbprint, compactVerify, createLocalJWKSet } from 'jose';
import { expect, test } from 'vitest';
import { memoryStorage } from '../../adapters/storage/memory/index.ts';
import { accessTokens } from '../../src/access-tokens/index.ts';
import { checkOptions } from '../../src/core/setup/checked-options.ts';
import { openContext } from '../../src/core/setup/open-context.ts';
import { createPublicPlaces } from '../../src/core/storage/public-reads.ts';
import { createIdentityService } from '../../src/core.ts';
import { evidence } from '../../src/evidence/index.ts';
import { checkedIdentity } from '../../src/identity/identity-options.ts';
import { identity } from '../../src/identity/index.ts';
import { createSigning, type OpenSigning, type Signing } from '../../src/identity/signing.ts';
import type { SignedToken } from '../../src/identity/token-signer.ts';
import type { StorageAdapter } from '../../src/ports/storage.ts';
import { PATIENT_MS } from '../support/patience.ts';
import { type ManualClock, MINUTE, manualClock, openLocalService, SECRET } from '../support/service.ts';
import { makeSigner } from '../support/signers.ts';
import { headerOf } from '../support/signing.ts';

const OTHER = 'uN3_kE7-yG1.bD5+wS9~oV2*fM8=qT6?';
const DAY = 24 * 60 * MINUTE;

interface Node {
  readonly signing: Signing & Pick<OpenSigning, 'ready' | 'reseal'>;
  /** Signs bytes as a token. */
  readonly sign: () => Promise<SignedToken>;
}

/** The signing of one service, with what signs. */
function open(
  storage: StorageAdapter,
  clock: ManualClock,
  secrets: readonly string[] = [SECRET],
  lost = false,
): Node {
  const [secret = '', ...previousSecrets] = secrets;
  const options = checkedIdentity({
    ...(!lost && { secret, previousSecrets }),
    publicUrl: 'https://id.example.com/api',
  });
  const publicPlaces = createPublicPlaces();
  const core = {
    ...openContext(checkOptions({ storage, clock, ...(lost && { session: { secret } }) })).context,
    publicUrl: options.publicUrl,
    sealingSecrets: secrets,
    isSecretLost: lost,
    demanded: () => publicPlaces as never,
  };
  const { room, tokens, ready, reseal } = createSigning(core, options);
  if (tokens === undefined) throw new TypeError('There is no signer.');
  return { signing: { ...room, ready, reseal }, sign: () => tokens.sign('test+jwt', {}) };
}

/** Signs a JWS with the key that signs, checks it with jose against the published set, and gives its kid back. */
async function signAndCheck({ signing, sign }: Node): Promise<string> {
  const { keys } = await signing.jwks();
  const states = await signing.list();
  const { kid = '', alg } = states.find(({ state }) => state === 'signing') ?? {};
  const { kid: signedBy, token } = await sign();
  expect(signedBy).toBe(kid);
  expect(headerOf(token)).toEqual({ alg, kid, typ: 'test+jwt' });
  const { payload } = await compactVerify(token, createLocalJWKSet({ keys: [...keys] }));
  expect(new TextDecoder().decode(payload)).toBe('{}');
  return kid;
}

const statesOf = async ({ signing }: Node) => (await signing.list()).map(({ state }) => state);

test.each(['EdDSA', 'ES256'] as const)(
  'a key for %s is published without its secret, and jose checks it',
  async (alg) => {
    const { service, storage } = openLocalService({ identity: { secret: SECRET, alg } });
    const { keys } = await service.signing.jwks();
    expect(keys).toMatchObject([{ alg, use: 'sig' }]);
    for (const key of keys) {
      expect(key).not.toHaveProperty('d');
      expect(await calculateJwkThumbprint({ ...key })).toBe(key.kid);
    }
    const node = open(storage, manualClock());
    expect(await signAndCheck(node)).toBe(keys[0]?.kid);
  },
);

test('a new key is published at once, signs after 600 s, and the one before stays for a day and 600 s', async () => {
  const clock = manualClock();
  const node = open(memoryStorage(), clock);
  await node.signing.ready();
  const first = await signAndCheck(node);
  const made = await node.signing.rotate({ alg: 'ES256' });
  expect(await statesOf(node)).toEqual(['published', 'signing']);
  await expect(node.signing.rotate()).rejects.toMatchObject({ code: 'conflict' });
  clock.advance(600_000 - 1);
  expect(await signAndCheck(node)).toBe(first);
  clock.advance(1);
  expect(await signAndCheck(node)).toBe(made.kid);
  expect(await statesOf(node)).toEqual(['signing', 'retiring']);
  clock.advance(DAY + 600_000 - 1);
  expect((await node.signing.jwks()).keys).toHaveLength(2);
  clock.advance(1);
  expect(await statesOf(node)).toEqual(['signing', 'retired']);
  expect((await node.signing.jwks()).keys.map(({ kid }) => kid)).toEqual([made.kid]);
});

test('with now the new key signs at once, on every node within a second', async () => {
  const clock = manualClock();
  const storage = memoryStorage();
  // The other node gets no notice.
  const { subscribe: _, ...deaf } = storage;
  const [node, other] = [open(storage, clock), open(deaf, clock)];
  await signAndCheck(other);
  clock.advance(1);
  const { kid } = await node.signing.rotate({ now: true });
  expect(await signAndCheck(node)).toBe(kid);
  clock.advance(1_000);
  expect(await signAndCheck(other)).toBe(kid);
});

test('two rotations at the same moment make one key', async () => {
  const clock = manualClock();
  const storage = memoryStorage();
  const nodes = [open(storage, clock), open(storage, clock)];
  for (const node of nodes) await node.signing.ready();
  const made = await Promise.allSettled(nodes.map(({ signing }) => signing.rotate()));
  expect(made.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  expect(await storage.list('signing_keys', { where: {}, limit: 10 })).toHaveLength(2);
});

test('revoking leaves a key that signs, whichever is revoked', async () => {
  const clock = manualClock();
  const node = open(memoryStorage(), clock);
  const first = await signAndCheck(node);
  await node.signing.revoke(first);
  const second = await signAndCheck(node);
  expect(second).not.toBe(first);
  expect((await node.signing.jwks()).keys.map(({ kid }) => kid)).toEqual([second]);
  // One that waits: the one that signs was to retire, and gets a successor.
  const waiting = await node.signing.rotate();
  await node.signing.revoke(waiting.kid);
  expect(await statesOf(node)).toEqual(['published', 'revoked', 'signing', 'revoked']);
  for (let hour = 0; hour < 30; hour += 1) {
    clock.advance(60 * MINUTE);
    await signAndCheck(node);
  }
  expect(await statesOf(node)).toEqual(['signing', 'revoked', 'retired', 'revoked']);
  await expect(node.signing.revoke('nobody')).rejects.toMatchObject({ code: 'not_found' });
});

test('a clock that is behind that of the node that made the key signs with it all the same', async () => {
  const storage = memoryStorage();
  const ahead = manualClock();
  ahead.advance(5_000);
  const kid = await signAndCheck(open(storage, ahead));
  expect(await signAndCheck(open(storage, manualClock()))).toBe(kid);
});

test('refuses another secret with the kid and the command, and mends it by reseal with both secrets', async () => {
  const clock = manualClock();
  const storage = memoryStorage();
  const kid = await signAndCheck(open(storage, clock));
  const changed = open(storage, clock, [OTHER]);
  for (const attempt of [
    () => changed.signing.ready(),
    () => changed.signing.rotate(),
    () => changed.signing.reseal(),
    () => changed.sign(),
  ]) {
    const error = await attempt().catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: 'invalid_configuration' });
    expect(String(error)).toContain(kid);
    expect(String(error)).toContain('signing-key reseal');
    expect(String(error)).not.toContain(OTHER);
  }
  const both = open(storage, clock, [OTHER, SECRET]);
  await both.signing.ready();
  expect(await both.signing.reseal()).toBe(1);
  expect(await both.signing.reseal()).toBe(0);
  expect(await signAndCheck(open(storage, clock, [OTHER]))).toBe(kid);
  await expect(open(storage, clock).signing.ready()).rejects.toMatchObject({ code: 'invalid_configuration' });
});

test('keys of a secret that is lost are revoked one by one, or all at a start that says so', async () => {
  const clock = manualClock();
  const storage = memoryStorage();
  const kid = await signAndCheck(open(storage, clock));
  const node = open(storage, clock, [OTHER]);
  await node.signing.revoke(kid);
  const next = await signAndCheck(node);
  expect(next).not.toBe(kid);
  const lost = open(storage, clock, [SECRET], true);
  await lost.signing.ready();
  expect([kid, next]).not.toContain(await signAndCheck(lost));
});

test('a service without the capability has no keys and no methods for them', async () => {
  const { service, storage } = openLocalService();
  await service.health();
  for (const room of ['signing', 'published']) expect(service).not.toHaveProperty(room);
  expect(service.passports).not.toHaveProperty('sign');
  expect(await storage.list('signing_keys', { where: {}, limit: 10 })).toEqual([]);
});

test.each([
  [{}, 'needs a secret'],
  [{ secret: 'short' }, 'fewer than 32 bytes'],
  [{ secret: SECRET, previousSecrets: ['short'] }, 'fewer than 32 bytes'],
  [{ secret: SECRET, alg: 'RS256' as 'ES256' }, 'EdDSA or ES256'],
])('identity %j is refused', (identity, message) => {
  expect(() => openLocalService({ identity })).toThrow(
    expect.objectContaining({ code: 'invalid_configuration', message: expect.stringContaining(message) }),
  );
});

test('a signer of the application replaces stored keys', async () => {
  const { service, storage } = openLocalService({ identity: { signer: await makeSigner() } });
  const { keys } = await service.signing.jwks();
  expect(keys).toHaveLength(1);
  await service.health();
  expect(await storage.list('signing_keys', { where: {}, limit: 10 })).toEqual([]);
});

test('nothing that the service says of its keys holds a private one', async () => {
  const { service, storage, logs, trail } = openLocalService({ identity: { secret: SECRET } });
  await service.health();
  const { kid } = await service.signing.rotate({ now: true });
  await service.signing.revoke(kid);
  const said = JSON.stringify([logs, trail, await service.signing.list(), await service.signing.jwks()]);
  for (const { sealed } of await storage.list('signing_keys', { where: {}, limit: 10 })) {
    expect(said).not.toContain(String(sealed));
  }
  expect(said).not.toMatch(/"d":|sealed/);
  expect(trail.map(({ event }) => event)).toEqual([
    'signing_key.created',
    'signing_key.rotated',
    'signing_key.revoked',
  ]);
});

test('the place of the capability in the list has no meaning', async () => {
  const signs = identity({ secret: SECRET, publicUrl: 'https://id.example.com/api' });
  for (const capabilities of [
    [evidence(), signs, accessTokens()] as const,
    [signs, accessTokens(), evidence()] as const,
  ]) {
    const service = createIdentityService({
      storageDeadlineMs: PATIENT_MS,
      storage: memoryStorage(),
      capabilities,
    });
    await service.health();
    expect(service.tokens.metadata('example.com').issuer).toMatch(/^https:\/\/id\.example\.com/);
    await service.close();
  }
  const open = () =>
    createIdentityService({
      storageDeadlineMs: PATIENT_MS,
      storage: memoryStorage(),
      capabilities: [evidence()],
    });
  expect(open).toThrow(/^evidence needs identity\(\): list it in options\.capabilities\.$/);
});
