/** The first step of a request: decides whether it may continue, and finds its caller. */

import {
  type KeyCaller,
  type ManagementCaller,
  requireManagement,
  requireRole,
  requireScope,
  type SessionCaller,
} from '../core.ts';
import { IdentityError } from '../errors.ts';
import { readCredential, type Shown } from './authenticate.ts';
import type { Callers, Credential, Endpoint } from './endpoint.ts';
import type { ApiRequest, Exchange } from './exchange.ts';
import type { EndpointMatch } from './match.ts';

export interface Admission {
  readonly caller: KeyCaller | SessionCaller | ManagementCaller | undefined;
  readonly credential: string;
}

export const ANYONE: Admission = { caller: undefined, credential: '' };

export function showCredential({ request }: Exchange, endpoint: Endpoint): Shown | undefined {
  requireAllHeaders(request);
  return readCredential(endpoint, request);
}

/** Checks first the scope or the role of the caller, then the rate of its plan. */
export function admit(
  exchange: Exchange,
  { endpoint, params }: EndpointMatch,
  { kind, text }: Shown,
  caller: KeyCaller | SessionCaller | ManagementCaller,
): Admission {
  if (isManagement(caller)) {
    requireManagement(caller, endpoint.management, endpoint.role);
    exchange.rate = exchange.service.serving.countWrite(caller);
    endpoint.limit?.(exchange.service, caller as unknown as Callers[Credential]);
    return { caller, credential: text };
  }
  if (kind === 'key' && endpoint.scope !== undefined)
    requireScope(caller as KeyCaller, endpoint.scope, ...(endpoint.otherScopes ?? []));
  if (kind !== 'key' && endpoint.role !== undefined)
    requireRole(caller as SessionCaller, endpoint.role, params['id']);
  if (endpoint.counted) exchange.rate = exchange.service.serving.countVerifications(caller as KeyCaller, 1);
  if (endpoint.writes) exchange.rate = exchange.service.serving.countWrite(caller);
  endpoint.limit?.(exchange.service, caller as Callers[Credential]);
  return { caller, credential: text };
}

/**
 * The maximum number of header names and values together. Node 20 silently drops headers above about this number, and
 * Node 22 and later refuse the request. With this limit the answer is the same on every server.
 */
const MAX_RAW_HEADERS = 2_000;

/** Throws `headers_too_large` if some headers of the request may be missing. */
function requireAllHeaders({ rawHeaders, headersKept = MAX_RAW_HEADERS }: ApiRequest): void {
  if (rawHeaders.length >= Math.min(headersKept, MAX_RAW_HEADERS)) throw headersTooLarge();
}

export function headersTooLarge(): IdentityError {
  return new IdentityError('headers_too_large', 'The request has too many headers, or too long ones.');
}

/**
 * Returns how many header names and values a server keeps, if the application has set `maxHeadersCount`. `undefined`
 * means the default of Node.
 */
export function headersKeptBy(
  server: { readonly maxHeadersCount?: number | null } | undefined,
): number | undefined {
  const count = server?.maxHeadersCount;
  // 0 means no limit.
  return typeof count === 'number' && count > 0 ? 2 * count : undefined;
}

function isManagement(caller: KeyCaller | SessionCaller | ManagementCaller): caller is ManagementCaller {
  return 'management' in caller;
}
