/** Tokens that are not valid permits for this resource, whatever the action is. */
import { ED25519, encode, FOREIGN, P256, thumbprint } from '../vector-parts.mjs';
import { AT, AUDIENCE, CLAIMS, HEADER, ISSUER, permit } from './parts.mjs';

const good = permit();
const [h, c, s] = good.split('.');
const claims = (changed) => permit({ claims: changed });
const members = (changed) => permit({ permit: changed });
const claimsText = JSON.stringify(CLAIMS);

/** Returns the JSON text with a second member of the same name. */
const doubled = (text, name, value) =>
  `${text.slice(0, -1)},${JSON.stringify(name)}:${JSON.stringify(value)}}`;
const doubledClaim = (name) => [`${name} twice`, permit({ claims: doubled(claimsText, name, CLAIMS[name]) })];
const doubledHeader = (name) => [
  `${name} twice in the header`,
  permit({ header: doubled(JSON.stringify(HEADER), name, HEADER[name]) }),
];

const REFUSED = {
  malformed: [
    ['empty', ''],
    ['two parts', `${h}.${c}`],
    ['four parts', `${good}.`],
    ['padding', `${h}.${c}.${s}==`],
    ['two in one header', `${good}, ${good}`],
    ['a space before it', ` ${good}`],
    ['more than 4,096 characters', claims({ note: 'x'.repeat(3_000) })],
    ['a header that is a list', permit({ header: '[]' })],
    ['claims that are a list', permit({ claims: '[]' })],
    ['claims that are no JSON', permit({ claims: claimsText.slice(0, -1) })],
    ['a key in the header', permit({ header: { jwk: { kty: 'OKP' } } })],
    ['a URL of keys in the header', permit({ header: { jku: 'https://evil.example/jwks.json' } })],
    ['crit', permit({ header: { crit: ['exp'] } })],
    ...['alg', 'kid', 'typ'].map(doubledHeader),
    ...['iss', 'sub', 'aud', 'iat', 'exp', 'jti', 'permit'].map(doubledClaim),
    [
      'a member of the permit twice',
      permit({ claims: claimsText.replace('"amount"', '"amount":"1","amount"') }),
    ],
  ],
  type: [
    ...[
      'agent-passport+jwt',
      'agent-intent+jwt',
      'statuslist+jwt',
      'JWT',
      'Agent-Permit+JWT',
      7,
      undefined,
    ].map((typ) => [typ === undefined ? 'no typ' : `typ ${typ}`, permit({ header: { typ } })]),
  ],
  algorithm: [
    ...['none', 'HS256', 'RS256', 'ES384', 7, undefined].map((alg) => [
      alg === undefined ? 'no alg' : `alg ${alg}`,
      permit({ header: { alg } }),
    ]),
    ['alg ES256 with a key on Ed25519', permit({ header: { alg: 'ES256' } })],
  ],
  issuer: [
    ['no iss', claims({ iss: undefined })],
    ['iss 7', claims({ iss: 7 })],
    ['iss in a list', claims({ iss: [ISSUER] })],
    [
      'another issuer with the same keys',
      claims({ iss: 'did:web:example.org', sub: 'did:web:example.org:agents:shopper' }),
    ],
    ['an issuer above', claims({ iss: 'did:web:com' })],
    ['the URL of a service', claims({ iss: 'https://example.com' })],
  ],
  key: [
    ['no kid', permit({ header: { kid: undefined } })],
    ['kid 7', permit({ header: { kid: 7 } })],
    ['a kid that is not known', permit({ header: { kid: thumbprint(FOREIGN) }, key: FOREIGN })],
    ['a kid of another issuer', permit({ kid: (kid) => `did:web:example.org#${kid}` })],
  ],
  claims: [
    ...['sub', 'aud', 'iat', 'exp', 'jti', 'permit'].map((name) => [
      `no ${name}`,
      claims({ [name]: undefined }),
    ]),
    ...['sub', 'aud', 'jti', 'permit'].map((name) => [`${name} 7`, claims({ [name]: 7 })]),
    ...['iat', 'exp'].map((name) => [`${name} as text`, claims({ [name]: `${CLAIMS[name]}` })]),
    ['iat that is not whole', claims({ iat: CLAIMS.iat + 0.5 })],
    ['an agent of another domain', claims({ sub: 'did:web:example.org:agents:shopper' })],
    ['aud in a list', claims({ aud: [AUDIENCE] })],
    ['61 s', claims({ exp: CLAIMS.iat + 61 })],
    ['exp at iat', claims({ exp: CLAIMS.iat })],
    ['nbf', claims({ nbf: CLAIMS.iat })],
    ['a jti of another form', claims({ jti: 'tok_6YsrL1iGTFfmGRvMpFTu3G' })],
    ['cnf 7', claims({ cnf: 7 })],
    ['cnf with a key', claims({ cnf: { jwk: { kty: 'OKP', crv: 'Ed25519', x: ED25519.x } } })],
    ['cnf with a jkt that is no thumbprint', claims({ cnf: { jkt: 'x' } })],
    ['cnf with two members', claims({ cnf: { jkt: thumbprint(P256), kid: 'x' } })],
    ['a permit in a list', claims({ permit: [CLAIMS.permit] })],
    ['log 7', claims({ log: 7 })],
    ['log without a root', claims({ log: { origin: 'id.example.net', size: 3 } })],
    ...['environment', 'action', 'digest', 'passport_version'].map((name) => [
      `a permit without ${name}`,
      members({ [name]: undefined }),
    ]),
    ['a member of the permit that is not known', members({ max_per_day: 3 })],
    ['a member of the permit that objects inherit', members({ constructor: 'x' })],
    ['an unknown environment', members({ environment: 'staging' })],
    ['an action that is a list', members({ action: ['payments.create'] })],
    ['a target that is null', members({ target: null })],
    ['an amount that is a number', members({ amount: 129.9 })],
    ['an amount in another spelling', members({ amount: '129.90' })],
    ['a currency that is not known', members({ currency: 'eur' })],
    ['a digest in base64', members({ digest: `${'A'.repeat(43)}=` })],
    ['a digest in capitals', members({ digest: 'A'.repeat(64) })],
    ['version 0', members({ passport_version: 0 })],
    ['versions above that are text', members({ ancestor_versions: '4 1' })],
    ['a version above that is 1.5', members({ ancestor_versions: [1.5] })],
  ],
  audience: [
    ['another resource', claims({ aud: 'https://other.example' })],
    ['the resource with a slash', claims({ aud: `${AUDIENCE}/` })],
    ['the resource in another case', claims({ aud: 'https://Pay.example' })],
  ],
  time: [
    ['expired', claims({ iat: AT - 35, exp: AT - 5 })],
    ['from the future', claims({ iat: AT + 6, exp: AT + 36 })],
  ],
  signature: [
    ['another signature', `${h}.${c}.${claims({ jti: 'dec_00000000000000000000000000' }).split('.')[2]}`],
    ['other claims under the signature', `${h}.${encode(claimsText.replace('129.9', '29.9'))}.${s}`],
    ['signed by another key', permit({ key: FOREIGN })],
    [
      'a signature that is too short',
      `${h}.${c}.${Buffer.from(s, 'base64url').subarray(0, 63).toString('base64url')}`,
    ],
    ['a signature of zeros', `${h}.${c}.${Buffer.alloc(64).toString('base64url')}`],
  ],
};

export function badTokens() {
  return Object.entries(REFUSED).flatMap(([problem, cases]) =>
    cases.map(([name, token]) => ({ name, problem, token })),
  );
}
