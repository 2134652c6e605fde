/**
 * Writes src/tokens/proof/vectors/permits.json: permits with matching actions, and permits and actions that every
 * resource must refuse. Run it with `node test/vectors/permit-vectors.mjs`.
 */
import { writeFileSync } from 'node:fs';
import { badIntents, INTENT } from './permit-vectors/intents.mjs';
import { AT, AUDIENCE, CLAIMS, ISSUER, KEYS, PAYMENT, permit } from './permit-vectors/parts.mjs';
import { badTokens } from './permit-vectors/tokens.mjs';
import { P256, publicKeys, thumbprint } from './vector-parts.mjs';

const bare = { target: undefined, amount: undefined, currency: undefined };
const byP256 = { header: { alg: 'ES256', kid: thumbprint(P256) }, key: P256 };
const test = { claims: { aud: `test:${AUDIENCE}` }, permit: { environment: 'test' } };

const valid = [
  ['EdDSA', permit()],
  ['the name Ed25519 of RFC 9864', permit({ header: { alg: 'Ed25519' } })],
  ['ES256', permit(byP256)],
  ['a kid that is a DID URL of the issuer', permit({ kid: (kid) => `${ISSUER}#${kid}` })],
  ['within the leeway of 5 s before iat', permit({ claims: { iat: AT + 5, exp: AT + 35 } })],
  ['within the leeway of 5 s after exp', permit({ claims: { iat: AT - 34, exp: AT - 4 } })],
  ['60 s', permit({ claims: { exp: CLAIMS.iat + 60 } })],
  ['an amount in another spelling: 129.90', permit(), { deed: { ...PAYMENT, amount: '129.90' } }],
  ['an amount that is a number', permit(), { deed: { ...PAYMENT, amount: 129.9 } }],
  ['an action and nothing else', permit({ permit: bare }), { deed: { action: PAYMENT.action } }],
  ['a whole intent', permit(), { deed: { intent: INTENT } }],
  ['versions of the passports above', permit({ permit: { ancestor_versions: [4, 1] } })],
  ['a claim that is not known', permit({ claims: { azp: 'anyone' } })],
  [
    'a checkpoint',
    permit({ claims: { log: { origin: 'id.example.net/api/logs/0', size: 3, root: `${'A'.repeat(43)}=` } } }),
  ],
  [
    'bound to a key that is confirmed',
    permit({ claims: { cnf: { jkt: thumbprint(P256) } } }),
    { confirmed: true },
  ],
  ['of the environment test', permit(test), { environment: 'test' }],
].map(([name, token, given = {}]) => ({ name, token, ...given }));

const vectors = {
  about:
    'Permits of agent-identity-service at the instant "at", for a resource "audience" that trusts "issuers", has "keys" and is about to do "deed". A vector may have a "deed" and an "environment" of its own, and say that the key it is bound to is "confirmed", or that the permit was "used" before. "problem" names the first check that fails. The keys are published: trust none of them.',
  at: new Date(AT * 1_000).toISOString(),
  issuers: [ISSUER],
  audience: AUDIENCE,
  environment: 'live',
  deed: PAYMENT,
  keys: publicKeys(KEYS),
  valid,
  invalid: [...badTokens(), ...badIntents()],
};
const file = new URL('../../src/tokens/proof/vectors/permits.json', import.meta.url);
writeFileSync(file, `${JSON.stringify(vectors, null, 2)}\n`);
