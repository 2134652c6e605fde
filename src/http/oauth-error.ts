/** Errors as OAuth has them (RFC 6749 section 5.2). Descriptions are constant: they repeat no text of the request. */
import type { IdentityError, IdentityErrorCode } from '../errors.ts';

/** An error answer of OAuth. */
interface OauthAnswer {
  readonly status: number;
  /** Names and values in turn. */
  readonly headers: readonly string[];
  readonly body: {
    readonly error: string;
    readonly error_description: string;
    /** The verdict, if one was recorded. */
    readonly decision_id?: unknown;
  };
}

type Row = readonly [status: number, error: string, description: string];

const FAILED: Row = [500, 'server_error', 'Something went wrong here.'];
const BUSY: Row = [503, 'temporarily_unavailable', 'The service cannot answer now.'];
const FORM = 'Send one form as application/x-www-form-urlencoded in UTF-8.';

/** The answers by the code of an error; every other code is a failure of the service. */
const ROWS: Readonly<Partial<Record<IdentityErrorCode, Row>>> = {
  invalid_request: [400, 'invalid_request', FORM],
  unsupported_media_type: [400, 'invalid_request', FORM],
  payload_too_large: [413, 'invalid_request', 'The form is too long.'],
  rate_limited: [429, 'slow_down', 'The rate of the account is used up.'],
  storage_unavailable: BUSY,
  overloaded: BUSY,
};

/** Returns the status of an error of this code, which is `usual` elsewhere. */
export function oauthStatus(usual: number, code: IdentityErrorCode): number {
  return ROWS[code]?.[0] ?? usual;
}

/** Makes the answer. `isAuthorized` says whether the request had the header `Authorization`. */
export function toOauthError({ code, message, details }: IdentityError, isAuthorized: boolean): OauthAnswer {
  const { error: named, decision_id, retryAfterSeconds = 1 } = details;
  const [status, error, error_description] =
    code === 'token_refused' ? ([400, String(named), message] as const) : (ROWS[code] ?? FAILED);
  const isChallenged = error === 'invalid_client' && isAuthorized;
  return {
    status: isChallenged ? 401 : status,
    headers: [
      'content-type',
      'application/json',
      'pragma',
      'no-cache',
      ...(isChallenged ? ['www-authenticate', 'Basic realm="agent-identity"'] : []),
      ...(status === 429 || status === 503 ? ['retry-after', `${retryAfterSeconds}`] : []),
    ],
    body: { error, error_description, ...(decision_id !== undefined && { decision_id }) },
  };
}
