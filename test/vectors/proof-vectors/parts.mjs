/** The parts of the test vectors for proofs. */
import { createECDH, createHash, createPrivateKey, createPublicKey, sign } from 'node:crypto';

export const AGENT = 'did:web:example.com:agents:shopper';
export const AUDIENCES = ['https://id.example.com/api', 'urn:example:checkout'];
export const MAX_SECONDS = 300;
/** The time of the test vectors in seconds since the epoch: 2026-11-23T12:00:00Z. */
export const NOW = 1_795_435_200;
export const TARGET = 'did:web:shop.example';
export const INTENT = {
  action: 'payments.create',
  target: TARGET,
  parameters: { amount: '129.90', currency: 'EUR', order: { lines: [1, 2.5, null], gift: false } },
};

/**
 * The key pairs of the test vectors. They derive from texts, so that they are the same in every run. Do not use them
 * for anything else.
 */
export const KEYS = [ed25519('one'), ed25519('two'), p256('three')];

export const JTI = 'AAAAAAAAAAAAAAAAAAAAAA';

function seedOf(name) {
  return createHash('sha256').update(`agent-identity-service proof vectors, key ${name}`).digest();
}

function ed25519(name) {
  const der = Buffer.concat([Buffer.from('302e020100300506032b657004220420', 'hex'), seedOf(name)]);
  return { alg: 'EdDSA', key: createPrivateKey({ key: der, format: 'der', type: 'pkcs8' }) };
}

function p256(name) {
  const curve = createECDH('prime256v1');
  const d = seedOf(name);
  curve.setPrivateKey(d);
  const point = curve.getPublicKey();
  const [x, y] = [point.subarray(1, 33), point.subarray(33)].map((bytes) => bytes.toString('base64url'));
  const jwk = { kty: 'EC', crv: 'P-256', x, y, d: d.toString('base64url') };
  return { alg: 'ES256', key: createPrivateKey({ key: jwk, format: 'jwk' }) };
}

export function privateJwk({ key }) {
  return key.export({ format: 'jwk' });
}

/** Returns the public key in the form of a passport. */
export function publicJwk({ key, alg }) {
  const { kty, crv, x, y } = createPublicKey(key).export({ format: 'jwk' });
  const members = kty === 'OKP' ? { crv, kty, x } : { crv, kty, x, y };
  const kid = createHash('sha256').update(JSON.stringify(members)).digest('base64url');
  return { ...members, kid, alg };
}

export const [ONE, TWO, THREE] = KEYS;
export const PUBLIC_KEYS = KEYS.map(publicJwk);

export function base64url(bytes) {
  return Buffer.from(bytes).toString('base64url');
}

/** Returns the signature in the form of JWS. */
export function signed(text, { key, alg }) {
  if (alg === 'EdDSA') return sign(null, Buffer.from(text), key);
  return sign('sha256', Buffer.from(text), { key, dsaEncoding: 'ieee-p1363' });
}

/** Returns a compact JWS of a header and a payload, which are texts or values. */
export function jws(header, payload, key = ONE) {
  const text = [header, payload].map((part) => base64url(textOf(part))).join('.');
  return `${text}.${base64url(signed(text, key))}`;
}

function textOf(part) {
  return typeof part === 'string' || Buffer.isBuffer(part) ? part : JSON.stringify(part);
}

export function headerOf(key = ONE, changed = {}) {
  return { typ: 'agent-intent+jwt', alg: key.alg, kid: publicJwk(key).kid, ...changed };
}

/** Returns the claims of a bound proof with changes; `undefined` leaves a claim out. */
export function claimsOf(changed = {}) {
  const [aud] = AUDIENCES;
  return { iss: AGENT, aud, iat: NOW - 10, exp: NOW + 50, jti: JTI, intent: INTENT, ...changed };
}

/**
 * Returns a vector: the proof and the expected result. It contains `required`, `public_keys` and `intent` only if they
 * differ from the standard values.
 */
export function vector(name, proof, found, changed = {}) {
  return { name, ...found, ...changed, proof };
}
