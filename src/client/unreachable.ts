/** Describes connection failures, from the errors of the runtime's `fetch`. */
import { IdentityError } from '../errors.ts';

export interface Failure {
  readonly text: string;
  /** True if the connection broke, for example because the server restarted. The same request may then succeed. */
  readonly isBroken: boolean;
}

const MEANINGS: readonly (readonly [pattern: RegExp, text: string])[] = [
  [/^(?:ECONNREFUSED|EHOSTUNREACH|ENETUNREACH)$/, 'the connection was refused'],
  [/^(?:ENOTFOUND|EAI_\w+)$/, 'the name of the host was not found'],
  [/^(?:ETIMEDOUT|UND_ERR_\w+_TIMEOUT)$/, 'the connection timed out'],
  [/^(?:CERT_|DEPTH_|ERR_TLS_|ERR_SSL_|HOSTNAME_MISMATCH|SELF_SIGNED_|UNABLE_TO_|EPROTO$)/, 'TLS failed'],
  [/^HPE_/, 'the server there does not speak HTTP'],
];
const BROKEN = /^(?:ECONNRESET|ECONNABORTED|EPIPE|UND_ERR_SOCKET)$/;

const MAX_CAUSES = 8;

export function failureOf(error: unknown): Failure {
  const code = codeOf(error);
  if (code === undefined) return { text: 'the request failed', isBroken: true };
  if (BROKEN.test(code)) return { text: `the connection broke (${code})`, isBroken: true };
  const text = MEANINGS.find(([pattern]) => pattern.test(code))?.[1] ?? 'the request failed';
  return { text: `${text} (${code})`, isBroken: false };
}

/** Creates a `service_unreachable` error with the cause and the address, which contains no secret. */
export function unreachable(baseUrl: string, event: string, cause?: unknown): IdentityError {
  return new IdentityError('service_unreachable', `No answer from ${baseUrl}: ${event}.`, { cause });
}

export function notTheApi(baseUrl: string, { status, headers }: Response, cause?: unknown): IdentityError {
  const [type] = /^[a-z]+\/[\w.+-]{1,50}/.exec(headers.get('content-type') ?? '') ?? ['no content type'];
  const hint = /\/api$/.test(baseUrl) ? '' : ` Is /api missing? It may be at ${baseUrl}/api.`;
  const message = `The server at ${baseUrl} is not the API of the service (${status}, ${type}).${hint}`;
  return new IdentityError('service_unreachable', message, { cause });
}

export function notThisAnswer(baseUrl: string): IdentityError {
  const message = `The server at ${baseUrl} is not the identity service: its answer is not to this question.`;
  return new IdentityError('service_unreachable', message);
}

function codeOf(thrownError: unknown): string | undefined {
  let error: { readonly code?: unknown; readonly cause?: unknown } = Object(thrownError);
  for (let depth = 0; depth < MAX_CAUSES; depth += 1) {
    const { code, cause } = error;
    if (typeof code === 'string' && /^[A-Z][A-Z0-9_]{1,63}$/.test(code)) return code;
    error = Object(cause);
  }
  return undefined;
}
