/**
 * Writes src/tokens/proof/vectors/passports.json: valid signed passports, and signed passports that every verifier must
 * refuse. Run it with `node test/vectors/passport-vectors.mjs`. The private keys below are public, so do not trust them.
 */
import { writeFileSync } from 'node:fs';
import { deflateSync } from 'node:zlib';
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

const AGENT_KEY = { kty: 'OKP', crv: 'Ed25519', x: 'ZRsmyw8StAggtnG-gB_h92QaKN6i7ghn4sQ2XAyLoK8' };

const AT = 1_800_000_000;
const ISSUER = 'did:web:example.com';
const URI = 'https://id.example.net/api/status/sl_0123456789012345678901';
const IDX = { valid: 10, revoked: 11, suspended: 12, reserved: 13 };

const HEADER = { alg: 'EdDSA', kid: thumbprint(ED25519), typ: 'agent-passport+jwt' };
const CLAIMS = {
  iss: ISSUER,
  sub: `${ISSUER}:agents:shopper`,
  iat: AT - 600,
  exp: AT + 3_000,
  jti: 'tok_6YsrL1iGTFfmGRvMpFTu3G',
  vct: 'urn:agent-identity:passport:1',
  cnf: { jwk: AGENT_KEY },
  status: { status_list: { idx: IDX.valid, uri: URI } },
  passport: {
    version: 3,
    allowed_actions: ['payments.create', 'orders.*'],
    monetary_limit_per_txn: '100.5',
    currency: 'EUR',
    allowed_targets: ['did:web:shop.example.net'],
    monetary_actions: ['payments.create'],
  },
};

/** Returns a token with these members; `undefined` leaves a member out. A text is used as JSON without changes. */
function token({ header = {}, claims = {}, passport = {}, key = ED25519 } = {}) {
  const whole =
    typeof claims === 'string'
      ? claims
      : { ...CLAIMS, passport: { ...CLAIMS.passport, ...passport }, ...claims };
  const head = typeof header === 'string' ? header : { ...HEADER, ...header };
  const signed = `${encode(jsonOf(head))}.${encode(jsonOf(whole))}`;
  return `${signed}.${signText(signed, key)}`;
}

function listToken({ header = {}, claims = {}, key = ED25519 } = {}) {
  const bytes = new Uint8Array(4);
  const put = (index, status) => {
    bytes[index >> 2] |= status << ((index % 4) * 2);
  };
  put(IDX.revoked, 1);
  put(IDX.suspended, 2);
  put(IDX.reserved, 3);
  const lst = deflateSync(bytes, { level: 9 }).toString('base64url');
  const whole = {
    iss: 'https://id.example.net/api',
    sub: URI,
    iat: AT - 30,
    exp: AT + 3_570,
    ttl: 60,
    status_list: { bits: 2, lst },
    ...claims,
  };
  const head = { alg: 'EdDSA', kid: thumbprint(ED25519), typ: 'statuslist+jwt', ...header };
  const signed = `${encode(JSON.stringify(head))}.${encode(JSON.stringify(whole))}`;
  return `${signed}.${signText(signed, key)}`;
}

const good = token();
const [h, c, s] = good.split('.');
const list = listToken();
const at = (idx) => ({ status: { status_list: { idx, uri: URI } } });

const valid = [
  ['EdDSA', good],
  ['the name Ed25519 of RFC 9864', token({ header: { alg: 'Ed25519' } })],
  ['ES256', token({ header: { alg: 'ES256', kid: thumbprint(P256) }, key: P256 })],
  ['a kid that is a DID URL of the issuer', token({ header: { kid: `${ISSUER}#${HEADER.kid}` } })],
  ['without a key of the agent', token({ claims: { cnf: undefined } })],
  ['with nbf', token({ claims: { nbf: AT - 60 } })],
  ['every list and a proof', token({ passport: { denied_actions: ['orders.cancel'], proof: 'intent' } })],
  ['within the leeway of 5 s before iat', token({ claims: { iat: AT + 5 } })],
  ['within the leeway of 5 s after exp', token({ claims: { exp: AT - 4 } })],
  ['a claim that is not known', token({ claims: { aud: 'anyone' } })],
].map(([name, text]) => ({ name, token: text }));

const refused = {
  malformed: [
    ['empty', ''],
    ['two parts', `${h}.${c}`],
    ['four parts', `${good}.`],
    ['padding', `${h}.${c}.${s}==`],
    [
      'a signature with bits beyond its last byte',
      `${h}.${c}.${s.slice(0, -1)}${s.endsWith('A') ? 'B' : 'x'}`,
    ],
    ['white space around it', ` ${good}`],
    ['a header that is not JSON', `${encode('{')}.${c}.${s}`],
    [
      'a name twice in the header',
      token({ header: `{"alg":"EdDSA","alg":"EdDSA","kid":"${HEADER.kid}","typ":"${HEADER.typ}"}` }),
    ],
    ['crit', token({ header: { crit: ['exp'] } })],
    ['a key in the header', token({ header: { jwk: publicJwk(ED25519) } })],
    ['the address of keys in the header', token({ header: { jku: 'https://example.com/jwks.json' } })],
    ['b64', token({ header: { b64: true } })],
    ['claims that are not an object', token({ claims: '"x"' })],
    [
      'a name twice in the claims',
      token({ claims: JSON.stringify(CLAIMS).replace('"iat"', '"iss":"did:web:evil.example","iat"') }),
    ],
  ],
  type: [
    ['no type', token({ header: { typ: undefined } })],
    ['the type JWT', token({ header: { typ: 'JWT' } })],
    ['the type of an intent', token({ header: { typ: 'agent-intent+jwt' } })],
    ['the type of a status list', token({ header: { typ: 'statuslist+jwt' } })],
    ['the type in other case', token({ header: { typ: 'Agent-Passport+JWT' } })],
  ],
  algorithm: [
    ['none', `${encode(JSON.stringify({ ...HEADER, alg: 'none' }))}.${c}.`.replace(/\.$/, `.${s}`)],
    ['HS256', token({ header: { alg: 'HS256' } })],
    ['the algorithm of another key', token({ header: { alg: 'ES256' } })],
    ['the algorithm of another key, vice versa', token({ header: { kid: thumbprint(P256) } })],
  ],
  key: [
    ['no kid', token({ header: { kid: undefined } })],
    ['an unknown kid', token({ header: { kid: thumbprint(FOREIGN) }, key: FOREIGN })],
    [
      'a kid that is the DID URL of another issuer',
      token({ header: { kid: `did:web:evil.example#${HEADER.kid}` } }),
    ],
  ],
  issuer: [
    [
      'an issuer that is not trusted',
      token({ claims: { iss: 'did:web:evil.example', sub: 'did:web:evil.example:agents:shopper' } }),
    ],
    ['no issuer', token({ claims: { iss: undefined } })],
    ['the agent as its own issuer', token({ claims: { iss: CLAIMS.sub } })],
  ],
  claims: [
    ['an agent of another domain', token({ claims: { sub: 'did:web:evil.example:agents:shopper' } })],
    [
      'an agent of a domain that begins alike',
      token({ claims: { sub: 'did:web:example.com%3A8443:agents:shopper' } }),
    ],
    ['another kind of credential', token({ claims: { vct: 'urn:agent-identity:passport:2' } })],
    ['no jti', token({ claims: { jti: undefined } })],
    ['iat as text', token({ claims: { iat: `${AT}` } })],
    ['exp that is not whole', token({ claims: { exp: AT + 0.5 } })],
    ['no exp', token({ claims: { exp: undefined } })],
    ['longer than a day', token({ claims: { exp: AT - 600 + 86_401 } })],
    ['exp before iat', token({ claims: { exp: AT - 601 } })],
    ['no status', token({ claims: { status: undefined } })],
    [
      'a status list without TLS',
      token({ claims: { status: { status_list: { idx: 1, uri: 'http://id.example.net/s' } } } }),
    ],
    ['a negative place', token({ claims: at(-1) })],
    ['no passport', token({ claims: { passport: undefined } })],
    ['a member of the passport that is not known', token({ passport: { max_per_day: 3 } })],
    ['no limit', token({ passport: { monetary_limit_per_txn: undefined } })],
    ['a limit that is a number', token({ passport: { monetary_limit_per_txn: 100 } })],
    ['a limit in another spelling', token({ passport: { monetary_limit_per_txn: '100.50' } })],
    ['an action outside the grammar', token({ passport: { allowed_actions: ['*.create'] } })],
    ['a target outside the grammar', token({ passport: { allowed_targets: ['https://shop.example.net'] } })],
    ['an unknown currency', token({ passport: { currency: 'eur' } })],
    ['an unknown demand of proof', token({ passport: { proof: 'none' } })],
    [
      'a key of the agent that is not a key',
      token({ claims: { cnf: { jwk: { kty: 'RSA', n: 'x', e: 'AQAB' } } } }),
    ],
    ['a confirmation by other means', token({ claims: { cnf: { kid: 'x' } } })],
  ],
  time: [
    ['expired', token({ claims: { exp: AT - 5 } })],
    ['from the future', token({ claims: { iat: AT + 6 } })],
    ['not valid yet', token({ claims: { nbf: AT + 6 } })],
  ],
  signature: [
    [
      'another signature',
      `${h}.${c}.${token({ claims: { jti: 'tok_0000000000000000000000' } }).split('.')[2]}`,
    ],
    [
      'other claims under the signature',
      `${h}.${encode(JSON.stringify({ ...CLAIMS, exp: AT + 3_001 }))}.${s}`,
    ],
    ['signed by another key', token({ key: FOREIGN })],
    [
      'a signature that is too short',
      `${h}.${c}.${Buffer.from(s, 'base64url').subarray(0, 63).toString('base64url')}`,
    ],
    ['a signature of zeros', `${h}.${c}.${Buffer.alloc(64).toString('base64url')}`],
  ],
};

const byStatus = [
  ['revoked', 'revoked', token({ claims: at(IDX.revoked) }), list],
  ['suspended', 'suspended', token({ claims: at(IDX.suspended) }), list],
  ['status', 'a status that is reserved', token({ claims: at(IDX.reserved) }), list],
  ['status', 'a place outside the list', token({ claims: at(16) }), list],
  ['status', 'no list', good, null],
  ['status', 'a list of another type', good, listToken({ header: { typ: 'JWT' } })],
  ['status', 'a list of another place', good, listToken({ claims: { sub: `${URI}2` } })],
  [
    'status',
    'a list of another key',
    good,
    listToken({ header: { kid: thumbprint(FOREIGN) }, key: FOREIGN }),
  ],
  ['status', 'a list with another signature', good, listToken({ key: FOREIGN })],
  [
    'status',
    'a list that has expired',
    good,
    listToken({ claims: { iat: AT - 3_605, exp: AT - 5, ttl: 7_200 } }),
  ],
  [
    'status',
    'a list that was kept for too long',
    good,
    listToken({ claims: { iat: AT - 70, exp: AT + 3_530 } }),
  ],
  ['status', 'a list from the future', good, listToken({ claims: { iat: AT + 6, exp: AT + 3_606 } })],
  ['status', 'a list without ttl', good, listToken({ claims: { ttl: undefined } })],
  [
    'status',
    'a list of 3 bits',
    good,
    listToken({ claims: { status_list: { bits: 3, lst: 'eNrbuRgAAhcBXQ' } } }),
  ],
  [
    'status',
    'a list that is not compressed',
    good,
    listToken({ claims: { status_list: { bits: 2, lst: 'AAAA' } } }),
  ],
].map(([problem, name, text, served]) => ({ name, problem, token: text, status_list: served }));

const invalid = Object.entries(refused).flatMap(([problem, cases]) =>
  cases.map(([name, text]) => ({ name, problem, token: text })),
);

const vectors = {
  about:
    'Signed passports of agent-identity-service, judged at the instant "at" by a verifier that trusts "issuers" and has "keys". A status list, where one is given (null: none can be fetched), is what "status_uri" answers; otherwise "status_list" below. "problem" names the first check that fails. The keys are published: trust none of them.',
  at: new Date(AT * 1_000).toISOString(),
  issuers: [ISSUER],
  keys: publicKeys([ED25519, P256]),
  status_uri: URI,
  status_list: list,
  valid,
  invalid: [...invalid, ...byStatus],
};
const file = new URL('../../src/tokens/proof/vectors/passports.json', import.meta.url);
writeFileSync(file, `${JSON.stringify(vectors, null, 2)}\n`);
