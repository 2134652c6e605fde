/** Proofs with a single fault each, and expired proofs. */
import { sign } from 'node:crypto';
import {
  AGENT,
  AUDIENCES,
  base64url,
  claimsOf,
  headerOf,
  INTENT,
  JTI,
  jws,
  NOW,
  ONE,
  PUBLIC_KEYS,
  publicJwk,
  signed,
  TARGET,
  THREE,
  TWO,
  vector,
} from './parts.mjs';

const OTHER = 'did:web:example.com:agents:other';
const [AUDIENCE] = AUDIENCES;

/** Returns the vectors of one problem. Each row is `[what, proof, changes of the question]`. */
function invalid(problem, rows) {
  return rows.map(([name, proof, changed]) =>
    vector(`${problem}: ${name}`, proof, { state: 'invalid', problem }, changed),
  );
}

const withHeader = (changed, key = ONE) => jws(headerOf(key, changed), claimsOf(), key);
const withClaims = (changed) => jws(headerOf(), claimsOf(changed));
const withIntent = (intent) => withClaims({ intent });
const withPayload = (text) => jws(headerOf(), text);

export function invalidVectors() {
  const proof = withClaims({});
  const since = (seconds) => ({ state: 'expired', since: new Date(seconds * 1_000).toISOString() });
  return [
    ...invalid('malformed', [...texts(proof), ...headers(), ...payloads()]),
    ...invalid('type', types()),
    ...invalid('algorithm', algorithms()),
    ...invalid('key', keys()),
    ...invalid('claims', claims()),
    ...invalid('audience', audiences()),
    ...invalid('time', times()),
    vector('expired: exp + 5 s', withClaims({ iat: NOW - 60, exp: NOW - 5 }), since(NOW - 5)),
    vector(
      'expired: a year ago',
      withClaims({ iat: NOW - 31_536_060, exp: NOW - 31_536_000 }),
      since(NOW - 31_536_000),
    ),
    vector('expired: at the epoch', withClaims({ iat: 0, exp: 1 }), since(1)),
    ...invalid('intent', intents()),
    ...invalid('signature', signatures(proof)),
  ];
}

function texts(proof) {
  const [header, payload, signature] = proof.split('.');
  const last = (text, letter) => `${text.slice(0, -1)}${letter}`;
  return [
    ['no text of a JWS', 'proof'],
    ['two parts', `${header}.${payload}`],
    ['four parts', `${proof}.${signature}`],
    ['an empty header', `.${payload}.${signature}`],
    ['an empty payload', `${header}..${signature}`],
    ['an empty signature', `${header}.${payload}.`],
    ['padding', `${header}.${payload}.${signature}==`],
    ['a line break at the end', `${proof}\n`],
    ['a space in front', ` ${proof}`],
    ['a letter of plain base64', `${header}.${payload}.+${signature.slice(1)}`],
    ['bits behind the last byte', `${header}.${payload}.${last(signature, 'B')}`],
    ['more than 8192 characters', withPayload(JSON.stringify(claimsOf({ note: 'x'.repeat(8_000) })))],
    ['the JSON serialization', JSON.stringify({ protected: header, payload, signature })],
  ];
}

function headers() {
  const text = JSON.stringify(headerOf());
  const payload = claimsOf();
  const { kid } = headerOf();
  return [
    ['a header that is not JSON', jws('typ', payload)],
    ['a header that is an array', jws('[]', payload)],
    ['a header that is null', jws('null', payload)],
    ['a header with two alg', jws(`{"alg":"none",${text.slice(1)}`, payload)],
    ['a header with an escaped second kid', jws(`{"\\u006bid":"${kid}",${text.slice(1)}`, payload)],
    ['a header behind a byte-order mark', jws(`\ufeff${text}`, payload)],
    ['a header with more behind it', jws(`${text}{}`, payload)],
    ['a header with __proto__', jws(`{"__proto__":{},${text.slice(1)}`, payload)],
    ['crit', withHeader({ crit: ['exp'], exp: NOW })],
    ['jwk', withHeader({ jwk: publicJwk(ONE) })],
    ['jku', withHeader({ jku: 'https://example.com/jwks.json' })],
    ['x5u', withHeader({ x5u: 'https://example.com/a.pem' })],
    ['x5c', withHeader({ x5c: ['MIIB'] })],
    ['b64', withHeader({ b64: true })],
    ['zip', withHeader({ zip: 'DEF' })],
    ['cty', withHeader({ cty: 'JWT' })],
    ['x5t', withHeader({ x5t: 'AAAA' })],
  ];
}

function payloads() {
  const text = JSON.stringify(claimsOf());
  const deep = `${'['.repeat(40)}${']'.repeat(40)}`;
  const added = (member) => withPayload(`{${member},${text.slice(1)}`);
  return [
    ['a payload that is not JSON', withPayload('hello')],
    ['a payload that is an array', withPayload('[]')],
    ['a payload with two jti', added('"jti":"BBBBBBBBBBBBBBBBBBBBBB"')],
    ['a payload with two amounts', withPayload(text.replace('"amount"', '"amount":"1","amount"'))],
    [
      'a payload that is not UTF-8',
      withPayload(
        Buffer.concat([Buffer.from('{"a":"'), Buffer.from([0xff]), Buffer.from(`",${text.slice(1)}`)]),
      ),
    ],
    ['a payload with half a surrogate pair', added('"a":"\\ud800"')],
    ['a payload with U+0000', added('"a":"\\u0000"')],
    ['a payload with a number that no double holds', added('"a":1e400')],
    ['a payload with a number that a double rounds', added('"a":9007199254740993')],
    ['a payload of 40 levels', added(`"a":${deep}`)],
    ['a payload with a comma at its end', withPayload(`${text.slice(0, -1)},}`)],
    ['a payload with a comment', withPayload(`/**/${text}`)],
    ['a payload with more behind it', withPayload(`${text} true`)],
  ];
}

function types() {
  const named = (typ) => [typ ?? 'none', withHeader({ typ })];
  return [
    ...[undefined, 'JWT', 'agent-intent+JWT', 'application/agent-intent+jwt', 'agent-passport+jwt'].map(
      named,
    ),
    ...['ais-session+jwt', 'statuslist+jwt', 'dpop+jwt'].map(named),
    ['a number', withHeader({ typ: 1 })],
    ['an array', withHeader({ typ: ['agent-intent+jwt'] })],
  ];
}

function algorithms() {
  const named = (alg) => [alg ?? 'absent', withHeader({ alg })];
  return [
    ...[undefined, 'none', 'None', 'HS256', 'RS256', 'PS256', 'ES384', 'ES256K', 'Ed448', 'eddsa'].map(named),
    ['ES256 for a key on Ed25519', withHeader({ alg: 'ES256' })],
    ['EdDSA for a key on P-256', withHeader({ alg: 'EdDSA' }, THREE)],
    ['a number', withHeader({ alg: 1 })],
  ];
}

function keys() {
  const { kid } = publicJwk(ONE);
  return [
    ['absent', withHeader({ kid: undefined })],
    ['unknown', withHeader({ kid: 'A'.repeat(43) })],
    ['of another agent', withHeader({ kid: `${OTHER}#${kid}` })],
    ['a DID without the thumbprint', withHeader({ kid: AGENT })],
    ['a fragment alone', withHeader({ kid: `#${kid}` })],
    ['with a space', withHeader({ kid: `${kid} ` })],
    ['a number', withHeader({ kid: 1 })],
    ['an array', withHeader({ kid: [kid] })],
    ['no longer of the passport', withHeader({}), { public_keys: PUBLIC_KEYS.slice(1) }],
    ['of a passport without keys', withHeader({}), { public_keys: [] }],
  ];
}

function claims() {
  return [
    ['no iss', withClaims({ iss: undefined })],
    ['iss is another agent', withClaims({ iss: OTHER })],
    ['iss is the DID URL of the key', withClaims({ iss: `${AGENT}#${publicJwk(ONE).kid}` })],
    ['no iat', withClaims({ iat: undefined })],
    ['iat is text', withClaims({ iat: `${NOW}` })],
    ['iat has a fraction', withClaims({ iat: NOW - 0.5 })],
    ['no exp', withClaims({ exp: undefined })],
    ['exp is text', withClaims({ exp: `${NOW + 50}` })],
    ['exp has a fraction', withClaims({ exp: NOW + 50.5 })],
    ['exp is null', withClaims({ exp: null })],
    ['no jti', withClaims({ jti: undefined })],
    ['jti of 15', withClaims({ jti: JTI.slice(0, 15) })],
    ['jti of 129', withClaims({ jti: 'x'.repeat(129) })],
    ['jti with a space', withClaims({ jti: 'AAAAAAAA AAAAAAAA' })],
    ['jti with a line break at its end', withClaims({ jti: `${JTI}\n` })],
    ['jti is a number', withClaims({ jti: 1234567890123456 })],
  ];
}

function audiences() {
  return [
    ['absent', withClaims({ aud: undefined })],
    ['of another service', withClaims({ aud: 'https://other.example/api' })],
    ['with a slash at its end', withClaims({ aud: `${AUDIENCE}/` })],
    ['in capitals', withClaims({ aud: AUDIENCE.toUpperCase() })],
    ['an array of two', withClaims({ aud: AUDIENCES })],
    ['an empty array', withClaims({ aud: [] })],
    ['an array in an array', withClaims({ aud: [[AUDIENCE]] })],
    ['a number', withClaims({ aud: 1 })],
    ['null', withClaims({ aud: null })],
  ];
}

function times() {
  return [
    ['exp is iat', withClaims({ iat: NOW, exp: NOW })],
    ['exp is before iat', withClaims({ iat: NOW, exp: NOW - 1 })],
    ['301 s long', withClaims({ iat: NOW - 1, exp: NOW + 300 })],
    ['a year long', withClaims({ exp: NOW + 31_536_000 })],
    ['iat 6 s ahead', withClaims({ iat: NOW + 6, exp: NOW + 60 })],
    ['iat an hour ahead', withClaims({ iat: NOW + 3_600, exp: NOW + 3_660 })],
    ['before the epoch', withClaims({ iat: -100, exp: -50 })],
  ];
}

function intents() {
  const { action, target, parameters } = INTENT;
  const changed = (part) => withIntent({ ...INTENT, parameters: { ...parameters, ...part } });
  const bare = { intent: { action } };
  return [
    ['another amount', changed({ amount: '129.91' })],
    ['the amount as a number', changed({ amount: 129.9 })],
    ['the amount with another zero', changed({ amount: '129.900' })],
    ['another currency', changed({ currency: 'USD' })],
    ['a parameter more', changed({ note: '' })],
    ['a parameter that is null', changed({ note: null })],
    ['a parameter less', withIntent({ ...INTENT, parameters: { amount: '129.90', currency: 'EUR' } })],
    ['another order of a list', changed({ order: { lines: [2.5, 1, null], gift: false } })],
    ['another value deep inside', changed({ order: { lines: [1, 2.5, null], gift: true } })],
    ['no parameters', withIntent({ action, target })],
    ['parameters where there are none', withIntent({ action, parameters: {} }), bare],
    ['another action', withIntent({ ...INTENT, action: 'payments.refund' })],
    ['another target', withIntent({ ...INTENT, target: 'did:web:other.example' })],
    ['no target', withIntent({ action, parameters })],
    ['a target where there is none', withIntent({ action, target }), bare],
    ['the agent in it', withIntent({ ...INTENT, agent_id: AGENT })],
    ['null', withIntent(null)],
    ['an array', withIntent([INTENT])],
    ['text', withIntent(JSON.stringify(INTENT))],
    ['none where one is required', withClaims({ intent: undefined, target: TARGET }), { required: 'intent' }],
    ['neither intent nor target', withClaims({ intent: undefined })],
    ['the target of another host', withClaims({ intent: undefined, target: 'did:web:other.example' })],
    ['a target for an intent without one', withClaims({ intent: undefined, target: TARGET }), bare],
    ['a null target for an intent without one', withClaims({ intent: undefined, target: null }), bare],
  ];
}

function signatures(proof) {
  const [header, payload] = proof.split('.');
  const es256 = withHeader({}, THREE);
  const [header3, payload3] = es256.split('.');
  const by = (bytes) => `${header}.${payload}.${base64url(bytes)}`;
  const by3 = (bytes) => `${header3}.${payload3}.${base64url(bytes)}`;
  const bytes = signed(`${header}.${payload}`, ONE);
  const bytes3 = signed(`${header3}.${payload3}`, THREE);
  const flipped = Buffer.from(bytes);
  flipped[0] ^= 1;
  const der = sign('sha256', Buffer.from(`${header3}.${payload3}`), THREE.key);
  return [
    ['one bit is another', by(flipped)],
    ['63 bytes', by(bytes.subarray(0, 63))],
    ['65 bytes', by(Buffer.concat([bytes, Buffer.alloc(1)]))],
    ['zeros for EdDSA', by(Buffer.alloc(64))],
    ['by another key of the passport', by(signed(`${header}.${payload}`, TWO))],
    ['by a key of another curve', by(signed(`${header}.${payload}`, THREE))],
    ['over the payload alone', by(signed(payload, ONE))],
    [
      'over another payload',
      `${header}.${base64url(JSON.stringify(claimsOf({ jti: `${JTI}B` })))}.${base64url(bytes)}`,
    ],
    ['zeros for ES256', by3(Buffer.alloc(64))],
    ['ES256 as DER', by3(der)],
    ['ES256 with its halves swapped', by3(Buffer.concat([bytes3.subarray(32), bytes3.subarray(0, 32)]))],
    [
      'ES256 over another header',
      `${base64url(JSON.stringify(headerOf(THREE, { kid: `${AGENT}#${publicJwk(THREE).kid}` })))}.${payload3}.${base64url(bytes3)}`,
    ],
  ];
}
