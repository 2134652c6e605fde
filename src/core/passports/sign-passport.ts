/**
 * Signs passports as tokens that others can check without the service: JWT (RFC 7519) with the type
 * `agent-passport+jwt`.
 */
import { formatInstant, parseInstant } from '../../base/values/instant.ts';
import { statusAt } from '../../base/values/passport-status.ts';
import { PASSPORT_TYPE, PASSPORT_VCT } from '../../base/values/signed-passport.ts';
import { drawnAhead, randomText } from '../../credential/random-id.ts';
import { conflict, wrongField } from '../../errors.ts';
import type { PublicJwk } from '../../records/key.ts';
import type { SignedPassportToken, SignPassportInput } from '../../records/token.ts';
import type { PassportInput } from '../../records.ts';
import { checkCopy } from '../../schema/check.ts';
import { PASSPORT_COLUMNS, UNCLAIMED } from '../../schema/passport-fields.ts';
import type { Actor } from '../shared/callers.ts';
import type { Context } from '../shared/context.ts';
import { createSigningRight, signsNothing } from '../signing/signing-right.ts';
import type { StatusSlots } from '../signing/status-slots.ts';
import type { TokenSigner } from '../signing/token-signer.ts';
import type { PassportRecord } from './collections.ts';
import { ownedPassport } from './passport-store.ts';

type SignPassport = (
  agentId: string,
  input?: SignPassportInput,
  actor?: Actor,
) => Promise<SignedPassportToken>;

export function createSignPassport(
  context: Pick<
    Context,
    | 'store'
    | 'caches'
    | 'clock'
    | 'random'
    | 'session'
    | 'registration'
    | 'claimsDomains'
    | 'publicUrl'
    | 'tokenSeconds'
  >,
  slots: StatusSlots,
  tokens: TokenSigner | undefined,
): SignPassport {
  const { clock, publicUrl, tokenSeconds } = context;
  const random = drawnAhead(context.random);
  const demandRight = createSigningRight(context);

  return async (agentId, input = {}, actor = {}) => {
    const { ttl_seconds = tokenSeconds, kid } = checkCopy<SignPassportInput>('SignRequest', input);
    if (tokens === undefined || publicUrl === undefined) {
      throw signsNothing();
    }
    const passport = await ownedPassport(context, agentId, actor);
    const key = chosenKey(passport, kid);
    const now = clock.now();
    const times = timesOf(passport, now, ttl_seconds);
    await demandRight(passport);
    const { list_id, status_index } = await slots.of(passport);
    const { token, kid: signedBy } = await tokens.sign(PASSPORT_TYPE, {
      iss: `did:web:${passport.domain}`,
      sub: agentId,
      ...times,
      jti: `tok_${randomText(22, random)}`,
      vct: PASSPORT_VCT,
      ...(key !== undefined && { cnf: { jwk: key } }),
      status: { status_list: { idx: status_index, uri: `${publicUrl}/status/${list_id}` } },
      passport: claimedFields(passport),
    });
    return { token, kid: signedBy, expires_at: formatInstant(times.exp * 1_000) };
  };
}

function timesOf(passport: PassportRecord, now: number, ttlSeconds: number) {
  const { not_before, expires_at } = passport;
  const status = statusAt(passport, formatInstant(now));
  if (status !== 'active') throw conflict(`The passport is ${status}. Only an active passport is signed.`);
  const [start = now, endMs = Number.POSITIVE_INFINITY] = [not_before, expires_at].map((text) =>
    text === undefined ? undefined : parseInstant(text),
  );
  if (start > now) throw conflict(`The passport is not valid before ${not_before}.`);
  const iat = Math.floor(now / 1_000);
  const exp = Math.min(iat + ttlSeconds, Math.floor(endMs / 1_000));
  if (exp <= iat) throw conflict(`The passport expires at ${expires_at}. Set a later expiry.`);
  return { iat, ...(not_before !== undefined && { nbf: Math.min(iat, Math.ceil(start / 1_000)) }), exp };
}

function chosenKey({ public_keys = [] }: PassportRecord, kid: string | undefined): PublicJwk | undefined {
  const key = kid === undefined ? public_keys[0] : public_keys.find((key) => key.kid === kid);
  if (key !== undefined) {
    const { kty, crv, x } = key;
    return kty === 'OKP' ? { kty, crv, x } : { kty, crv, x, y: key.y };
  }
  if (kid === undefined) return undefined;
  throw wrongField('/kid', 'not_allowed', `The passport has no key ${kid}.`);
}

const CLAIMED = (Object.keys(PASSPORT_COLUMNS) as (keyof PassportInput)[]).filter(
  (field) => !(UNCLAIMED as readonly string[]).includes(field),
);

function claimedFields(passport: PassportRecord): Readonly<Record<string, unknown>> {
  const claims: Record<string, unknown> = { version: passport.version };
  for (const field of CLAIMED) {
    if (passport[field] !== undefined) claims[field] = passport[field];
  }
  return claims;
}
