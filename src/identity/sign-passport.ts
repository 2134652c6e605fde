/**
 * Signs passports as tokens that others can check without the service: JWT (RFC 7519) with the type
 * `agent-passport+jwt`.
 */
import { formatInstant, parseInstant } from '../base/values/instant.ts';
import { statusAt } from '../base/values/passport-status.ts';
import { PASSPORT_TYPE, PASSPORT_VCT } from '../base/values/signed-passport.ts';
import { createSigningRight } from '../core/domains/signing-right.ts';
import type { PassportRecord } from '../core/passports/collections.ts';
import { ownedPassport } from '../core/passports/passport-store.ts';
import type { Actor, CallOptions } from '../core/shared/callers.ts';
import type { Context } from '../core/shared/context.ts';
import { drawnAhead, randomText } from '../credential/random-id.ts';
import { conflict, wrongField } from '../errors.ts';
import type { RoomCode } from '../operations/room-code.ts';
import type { PublicJwk } from '../records/key.ts';
import type { SignedPassportToken, SignPassportInput } from '../records/token.ts';
import type { PassportInput } from '../records.ts';
import { checkCopy } from '../schema/check.ts';
import { PASSPORT_COLUMNS, UNCLAIMED } from '../schema/passport-fields.ts';
import { signsNothing } from './signing.ts';
import type { OwnSlots } from './status-slots.ts';
import type { TokenSigner } from './token-signer.ts';
import { signRequestSchema } from './validators.generated.ts';

/** Signs passports of an account. */
export interface PassportSigning<Options = CallOptions> {
  /**
   * Signs a token with which others can check the passport without this service.
   *
   * @throws {IdentityError} `conflict` if the passport is not active now.
   * @throws {IdentityError} `domain_unproven` if the account may not speak for the domain.
   * @throws {IdentityError} `invalid_request` if the `kid` is not among the keys of the passport.
   * @throws {IdentityError} `not_found` as `passports.get`, and in a service without `publicUrl`.
   */
  sign(agentId: string, input?: SignPassportInput, options?: Options): Promise<SignedPassportToken>;
}

/** The parts that sign passports; absent without `publicUrl`. */
export interface SigningParts {
  readonly publicUrl: string;
  readonly tokens: TokenSigner;
  readonly slots: OwnSlots;
}

export function createSignPassport(
  context: Pick<
    Context,
    'store' | 'caches' | 'clock' | 'random' | 'session' | 'registration' | 'claimsDomains'
  >,
  tokenSeconds: number,
  parts: SigningParts | undefined,
): RoomCode<PassportSigning<Actor>>['sign'] {
  const { clock } = context;
  const random = drawnAhead(context.random);
  const demandRight = createSigningRight(context);

  return async (agentId, input = {}, actor = {}) => {
    const { ttl_seconds = tokenSeconds, kid } = checkCopy<SignPassportInput>(signRequestSchema, input);
    if (parts === undefined) throw signsNothing();
    const { publicUrl, slots, tokens } = parts;
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
