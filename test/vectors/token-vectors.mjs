/**
 * Writes src/tokens/vectors/tokens.json: requests with access tokens that a resource accepts, and requests that every
 * resource must refuse. Run it with `node test/vectors/token-vectors.mjs`.
 */
import { createHash } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import {
  ED25519,
  encode,
  FOREIGN,
  jsonOf,
  P256,
  publicJwk,
  publicKeys,
  signText,
  thumbprint,
} from './vector-parts.mjs';

const AT = 1_800_000_000;
const ISSUER = 'https://id.example.com/api/issuers/example.com';
const RESOURCE = 'https://mcp.example/mcp';
const AGENT = 'did:web:example.com:agents:shopper';
const HEADER = { alg: 'EdDSA', kid: thumbprint(ED25519), typ: 'at+jwt' };
const CLAIMS = {
  iss: ISSUER,
  aud: RESOURCE,
  sub: AGENT,
  client_id: AGENT,
  iat: AT - 10,
  exp: AT + 290,
  jti: 'dec_5nWq8ZrT2yLkXc0BvH0000s4Ge',
  scope: 'orders.read orders.list',
};

/** Returns a JWS with these members; `undefined` leaves a member out. A text is used as JSON without changes. */
function signed(header, claims, key) {
  const text = `${encode(jsonOf(header))}.${encode(jsonOf(claims))}`;
  return `${text}.${signText(text, key)}`;
}
function token({ header = {}, claims = {}, key = ED25519 } = {}) {
  const head = typeof header === 'string' ? header : { ...HEADER, ...header };
  return signed(head, typeof claims === 'string' ? claims : { ...CLAIMS, ...claims }, key);
}
const claims = (changed) => token({ claims: changed });
const header = (changed) => token({ header: changed });
const doubled = (text, name, value) =>
  `${text.slice(0, -1)},${JSON.stringify(name)}:${JSON.stringify(value)}}`;
const twice = (name) => claims(doubled(JSON.stringify(CLAIMS), name, CLAIMS[name]));

const good = token();
const [h, c, s] = good.split('.');
const bound = claims({ cnf: { jkt: thumbprint(P256) } });
const user = { sub: 'ann', act: { sub: AGENT }, subject_issuer: 'https://idp.example' };
const PROOF = { htm: 'POST', htu: RESOURCE, iat: AT - 1, jti: 'proof-1', ath: hash(bound) };

function hash(text) {
  return createHash('sha256').update(text).digest('base64url');
}
function proof({ header: head = {}, claims: more = {}, key = P256 } = {}) {
  const whole = { typ: 'dpop+jwt', alg: 'ES256', jwk: publicJwk(key), ...head };
  return signed(whole, { ...PROOF, ...more }, key);
}
const proved = (changed) => ({ authorization: `DPoP ${bound}`, dpop: proof(changed) });
const bearer = (text) => ({ authorization: `Bearer ${text}` });

const valid = [
  ['EdDSA', bearer(good)],
  ['the name Ed25519 of RFC 9864', bearer(header({ alg: 'Ed25519' }))],
  ['ES256', bearer(token({ header: { alg: 'ES256', kid: thumbprint(P256) }, key: P256 }))],
  ['no scope', bearer(claims({ scope: undefined }))],
  ['a user', bearer(claims(user))],
  ['within the leeway of 5 s after exp', bearer(claims({ iat: AT - 300, exp: AT - 4 }))],
  ['within the leeway of 5 s before iat', bearer(claims({ iat: AT + 5, exp: AT + 300 }))],
  ['a claim that is not known', bearer(claims({ auth_time: AT }))],
  ['the scheme in lower case', { authorization: `bearer ${good}` }],
  ['bound to a key on P-256', proved()],
  ['a proof of 65 s', proved({ claims: { iat: AT - 65 } })],
];

const TOKENS = {
  malformed: [
    ['two parts', `${h}.${c}`],
    ['four parts', `${good}.`],
    ['padding', `${h}.${c}.${s}==`],
    ['base64 with another alphabet', `${h}.${c}.${'+'.repeat(86)}`],
    ['more than 8,192 characters', claims({ note: 'x'.repeat(7_000) })],
    ['a header that is a list', token({ header: '[]' })],
    ['claims that are a list', claims('[]')],
    ['claims that are no JSON', claims(JSON.stringify(CLAIMS).slice(0, -1))],
    ['a key in the header', header({ jwk: publicJwk(ED25519) })],
    ['the address of keys in the header', header({ jku: 'https://evil.example/jwks.json' })],
    ['a certificate in the header', header({ x5c: ['eA'] })],
    ['crit', header({ crit: ['exp'] })],
    ...['iss', 'aud', 'sub', 'client_id', 'iat', 'exp', 'jti', 'scope'].map((name) => [
      `${name} twice`,
      twice(name),
    ]),
    ['typ twice in the header', token({ header: doubled(JSON.stringify(HEADER), 'typ', HEADER.typ) })],
  ],
  type: ['JWT', 'AT+JWT', 'application/at+jwt', 'agent-permit+jwt', 'agent-passport+jwt', undefined].map(
    (typ) => [typ === undefined ? 'no typ' : `typ ${typ}`, header({ typ })],
  ),
  algorithm: [
    ...['none', 'HS256', 'RS256', 'ES384', undefined].map((alg) => [
      alg === undefined ? 'no alg' : `alg ${alg}`,
      header({ alg }),
    ]),
    ['alg ES256 with a key on Ed25519', header({ alg: 'ES256' })],
  ],
  key: [
    ['no kid', header({ kid: undefined })],
    ['kid 7', header({ kid: 7 })],
    ['a kid that is not known', token({ header: { kid: thumbprint(FOREIGN) }, key: FOREIGN })],
  ],
  issuer: [
    ['no iss', claims({ iss: undefined })],
    ['iss in a list', claims({ iss: [ISSUER] })],
    ['the issuer of another domain', claims({ iss: ISSUER.replace('example.com', 'example.org') })],
    ['the issuer with a slash', claims({ iss: `${ISSUER}/` })],
    ['the public URL of the service', claims({ iss: 'https://id.example.com/api' })],
  ],
  audience: [
    ['no aud', claims({ aud: undefined })],
    ['aud in a list', claims({ aud: [RESOURCE] })],
    ['another resource', claims({ aud: 'https://mcp.example/other' })],
    ['the resource with a slash', claims({ aud: `${RESOURCE}/` })],
    ['the origin of the resource', claims({ aud: 'https://mcp.example' })],
    ['the environment test', claims({ aud: `test:${RESOURCE}` })],
  ],
  claims: [
    ...['sub', 'client_id', 'iat', 'exp', 'jti'].map((name) => [`no ${name}`, claims({ [name]: undefined })]),
    ['an agent of another domain', claims({ client_id: 'did:web:example.org:agents:shopper' })],
    ['another sub without act', claims({ sub: 'ann' })],
    ['act of another agent', claims({ ...user, act: { sub: `${AGENT}-2` } })],
    ['act in act', claims({ ...user, act: { sub: AGENT, act: { sub: AGENT } } })],
    ['a user without an issuer', claims({ ...user, subject_issuer: undefined })],
    ['an issuer of a user without act', claims({ subject_issuer: 'https://idp.example' })],
    ['exp as text', claims({ exp: `${CLAIMS.exp}` })],
    ['iat that is not whole', claims({ iat: CLAIMS.iat + 0.5 })],
    ['301 s', claims({ exp: CLAIMS.iat + 301 })],
    ['exp at iat', claims({ exp: CLAIMS.iat })],
    ['nbf', claims({ nbf: CLAIMS.iat })],
    ['scope in a list', claims({ scope: ['orders.read'] })],
    ['cnf 7', claims({ cnf: 7 })],
    ['cnf with a jkt that is no thumbprint', claims({ cnf: { jkt: 'x' } })],
    ['cnf with two members', claims({ cnf: { jkt: thumbprint(P256), kid: 'x' } })],
  ],
  time: [
    ['expired', claims({ iat: AT - 305, exp: AT - 5 })],
    ['from the future', claims({ iat: AT + 6, exp: AT + 306 })],
  ],
  signature: [
    ['another signature', `${h}.${c}.${claims({ jti: 'dec_0' }).split('.')[2]}`],
    ['other claims under the signature', `${h}.${encode(jsonOf({ ...CLAIMS, scope: '*' }))}.${s}`],
    ['signed by another key', token({ key: FOREIGN })],
    ['a signature of zeros', `${h}.${c}.${Buffer.alloc(64).toString('base64url')}`],
    ['no signature', `${h}.${c}.`],
  ],
};

const PROOFS = {
  scheme: [
    ['a bound token with Bearer', { authorization: `Bearer ${bound}`, dpop: proof() }],
    [
      'an unbound token with DPoP',
      { authorization: `DPoP ${good}`, dpop: proof({ claims: { ath: hash(good) } }) },
    ],
    ['two tokens in one header', bearer(`${good} ${good}`)],
  ],
  proof: [
    ['no proof', { authorization: `DPoP ${bound}` }],
    ['two proofs', { authorization: `DPoP ${bound}`, dpop: `${proof()}, ${proof()}` }],
    [
      'the proof of another key',
      { authorization: `DPoP ${bound}`, dpop: proof({ key: FOREIGN, header: { alg: 'EdDSA' } }) },
    ],
    ['another method', proved({ claims: { htm: 'GET' } })],
    ['another path', proved({ claims: { htu: 'https://mcp.example/other' } })],
    ['another origin', proved({ claims: { htu: 'https://other.example/mcp' } })],
    ['a query in htu', proved({ claims: { htu: `${RESOURCE}?a` } })],
    ['no ath', proved({ claims: { ath: undefined } })],
    ['ath of another token', proved({ claims: { ath: hash(good) } })],
    ['a proof of 66 s', proved({ claims: { iat: AT - 66 } })],
    ['a proof from the future', proved({ claims: { iat: AT + 11 } })],
    ['a proof without jti', proved({ claims: { jti: undefined } })],
    ['a proof of another type', proved({ header: { typ: 'JWT' } })],
    ['a proof with a kid', proved({ header: { kid: thumbprint(P256) } })],
    ['a proof with a private key', proved({ header: { jwk: P256 } })],
  ],
};

const named = (problem, cases, requestOf) =>
  cases.map(([name, given]) => ({ name, problem, ...requestOf(given) }));
const vectors = {
  about:
    'Requests with access tokens of agent-identity-service at the instant "at", to a "resource" that trusts "issuers" and has "keys". Each is "method" and "url" with the headers "authorization" and "dpop". "problem" names the part that is wrong. The keys are published: trust none of them.',
  at: new Date(AT * 1_000).toISOString(),
  issuers: [ISSUER],
  resource: RESOURCE,
  method: PROOF.htm,
  url: RESOURCE,
  keys: publicKeys([ED25519, P256]),
  valid: valid.map(([name, request]) => ({ name, ...request })),
  invalid: [
    ...Object.entries(TOKENS).flatMap(([problem, cases]) => named(problem, cases, bearer)),
    ...Object.entries(PROOFS).flatMap(([problem, cases]) => named(problem, cases, (request) => request)),
  ],
};
const folder = new URL('../../src/tokens/vectors/', import.meta.url);
mkdirSync(folder, { recursive: true });
writeFileSync(new URL('tokens.json', folder), `${JSON.stringify(vectors, null, 2)}\n`);
