/** The schema of the trusted issuers of a passport. */
import {
  MAX_ISSUER,
  MAX_SUBJECTS,
  MAX_TRUSTED_ISSUERS,
  MAX_TRUSTED_KEYS,
  WORKLOAD_AGENTS,
} from '../base/values/trusted-issuer.ts';
import type { TrustedIssuer } from '../records.ts';
import { closedObject, type JsonSchema } from './json-schema.ts';

const text: JsonSchema = { type: 'string' };

/**
 * The schema of a key. It accepts unknown members. Code checks them, because a member of a private key, such
 * as `d`, has its own error code.
 */
const key: JsonSchema = {
  type: 'object',
  description:
    'Public JWK: RSA of 2,048 to 4,096 bits, P-256 or Ed25519. A private member is refused with the code private_key.',
  properties: {
    kty: { type: 'string', enum: ['RSA', 'EC', 'OKP'] },
    crv: { type: 'string', enum: ['P-256', 'Ed25519'] },
    x: text,
    y: text,
    n: { ...text, maxLength: 1024 },
    e: { ...text, maxLength: 16 },
    kid: { type: 'string', minLength: 1, maxLength: MAX_ISSUER },
    alg: { type: 'string', enum: ['RS256', 'PS256', 'ES256', 'EdDSA', 'Ed25519'] },
    use: { type: 'string', enum: ['sig'] },
  },
  required: ['kty'],
};

const members: Readonly<Record<keyof TrustedIssuer, JsonSchema>> = {
  issuer: {
    type: 'string',
    minLength: 1,
    maxLength: MAX_ISSUER,
    description: 'The claim iss of its assertions. Without keys an https URL.',
  },
  use: {
    type: 'string',
    enum: ['workload', 'user'],
    description: 'workload: each subject is a child agent. user: the agent acts for the subject.',
  },
  keys: {
    type: 'array',
    items: key,
    minItems: 1,
    maxItems: MAX_TRUSTED_KEYS,
    description: 'Its keys. Absent: read at its address.',
  },
  subjects: {
    type: 'array',
    items: { type: 'string', minLength: 1, maxLength: MAX_ISSUER },
    minItems: 1,
    maxItems: MAX_SUBJECTS,
    uniqueItems: true,
    description: 'The accepted claims sub, exact or a beginning and *. Required for workload.',
  },
  max_agents: {
    type: 'integer',
    minimum: WORKLOAD_AGENTS.least,
    maximum: WORKLOAD_AGENTS.most,
    description: `The most child agents, ${WORKLOAD_AGENTS.default} by default. For workload alone.`,
  },
  reuse: {
    type: 'boolean',
    description: 'true: an assertion is accepted until its end. For workload alone.',
  },
};

export const trustedIssuers: JsonSchema = {
  type: 'array',
  items: closedObject(members, ['issuer', 'use'], 'An issuer whose assertions get access tokens.'),
  maxItems: MAX_TRUSTED_ISSUERS,
  description: 'The issuers whose assertions get access tokens. Child agents do not inherit them.',
  examples: [
    [{ issuer: 'https://cluster.example', use: 'workload', subjects: ['system:serviceaccount:shop:*'] }],
  ],
};
