import type { AccountOverview, FieldError, OidcStart, Session } from '../../../../src/types.ts';
import { beginSession, endSession, leave, metaOf, session } from './session.ts';

export interface Failure {
  /** The HTTP status; 0 if no answer arrived. */
  readonly status: number;
  readonly code: string;
  readonly detail: string;
  readonly errors: readonly FieldError[];
  readonly retryAfter: number | undefined;
  readonly approval_id?: string | null | undefined;
}

export interface CallOptions {
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
}

const base = document.querySelector<HTMLMetaElement>('meta[name=api]')?.content ?? 'api';

export const apiAddress: string = new URL(base, location.href.split('#', 1)[0]).href;

export async function call<T>(method: string, path: string, options: CallOptions = {}): Promise<T> {
  const response = await send(method, path, options);
  return (response.status === 204 ? undefined : await response.json().catch(unreadable)) as T;
}

export async function send(method: string, path: string, options: CallOptions = {}): Promise<Response> {
  const { body, signal, headers } = options;
  // A call with an API key does not use the session: its failure does not end the session.
  const token = headers?.['x-api-key'] === undefined ? session.value?.token : undefined;
  const response = await fetch(`${base}${path}`, {
    method,
    cache: 'no-store',
    ...(signal && { signal }),
    ...(body !== undefined && { body: JSON.stringify(body) }),
    headers: {
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...(token && { authorization: `Bearer ${token}` }),
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

export function toFailure(thrown: unknown): Failure {
  if (typeof thrown === 'object' && thrown !== null && 'status' in thrown && 'code' in thrown) {
    return thrown as Failure;
  }
  return failure(0, 'internal', 'This page made a mistake. Reload it and try again.');
}

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
    approval_id: problem.approval_id,
  };
}

export const issuerLabel: string = metaOf('oidc');

interface Away {
  readonly transaction: string;
  readonly link?: string;
  readonly hash: string;
}

const PLACE = 'agent-identity-away';

/** Opens the sign-in page of the issuer. Only this tab can complete the sign-in. */
export async function goToIssuer(link?: string): Promise<void> {
  const { url, transaction } = await call<OidcStart>('POST', '/auth/oidc/start');
  const away: Away = { transaction, hash: link === undefined ? location.hash : '', ...(link && { link }) };
  sessionStorage.setItem(PLACE, JSON.stringify(away));
  location.assign(url);
  // The page of the issuer takes the place of this one.
  await new Promise(() => undefined);
}

/**
 * The answer of an issuer in the address. It is removed from the address at once, so that bookmarks and the history do
 * not store it.
 */
const response: string = takeResponse();

export const isBack: boolean = response !== '';

// The person who comes back may be another one than the session of this tab is for.
if (isBack && sessionStorage.getItem(PLACE) !== null) leave();

export async function comeBack(): Promise<void> {
  const kept = sessionStorage.getItem(PLACE);
  sessionStorage.removeItem(PLACE);
  if (kept === null) throw failure(401, 'invalid_credentials', '');
  const { transaction, link, hash } = JSON.parse(kept) as Away;
  const body = { transaction, response, ...(link && { link }) };
  const { access_token } = await call<Session>('POST', '/auth/oidc/finish', { body });
  const headers = { authorization: `Bearer ${access_token}` };
  const { member } = await call<AccountOverview>('GET', '/account', { headers });
  beginSession({ token: access_token, email: member?.email ?? member?.name ?? '' });
  location.hash = hash;
}

function takeResponse(): string {
  const { search, pathname } = location;
  const query = new URLSearchParams(search);
  if (issuerLabel === '' || !query.has('state')) return '';
  history.replaceState(null, '', pathname);
  return search.slice(1);
}
