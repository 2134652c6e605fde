/** The keys and tools of the test vectors for tokens. The private keys are public, so do not trust them. */
import { createHash, createPrivateKey, sign } from 'node:crypto';

export const ED25519 = {
  kty: 'OKP',
  crv: 'Ed25519',
  x: 'j34RQnr-EunJDzcJu6ZZO9ppcuf-aym9wN4tDSJl9pc',
  d: 'MICnSQ6LR9T4WTtzJGmHF5I12Z9Ee2u5PsuqY9fxaQo',
};
export const FOREIGN = {
  kty: 'OKP',
  crv: 'Ed25519',
  x: 'Rp_D0ZOA14wlFd8PLUA5-5LoTE1BYWF3c094ahTRdjw',
  d: 'gcAEBfa_VliSwTEBzZWTuK9OqE5w_VpOxjcoIHG2LtA',
};
export const P256 = {
  kty: 'EC',
  crv: 'P-256',
  x: 'dzvD1icHIM2tv7rdQOJRhGeOiEzzsVfodb6nZCO7tFQ',
  y: '7pwQ5wDGOrY9DnXaCpYw-EH2CgsC22wPDdFJKK1yAi0',
  d: 'BUGqGrd3QqpfwULzNRmsY2mnGBeOpAZihxUQRfS3NEc',
};
export const encode = (text) => Buffer.from(text).toString('base64url');
export const jsonOf = (value) => (typeof value === 'string' ? value : JSON.stringify(value));
export const publicJwk = ({ d: _, ...jwk }) => jwk;
export const thumbprint = ({ kty, crv, x, y }) => {
  const members = kty === 'OKP' ? { crv, kty, x } : { crv, kty, x, y };
  return createHash('sha256').update(JSON.stringify(members)).digest('base64url');
};

export function signText(signed, jwk) {
  const key = createPrivateKey({ key: jwk, format: 'jwk' });
  const data = Buffer.from(signed);
  const made =
    jwk.kty === 'OKP' ? sign(null, data, key) : sign('sha256', data, { key, dsaEncoding: 'ieee-p1363' });
  return made.toString('base64url');
}

export function publicKeys(keys) {
  return keys.map((jwk) => ({
    ...publicJwk(jwk),
    kid: thumbprint(jwk),
    alg: jwk.kty === 'OKP' ? 'EdDSA' : 'ES256',
    use: 'sig',
  }));
}
