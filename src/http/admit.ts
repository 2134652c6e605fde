/** The first step of a request: decides if it may go on, and for which caller. */
import { type KeyCaller, requireScope, type SessionCaller } from '../service.ts';
import { authenticate, readCredential } from './authenticate.ts';
import type { Callers, Credential, Endpoint } from './endpoint.ts';
import type { Exchange } from './exchange.ts';
import { requireAllHeaders } from './header-limit.ts';

/** The caller of a request that may go on. */
export interface Admission {
  /** `undefined` if the endpoint needs no credential. */
  readonly caller: KeyCaller | SessionCaller | undefined;
  /** The text of the credential, or `''` without one. */
  readonly credential: string;
}

/** Checks the headers, the credential, its scope and the rate of its plan, in this order. Does not read the body. */
export async function admit(exchange: Exchange, endpoint: Endpoint): Promise<Admission> {
  const { request } = exchange;
  requireAllHeaders(request);
  const shown = readCredential(endpoint, request.rawHeaders);
  if (shown === undefined) return { caller: undefined, credential: '' };
  const caller = await authenticate(exchange, shown);
  if (shown.kind === 'key' && endpoint.scope !== undefined)
    requireScope(caller as KeyCaller, endpoint.scope, ...(endpoint.otherScopes ?? []));
  if (endpoint.counted) exchange.rate = exchange.service.countVerifications(caller as KeyCaller, 1);
  if (endpoint.writes) exchange.rate = exchange.service.countWrite(caller);
  endpoint.limit?.(exchange.service, caller as Callers[Credential]);
  return { caller, credential: shown.text };
}
