/** The parts of the test vectors for permits. */
import { createHash } from 'node:crypto';
import { ED25519, encode, jsonOf, P256, signText, thumbprint } from '../vector-parts.mjs';

export const AT = 1_800_000_000;
export const ISSUER = 'did:web:example.com';
export const AUDIENCE = 'https://pay.example';
export const KEYS = [ED25519, P256];

/** The action that the resource is about to carry out. */
export const PAYMENT = {
  action: 'payments.create',
  target: 'did:web:pay.example',
  amount: '129.9',
  currency: 'EUR',
};

/** The intent that was evaluated, in canonical form (RFC 8785). */
export const INTENT_TEXT =
  `{"action":"payments.create","agent_id":"${ISSUER}:agents:shopper",` +
  '"parameters":{"amount":"129.90","currency":"EUR","order":{"lines":[1,2.5,null]}},"target":"did:web:pay.example"}';

export const HEADER = { alg: 'EdDSA', kid: thumbprint(ED25519), typ: 'agent-permit+jwt' };

export const CLAIMS = {
  iss: ISSUER,
  sub: `${ISSUER}:agents:shopper`,
  aud: AUDIENCE,
  iat: AT - 10,
  exp: AT + 20,
  jti: 'dec_5nWq8ZrT2yLkXc0BvH0000s4Ge',
  permit: {
    environment: 'live',
    ...PAYMENT,
    digest: createHash('sha256').update(INTENT_TEXT).digest('hex'),
    passport_version: 3,
  },
};

/** Returns a permit with these members; `undefined` leaves a member out. A text is used as JSON without changes. */
export function permit({
  header = {},
  claims = {},
  permit: changed = {},
  key = ED25519,
  kid = (id) => id,
} = {}) {
  const whole =
    typeof claims === 'string' ? claims : { ...CLAIMS, permit: { ...CLAIMS.permit, ...changed }, ...claims };
  const head = typeof header === 'string' ? header : { ...HEADER, kid: kid(HEADER.kid), ...header };
  const signed = `${encode(jsonOf(head))}.${encode(jsonOf(whole))}`;
  return `${signed}.${signText(signed, key)}`;
}
