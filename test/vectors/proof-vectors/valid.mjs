/** Valid proofs: for each algorithm, bound and unbound, and at the limits of what is accepted. */
import {
  AGENT,
  AUDIENCES,
  claimsOf,
  headerOf,
  INTENT,
  jws,
  NOW,
  ONE,
  publicJwk,
  TARGET,
  THREE,
  vector,
} from './parts.mjs';

export function validVectors() {
  const unbound = { intent: undefined, target: TARGET };
  const found = (key, bound = true) => ({ state: 'valid', kid: publicJwk(key).kid, bound });
  const bound = (name, claims, { header = headerOf(), ...changed } = {}) =>
    vector(name, jws(header, claimsOf(claims)), found(ONE), changed);
  const { action, target, parameters } = INTENT;
  const { amount, currency, order } = parameters;
  const reordered = {
    parameters: { order: { gift: false, lines: order.lines }, currency, amount },
    target,
    action,
  };
  const numbered = (text) =>
    JSON.stringify(claimsOf()).replace('2.5,null', `2.5,null`).replace('[1,', `[${text},`);
  return [
    ...[
      ['EdDSA', ONE, {}],
      ['Ed25519', ONE, { alg: 'Ed25519' }],
      ['ES256', THREE, {}],
    ].flatMap(([name, key, changed]) => [
      vector(`${name}, bound`, jws(headerOf(key, changed), claimsOf(), key), found(key), {
        required: 'intent',
      }),
      vector(`${name}, unbound`, jws(headerOf(key, changed), claimsOf(unbound), key), found(key, false), {
        required: 'identity',
      }),
    ]),
    bound('kid is a DID URL', {}, { header: headerOf(ONE, { kid: `${AGENT}#${publicJwk(ONE).kid}` }) }),
    bound('aud is an array of one', { aud: [AUDIENCES[0]] }),
    bound('aud is another name of the service', { aud: AUDIENCES[1] }),
    bound('members in another order', { intent: reordered }),
    bound('unknown claims', { nbf: NOW + 1_000, sub: 'x', scope: ['a'] }),
    bound('iat 5 s ahead', { iat: NOW + 5, exp: NOW + 305 }),
    bound('4 s past exp', { iat: NOW - 60, exp: NOW - 4 }),
    bound('300 s long', { iat: NOW - 100, exp: NOW + 200 }),
    bound('jti of 16', { jti: 'a~._-Z0123456789' }),
    bound('jti of 128', { jti: 'x'.repeat(128) }),
    vector('a number by its value', jws(headerOf(), numbered('1.0')), found(ONE)),
    bound(
      'an intent without target and parameters',
      { intent: { action: 'orders.list' } },
      { intent: { action: 'orders.list' } },
    ),
    bound(
      'letters beyond ASCII',
      { intent: { ...INTENT, parameters: { note: 'größe 😀' } } },
      {
        intent: { ...INTENT, parameters: { note: 'größe 😀' } },
      },
    ),
  ];
}
