/** Describes the valid values of the fields of trusted issuers, for error messages. */

import {
  MAX_ISSUER,
  MAX_SUBJECTS,
  MAX_TRUSTED_ISSUERS,
  MAX_TRUSTED_KEYS,
  WORKLOAD_AGENTS,
} from '../base/values/trusted-issuer.ts';
import type { TrustedIssuer } from '../records.ts';

export const COORDINATE = '32 bytes in base64url without padding';

export const TRUSTED_LIST: string = `a list of at most ${MAX_TRUSTED_ISSUERS} issuers, such as [{"issuer": "https://idp.example", "use": "user"}]`;

export const OF_TRUSTED_ISSUERS: Readonly<Record<keyof TrustedIssuer, string>> = {
  issuer: `text of 1 to ${MAX_ISSUER} printable ASCII characters without a space; without keys an https URL`,
  use: 'workload or user',
  keys: `a list of 1 to ${MAX_TRUSTED_KEYS} public keys as JWK`,
  subjects: `a list of 1 to ${MAX_SUBJECTS} different texts, such as ["system:serviceaccount:shop:*"]`,
  max_agents: `a whole number from ${WORKLOAD_AGENTS.least} to ${WORKLOAD_AGENTS.most.toLocaleString('en')}, with workload alone`,
  reuse: 'true or false, with workload alone',
};

export const TRUSTED_ENTRIES: Readonly<Record<string, string>> = {
  trusted_issuers: 'an object with issuer and use',
  keys: 'a public key as JWK: RSA of 2,048 to 4,096 bits, P-256 or Ed25519',
  subjects: 'text of 1 to 256 characters, exact or a beginning and *, and not * alone',
};

export const OF_TRUSTED_KEYS: Readonly<Record<string, string>> = {
  kty: 'RSA, OKP or EC',
  crv: 'Ed25519 or P-256',
  x: COORDINATE,
  y: COORDINATE,
  n: 'a modulus of 2,048 to 4,096 bits in base64url without padding',
  e: 'an odd number above 1 in base64url without padding, such as AQAB',
  kid: 'text of 1 to 256 characters',
  alg: 'RS256 or PS256 for RSA, ES256 for P-256, EdDSA or Ed25519 for Ed25519',
  use: 'sig',
};
