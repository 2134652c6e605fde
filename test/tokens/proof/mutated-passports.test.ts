import fc from 'fast-check';
import { expect, test } from 'vitest';
import { verifyPassport } from '../../../src/tokens/proof/index.ts';
import { nightly, sized } from '../../support/runs.ts';
import { SECRET } from '../../support/service.ts';
import { ISSUER, openSigningService, PUBLIC_URL, shopper } from '../../support/signing.ts';

const TOKENS = nightly(1_000_000, sized(20_000, 1_000));
const AT_A_TIME = 200;

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.=+/ ';

/** The changes of a token; each of these may also leave it as it is. */
type Mutation = (token: string, others: readonly string[]) => string;

const place = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });
const character = fc.constantFrom(...ALPHABET);

const mutations: fc.Arbitrary<Mutation> = fc.oneof(
  // A character is another one.
  fc.tuple(place, character).map(
    ([where, to]): Mutation =>
      (token) =>
        spliced(token, where, 1, to),
  ),
  fc.tuple(place, character).map(
    ([where, to]): Mutation =>
      (token) =>
        spliced(token, where, 0, to),
  ),
  fc.tuple(place, fc.nat(40)).map(
    ([where, length]): Mutation =>
      (token) =>
        spliced(token, where, length, ''),
  ),
  // A bit of a part is another one.
  fc.tuple(fc.nat(2), place, fc.nat(7)).map(
    ([part, where, bit]): Mutation =>
      (token) =>
        changedPart(token, part, (bytes) => {
          const at = Math.floor(where * bytes.length);
          bytes[at] = (bytes[at] ?? 0) ^ (1 << bit);
          return bytes;
        }),
  ),
  // A part is that of another token.
  fc.tuple(fc.nat(2), fc.nat(2)).map(
    ([part, from]): Mutation =>
      (token, others) => {
        const parts = token.split('.');
        parts[part] = (others[from] ?? '').split('.')[part] ?? '';
        return parts.join('.');
      },
  ),
  // A claim or a member of the header is another one.
  fc.tuple(fc.nat(1), place, fc.jsonValue()).map(
    ([part, where, value]): Mutation =>
      (token) =>
        changedPart(token, part, (bytes) => {
          const members = Object.entries(membersOf(bytes));
          const at = Math.floor(where * members.length);
          const name = members[at]?.[0] ?? 'x';
          return Buffer.from(JSON.stringify({ ...Object.fromEntries(members), [name]: value }));
        }),
  ),
  // Another algorithm, another type, another key.
  fc
    .record({
      alg: fc.constantFrom('none', 'HS256', 'ES256', 'EdDSA', 'Ed25519', 'RS256', 'ES384', ''),
      typ: fc.constantFrom('JWT', 'agent-passport+jwt', 'statuslist+jwt', 'ais-session+jwt', undefined),
    })
    .map(
      (changed): Mutation =>
        (token) =>
          changedPart(token, 0, (bytes) => Buffer.from(JSON.stringify({ ...membersOf(bytes), ...changed }))),
    ),
);

/** Of JSON that an earlier mutation may have broken. */
function membersOf(bytes: Uint8Array): object {
  try {
    return Object(JSON.parse(Buffer.from(bytes).toString()));
  } catch {
    return {};
  }
}

function spliced(text: string, where: number, removed: number, added: string): string {
  const at = Math.floor(where * text.length);
  return text.slice(0, at) + added + text.slice(at + removed);
}

function changedPart(token: string, part: number, change: (bytes: Uint8Array) => Uint8Array): string {
  const parts = token.split('.');
  const bytes = Uint8Array.from(Buffer.from(parts[part] ?? '', 'base64url'));
  parts[part] = Buffer.from(change(bytes)).toString('base64url');
  return parts.join('.');
}

test(`of ${TOKENS} tokens that were changed none is accepted`, {
  timeout: nightly(3_600_000, 120_000),
}, async () => {
  const tokens: string[] = [];
  const keys: object[] = [];
  const at = openSigningService().clock.now();
  for (const alg of ['EdDSA', 'ES256'] as const) {
    const { service } = openSigningService({ identity: { secret: SECRET, publicUrl: PUBLIC_URL, alg } });
    for (const agent_name of ['one', 'two']) {
      const { agent_id } = await service.passports.create(shopper({ agent_name }));
      tokens.push((await service.passports.sign(agent_id)).token);
    }
    const list = await service.signing.jwks();
    keys.push(...list.keys);
  }
  const verify = (token: string) => verifyPassport(token, { issuers: [ISSUER], keys, status: false, at });
  await Promise.all(tokens.map(verify));

  const cases = fc.tuple(fc.nat(tokens.length - 1), fc.array(mutations, { minLength: 1, maxLength: 3 }));
  const accepted: string[] = [];
  const problems = new Map<string, number>();
  let tried = 0;
  const seed = fc.sample(fc.integer(), 1)[0] ?? 0;
  for (let round = 0; tried < TOKENS; round += 1) {
    const drawn = fc.sample(cases, { numRuns: AT_A_TIME, seed: seed + round });
    const changed = drawn
      .map(([which, all]) => all.reduce((token, mutate) => mutate(token, tokens), tokens[which] ?? ''))
      .filter((token) => !tokens.includes(token));
    tried += changed.length;
    await Promise.all(
      changed.map((token) =>
        verify(token).then(
          () => accepted.push(token),
          (error) => {
            const problem = `${error.code} ${error.details?.problem}`;
            problems.set(problem, (problems.get(problem) ?? 0) + 1);
          },
        ),
      ),
    );
  }
  expect({ seed, accepted }).toEqual({ seed, accepted: [] });
  expect([...problems.keys()].filter((problem) => !problem.startsWith('invalid_token '))).toEqual([]);
  expect([...problems.keys()]).toEqual(
    expect.arrayContaining(['malformed', 'algorithm', 'signature'].map((name) => `invalid_token ${name}`)),
  );
});
