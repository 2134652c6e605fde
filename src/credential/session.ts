import type { JWTPayload } from 'jose';
import { isCompactJws } from '../base/bytes/base64url.ts';
import type { Clock } from '../ports/storage.ts';
import { sessionKeyBytes } from './session-secret.ts';

/** The terms of session tokens, without the clock. */
export interface SessionTerms {
  /** The signing secret, at least 32 bytes of UTF-8, the same on every node. */
  readonly secret: string;
  /** Earlier secrets. Tokens signed with them are accepted, but new tokens use `secret`. */
  readonly previousSecrets?: readonly string[];
  readonly issuer: string;
  readonly audience: string;
}

/** The options of session tokens. */
export interface SessionTokenOptions extends SessionTerms {
  readonly clock: Clock;
}

/** The session that a token names. The stored session says whether it is still active. */
export interface SessionClaims {
  readonly account_id: string;
  readonly session_id: string;
}

/** Issues and reads session tokens. */
export interface SessionTokens {
  /** Issues a JWT (RFC 7519), valid from now for {@link SESSION_SECONDS}. */
  issue(claims: SessionClaims): Promise<string>;
  /** Returns the claims of a valid token of this service, and `undefined` for any other text. */
  read(token: string): Promise<SessionClaims | undefined>;
}

/** The lifetime of a token, in seconds. */
export const SESSION_SECONDS = 3_600;

const LEEWAY_SECONDS = 5;

const ALGORITHM = 'HS256';

/**
 * The type of session tokens (RFC 8725 section 3.11). A JWT of another type with the same secret is not accepted as a
 * session.
 */
const TYPE = 'ais-session+jwt';

const MAX_TOKEN_LENGTH = 4_096;

/**
 * Creates the functions that issue and read session tokens: JWTs (RFC 7519) with HS256 only and all claims required.
 *
 * @throws {IdentityError} `invalid_configuration` if the secret is too short or known.
 */
export function sessionTokens(options: SessionTokenOptions): SessionTokens {
  const { secret, previousSecrets = [], issuer, audience, clock } = options;
  const bytes = sessionKeyBytes(secret);
  const previous = previousSecrets.map(sessionKeyBytes);
  let loading: ReturnType<typeof loadTools> | undefined;
  function tools() {
    // A failure, such as a lack of file handles, is not kept: it would refuse every later token.
    loading ??= loadTools(bytes, previous).catch((error) => {
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
      if (!isCompactJws(token, MAX_TOKEN_LENGTH)) return undefined;
      const { jwtVerify, JOSEError, keys } = await tools();
      const now = clock.now();
      for (const key of keys) {
        const payload = await verify(token, key, { jwtVerify, JOSEError, issuer, audience, now });
        if (payload !== undefined) return readClaims(payload, audience, now);
      }
      return undefined;
    },
  };
}

type SecretBytes = Uint8Array<ArrayBuffer>;

type Tools = Awaited<ReturnType<typeof loadTools>>;

interface Expected extends Pick<Tools, 'jwtVerify' | 'JOSEError'> {
  readonly issuer: string;
  readonly audience: string;
  readonly now: number;
}

async function verify(
  token: string,
  key: CryptoKey,
  { jwtVerify, JOSEError, issuer, audience, now }: Expected,
): Promise<JWTPayload | undefined> {
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
    // jose accepts a `typ` in other case, and a `crit` of extensions that it knows.
    return protectedHeader.typ !== TYPE || protectedHeader.crit !== undefined ? undefined : payload;
  } catch (error) {
    if (error instanceof JOSEError) return undefined;
    throw error;
  }
}

/**
 * Loads jose with the first token instead of at import. A service without sessions then starts in two thirds of the
 * time.
 */
async function loadTools(bytes: SecretBytes, previous: readonly SecretBytes[]) {
  const algorithm = { name: 'HMAC', hash: 'SHA-256' };
  const toKey = (secret: SecretBytes): Promise<CryptoKey> =>
    globalThis.crypto.subtle.importKey('raw', secret, algorithm, false, ['sign', 'verify']);
  const [{ SignJWT }, { jwtVerify }, { JOSEError }, key, ...otherKeys] = await Promise.all([
    import('jose/jwt/sign'),
    import('jose/jwt/verify'),
    import('jose/errors'),
    toKey(bytes),
    ...previous.map(toKey),
  ]);
  return { SignJWT, jwtVerify, JOSEError, key, keys: [key, ...otherKeys] };
}

function readClaims(
  { aud, sub, jti, iat, exp }: JWTPayload,
  audience: string,
  now: number,
): SessionClaims | undefined {
  if (aud !== audience || !isText(sub) || !isText(jti)) return undefined;
  if (!Number.isSafeInteger(iat) || !Number.isSafeInteger(exp)) return undefined;
  const [start = 0, endMs = 0] = [iat, exp];
  if (endMs <= start || endMs - start > SESSION_SECONDS || start > now / 1_000 + LEEWAY_SECONDS)
    return undefined;
  return { account_id: sub, session_id: jti };
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}
