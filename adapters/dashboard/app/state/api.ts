import type { FieldError } from '../../../../src/types.ts';
import { endSession, session } from './session.ts';

/** Why a call did not succeed. */
export interface Failure {
  /** 0: no answer came. */
  readonly status: number;
  readonly code: string;
  readonly detail: string;
  readonly errors: readonly FieldError[];
  readonly retryAfter: number | undefined;
}

/** What a call takes besides its method and path. */
export interface CallOptions {
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
}

const base = document.querySelector<HTMLMetaElement>('meta[name=api]')?.content ?? 'api';

/** The address of the API for people to copy. */
export const apiAddress: string = new URL(base, location.href.split('#', 1)[0]).href;

/** The answer of the API; rejects with a `Failure`. A session that has ended is ended here, too. */
export async function call<T>(method: string, path: string, options: CallOptions = {}): Promise<T> {
  const response = await send(method, path, options);
  return (response.status === 204 ? undefined : await response.json().catch(unreadable)) as T;
}

/** The response itself, once it is known to be a success. */
export async function send(method: string, path: string, options: CallOptions = {}): Promise<Response> {
  const { body, signal, headers } = options;
  // A call with an API key is that of the key: what is wrong with it does not end the session.
  const token = headers?.['x-api-key'] === undefined ? session.value?.token : undefined;
  const response = await fetch(`${base}${path}`, {
    method,
    cache: 'no-store',
    ...(signal && { signal }),
    ...(body !== undefined && { body: JSON.stringify(body) }),
    headers: {
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
      ...headers,
    },
  }).catch((error: unknown) => {
    throw signal?.aborted ? error : failure(0, 'service_unreachable', 'The service does not answer.');
  });
  if (response.ok) return response;
  const failed = await failureOf(response);
  if (failed.code === 'unauthenticated' && token !== undefined) endSession(token);
  throw failed;
}

/** What was thrown, as a failure. */
export function toFailure(thrown: unknown): Failure {
  if (typeof thrown === 'object' && thrown !== null && 'status' in thrown && 'code' in thrown) {
    return thrown as Failure;
  }
  return failure(0, 'internal', 'This page made a mistake. Reload it and try again.');
}

/** Text for a query: what is empty is left out. */
export function queryOf(fields: Readonly<Record<string, string | number | undefined>>): string {
  const given = Object.entries(fields).filter(([, value]) => value !== undefined && value !== '');
  const text = new URLSearchParams(given.map(([name, value]) => [name, `${value}`])).toString();
  return text === '' ? '' : `?${text}`;
}

function failure(status: number, code: string, detail: string): Failure {
  return { status, code, detail, errors: [], retryAfter: undefined };
}

function unreadable(): never {
  throw failure(0, 'service_unreachable', 'The answer was cut off.');
}

async function failureOf(response: Response): Promise<Failure> {
  const problem: Partial<Failure> = await response.json().catch(() => ({}));
  const retryAfter = Number(response.headers.get('retry-after') ?? Number.NaN);
  return {
    status: response.status,
    code: problem.code ?? 'internal',
    detail: problem.detail ?? `The service answered ${response.status}.`,
    errors: problem.errors ?? [],
    retryAfter: Number.isFinite(retryAfter) ? retryAfter : undefined,
  };
}
