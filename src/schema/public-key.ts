/** The schemas of the public keys of agents: as an account registers them, and as passports contain them. */
import { MAX_PUBLIC_KEYS } from '../base/values/field-limits.ts';
import { answer, type JsonSchema } from './json-schema.ts';

const text: JsonSchema = { type: 'string' };

const members = {
  kty: { type: 'string', enum: ['OKP', 'EC'] },
  crv: { type: 'string', enum: ['Ed25519', 'P-256'] },
  x: { ...text, description: '32 bytes in base64url without padding.' },
  y: { ...text, description: 'The same, for P-256 only.' },
} satisfies Record<string, JsonSchema>;

export function shownKey(
  extra: Readonly<Record<string, JsonSchema>>,
  optional: readonly string[],
): JsonSchema {
  return answer(
    {
      ...members,
      kid: { type: 'string', pattern: '^[A-Za-z0-9_-]{43}$', description: 'RFC 7638 thumbprint.' },
      alg: { type: 'string', enum: ['EdDSA', 'ES256'] },
      ...extra,
    },
    ['y', ...optional],
  );
}

export const shownPublicKeys: JsonSchema = {
  type: 'array',
  items: shownKey({}, []),
  maxItems: MAX_PUBLIC_KEYS,
};

/**
 * The schema of public keys for registration. Code checks unknown members, because a private member has its own error
 * code.
 */
export const publicKeys: JsonSchema = {
  type: 'array',
  items: {
    type: 'object',
    description:
      'Public JWK of a key on Ed25519 or P-256. ext and key_ops are ignored; any other member is refused, and a private one with the code private_key.',
    properties: {
      ...members,
      kid: { ...text, description: 'If given, the RFC 7638 thumbprint of the key.' },
      alg: { type: 'string', enum: ['EdDSA', 'Ed25519', 'ES256'] },
      use: { type: 'string', enum: ['sig'] },
    },
    required: ['kty', 'crv', 'x'],
  },
  maxItems: MAX_PUBLIC_KEYS,
  description: 'Public keys of the agent. They are returned with kid and alg.',
};
