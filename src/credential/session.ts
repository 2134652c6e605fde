import type { JWTPayload } from 'jose';
import type { Clock } from '../ports.ts';
import { sessionKeyBytes } from './session-secret.ts';

/** How session tokens are made and checked. */
export interface SessionTokenOptions {
  /** At least 32 bytes of UTF-8, the same on every node. */
  readonly secret: string;
  readonly issuer: string;
  readonly audience: string;
  readonly clock: Clock;
}

/** Whose session a token is for. Whether it still runs, the stored session knows. */
export interface SessionClaims {
  readonly account_id: string;
  readonly session_id: string;
}

/** Makes and reads session tokens. */
export interface SessionTokens {
  /** A JWT (RFC 7519) valid from now for {@link SESSION_SECONDS}. */
  issue(claims: SessionClaims): Promise<string>;
  /** The claims of a token of ours that is in its time; `undefined` for anything else. */
  read(token: string): Promise<SessionClaims | undefined>;
}

/** The lifetime of a token. */
export const SESSION_SECONDS = 3_600;

/** By how much two nodes' clocks may differ. */
const LEEWAY_SECONDS = 5;

const ALGORITHM = 'HS256';

/** Of our own (RFC 8725 section 3.11): no other JWT made with the same secret passes for a session. */
const TYPE = 'ais-session+jwt';

const MAX_TOKEN_LENGTH = 4_096;

/** Base64url that encodes again to itself: no padding, and no bits beyond the last byte. */
const PART = '(?:[\\w-]{4})*(?:[\\w-]{4}|[\\w-][AQgw]|[\\w-]{2}[AEIMQUYcgkosw048])';
const COMPACT = new RegExp(`^${PART}\\.${PART}\\.${PART}$`);

/**
 * Session tokens (CONTRACT section 4): HS256 and nothing else, every claim required. Throws
 * `invalid_configuration` when the secret is too short or known.
 */
export function sessionTokens({ secret, issuer, audience, clock }: SessionTokenOptions): SessionTokens {
  const bytes = sessionKeyBytes(secret);
  let loading: ReturnType<typeof loadTools> | undefined;
  function tools() {
    // One that failed, say for want of file handles, must not refuse every token from then on.
    loading ??= loadTools(bytes).catch((error) => {
      loading = undefined;
      throw error;
    });
    return loading;
  }

  return {
    async issue({ account_id, session_id }) {
      const { SignJWT, key } = await tools();
      const issuedAt = Math.floor(clock.now() / 1_000);
      return new SignJWT()
        .setProtectedHeader({ alg: ALGORITHM, typ: TYPE })
        .setIssuer(issuer)
        .setAudience(audience)
        .setSubject(account_id)
        .setJti(session_id)
        .setIssuedAt(issuedAt)
        .setExpirationTime(issuedAt + SESSION_SECONDS)
        .sign(key);
    },

    async read(token) {
      if (token.length > MAX_TOKEN_LENGTH || !COMPACT.test(token)) return undefined;
      const { jwtVerify, JOSEError, key } = await tools();
      const now = clock.now();
      try {
        const { payload, protectedHeader } = await jwtVerify(token, key, {
          algorithms: [ALGORITHM],
          issuer,
          audience,
          typ: TYPE,
          clockTolerance: LEEWAY_SECONDS,
          currentDate: new Date(now),
          requiredClaims: ['sub', 'jti', 'iat', 'exp'],
        });
        // jose takes a `typ` in other case, and a `crit` of extensions that it knows.
        if (protectedHeader.typ !== TYPE || protectedHeader.crit !== undefined) return undefined;
        return readClaims(payload, audience, now);
      } catch (error) {
        if (error instanceof JOSEError) return undefined;
        throw error;
      }
    },
  };
}

/** With the first token and not with the module: a service without sessions starts in two thirds of the time. */
async function loadTools(bytes: Uint8Array<ArrayBuffer>) {
  const algorithm = { name: 'HMAC', hash: 'SHA-256' };
  const [{ SignJWT }, { jwtVerify }, { JOSEError }, key] = await Promise.all([
    import('jose/jwt/sign'),
    import('jose/jwt/verify'),
    import('jose/errors'),
    globalThis.crypto.subtle.importKey('raw', bytes, algorithm, false, ['sign', 'verify']),
  ]);
  return { SignJWT, jwtVerify, JOSEError, key };
}

function readClaims(
  { aud, sub, jti, iat, exp }: JWTPayload,
  audience: string,
  now: number,
): SessionClaims | undefined {
  if (aud !== audience || !isText(sub) || !isText(jti)) return undefined;
  if (!Number.isSafeInteger(iat) || !Number.isSafeInteger(exp)) return undefined;
  const [from = 0, until = 0] = [iat, exp];
  if (until <= from || until - from > SESSION_SECONDS || from > now / 1_000 + LEEWAY_SECONDS)
    return undefined;
  return { account_id: sub, session_id: jti };
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}
