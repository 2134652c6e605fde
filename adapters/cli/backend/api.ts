import { IdentityError, type IdentityErrorCode } from '../../../src/index.ts';

/** One call of the API. */
export interface ApiCall {
  readonly method: string;
  readonly path: string;
  readonly token?: string;
  readonly body?: unknown;
}

/** Sends a call and gives back its answer; rejects with the `IdentityError` that the service names. */
export type CallApi = (call: ApiCall) => Promise<unknown>;

/** A sign-in may wait for its turn for ten seconds. */
const TIMEOUT_MS = 15_000;

/** Calls the API at `baseUrl`; `service_unreachable` when nothing answers, or something that is not the API. */
export function createApi(baseUrl: string): CallApi {
  return async ({ method, path, token, body }) => {
    let response: Response;
    let text: string;
    try {
      response = await fetch(`${baseUrl}${path}`, {
        method,
        headers: {
          ...(token !== undefined && { authorization: `Bearer ${token}` }),
          ...(body !== undefined && { 'content-type': 'application/json' }),
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
        redirect: 'error',
        signal: AbortSignal.timeout(TIMEOUT_MS),
      });
      text = await response.text();
    } catch (cause) {
      throw new IdentityError('service_unreachable', `Nothing answers at ${baseUrl}`, { cause });
    }
    if (response.status === 204) return undefined;
    const answer = parse(text, baseUrl);
    if (response.ok) return answer;
    throw toError(answer, baseUrl);
  };
}

/** Asks for CSV; it comes piece by piece, for as long as it takes. A connection that breaks off is an error. */
export async function openCsv(
  baseUrl: string,
  { path, token }: { readonly path: string; readonly token: string },
): Promise<AsyncIterable<string>> {
  let response: Response;
  try {
    response = await fetch(`${baseUrl}${path}`, {
      headers: { authorization: `Bearer ${token}`, accept: 'text/csv' },
      redirect: 'error',
    });
  } catch (cause) {
    throw new IdentityError('service_unreachable', `Nothing answers at ${baseUrl}`, { cause });
  }
  const { body, headers } = response;
  if (!response.ok) throw toError(parse(await response.text(), baseUrl), baseUrl);
  if (body === null || !headers.get('content-type')?.startsWith('text/csv')) throw notOurs(baseUrl);
  return pieces(body, baseUrl);
}

async function* pieces(body: ReadableStream<Uint8Array>, baseUrl: string): AsyncIterable<string> {
  const decoder = new TextDecoder();
  try {
    for await (const bytes of body) yield decoder.decode(bytes, { stream: true });
  } catch (cause) {
    throw new IdentityError('service_unreachable', `${baseUrl} broke off in the middle.`, { cause });
  }
}

function parse(text: string, baseUrl: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw notOurs(baseUrl, cause);
  }
}

function toError(answer: unknown, baseUrl: string): IdentityError {
  const { code, detail, errors } = Object(answer) as Partial<Record<string, unknown>>;
  if (typeof code !== 'string' || typeof detail !== 'string') return notOurs(baseUrl);
  const details = (Array.isArray(errors) ? { errors } : {}) as IdentityError['details'];
  return new IdentityError(code as IdentityErrorCode, detail, { details });
}

function notOurs(baseUrl: string, cause?: unknown): IdentityError {
  return new IdentityError('service_unreachable', `What answers at ${baseUrl} is not the service.`, {
    cause,
  });
}
