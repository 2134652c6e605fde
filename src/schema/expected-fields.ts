/**
 * Describes the valid values of the fields of paces and rules of order, for error messages. A pace limits the
 * number of actions in any period of a given length. A rule of order needs or forbids earlier actions.
 */

import { MAX_ENTRIES } from '../base/values/field-limits.ts';
import { MAX_FAILED, MAX_ORDER_SECONDS, MAX_ORDERS, MAX_SAME } from '../base/values/order.ts';
import { MAX_PACE, MAX_PACE_SECONDS, MAX_PACES } from '../base/values/pace.ts';
import { MAX_SESSION_LENGTH } from '../base/values/subject.ts';
import {
  MAX_ISSUER,
  MAX_SUBJECTS,
  MAX_TRUSTED_ISSUERS,
  MAX_TRUSTED_KEYS,
  WORKLOAD_AGENTS,
} from '../base/values/trusted-issuer.ts';
import type { Order, OrderForbids, Pace, TrustedIssuer } from '../records.ts';

const NAME = 'a name such as tested: a lower-case letter, then at most 31 of a-z, 0-9, _ and -';
const ACTIONS = `a list of 1 to ${MAX_ENTRIES} actions and patterns, such as ["deploy.run", "orders.*"]`;

export const ORDER_LIST: string = `a list of at most ${MAX_ORDERS} rules with name, actions, and needs or forbids`;
export const ORDER_RULE = 'an object with name, actions, and exactly one of needs and forbids';
export const SAME_VALUE = 'session, target or a JSON Pointer such as /commit, without *';
export const SESSION: string = `text of 1 to ${MAX_SESSION_LENGTH} printable ASCII characters without a space`;

export const OF_ORDERS: Readonly<Record<keyof Order, string>> = {
  name: NAME,
  actions: ACTIONS,
  needs: 'an object with actions and seconds',
  forbids: 'an object with actions and seconds',
  same: `a list of at most ${MAX_SAME} different values, such as ["session"]`,
};

export const OF_EARLIER: Readonly<Record<keyof OrderForbids, string>> = {
  actions: ACTIONS,
  seconds: `a whole number from 1 to ${MAX_ORDER_SECONDS.toLocaleString('en')}`,
  failed: `a whole number from 1 to ${MAX_FAILED}, in forbids alone`,
};

export const PACE_LIST: string = `a list of at most ${MAX_PACES} paces, such as [{"max": 5, "seconds": 60}]`;

export const OF_PACES: Readonly<Record<keyof Pace, string>> = {
  name: NAME,
  actions: ACTIONS,
  max: `a whole number from 1 to ${MAX_PACE.toLocaleString('en')}`,
  seconds: `a whole number from 1 to ${MAX_PACE_SECONDS.toLocaleString('en')}`,
};

// Describes the valid values of the fields of trusted issuers, for error messages.

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
