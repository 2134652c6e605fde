/** The callers of methods: an account, an API key or a session. */

import { IdentityError } from '../../errors.ts';
import type { Environment, Plan, Role, Scope } from '../../records.ts';

/** The account that acts, and the key that it uses. */
export interface Actor extends Traced {
  /** The account; absent: `acc_local`, the account of a service without logins. */
  readonly account_id?: string;
  /** The key; `null` or absent if the account acts without a key. */
  readonly key_id?: string | null;
  /** The agents to which it is limited; `null` or absent: all agents of the account. */
  readonly agent_ids?: readonly string[] | null;
  /** The member of the account that acts, `mem_…`; absent in process: the account acts without a name. */
  readonly member_id?: string;
  /** The plan with its limits; absent in process, without limits. */
  readonly plan?: Plan;
  /** `true`: an operator with access to the storage acts for the account. Records then have the author `operator`. */
  readonly operator?: boolean;
  /** The rights of the management key that acts; absent: no management key acts. */
  readonly management?: Management;
}

/** The rights of a management key. */
export interface Management {
  /** The scopes, with those that they include. */
  readonly scopes: readonly Scope[];
  /** The domains to which it is bound; `null`: every domain of the account. */
  readonly domains: readonly string[] | null;
  /** The member behind it; `null`: nobody, because it was made in process. */
  readonly person: string | null;
}

/** The caller with a management key. */
export interface ManagementCaller extends Actor {
  readonly account_id: string;
  /** The id of the key, `key_…`. */
  readonly key_id: string;
  readonly agent_ids: readonly string[] | null;
  readonly plan: Plan;
  readonly management: Management;
  /** The role of the person behind it, as it is stored now; `null`: nobody is behind it. */
  readonly role: Role | null;
}

/** The caller with an API key. */
export interface KeyCaller extends Actor {
  /** The account of the key. */
  readonly account_id: string;
  /** The id of the key, `key_…`. */
  readonly key_id: string;
  /** The agents to which the key is limited; `null`: all agents of the account. */
  readonly agent_ids: readonly string[] | null;
  /** The environment of the key. */
  readonly environment: Environment;
  /** The permissions of the key. */
  readonly scopes: readonly Scope[];
  /** The plan of its account, with the rate limit. */
  readonly plan: Plan;
}

/** The caller with a session token, or with the login of the application. */
export interface SessionCaller extends Actor {
  /** The account that signed in. */
  readonly account_id: string;
  /** The member that signed in. */
  readonly member_id: string;
  /** The role of the member, as it is stored now. */
  readonly role: Role;
  /** The id of the session; `null` with the login of the application. */
  readonly session_id: string | null;
  /** The plan of the account. */
  readonly plan: Plan;
}

/** The caller with a session token. */
export interface OwnSession extends SessionCaller {
  readonly session_id: string;
}

/** Finds the caller of an API key, for a request that began at `at` by the monotonic clock. */
export interface KeyCallers {
  /** Returns the caller if the cache has a valid key; `undefined` otherwise. */
  peek(apiKey: string, at: number): KeyCaller | undefined;
  /** Returns the caller; rejects with `unauthenticated` if the key is not valid. */
  find(apiKey: string, traced: Traced, at: number): Promise<KeyCaller>;
  /**
   * Returns the caller as its key and its account were at `since` or later, and an instant at which they were so;
   * `unauthenticated` if the key is no longer valid.
   */
  confirm(caller: KeyCaller, since: number): Promise<ConfirmedCaller>;
}

/** A caller, and an instant at which its key and its account were as it says, by the monotonic clock. */
export interface ConfirmedCaller {
  readonly caller: KeyCaller;
  readonly asOf: number;
}

/** Returns the caller with the ids of its request. A literal keeps one hidden class in V8; a spread does not. */
export function tracedCaller(
  caller: KeyCaller | SessionCaller | ManagementCaller,
  { request_id = null, trace_id = null }: Traced,
): KeyCaller | SessionCaller | ManagementCaller {
  if (!('scopes' in caller)) return { request_id, trace_id, ...caller };
  const { account_id, key_id, agent_ids, environment, scopes, plan } = caller;
  return { account_id, key_id, agent_ids, environment, scopes, plan, request_id, trace_id };
}

/** Throws `insufficient_scope` unless the key has one of the scopes. */
export function requireScope(caller: Pick<KeyCaller, 'scopes'>, ...scopes: readonly Scope[]): void {
  if (scopes.some((scope) => caller.scopes.includes(scope))) return;
  throw new IdentityError('insufficient_scope', `This key lacks the scope ${scopes.join(' or ')}.`);
}

/** Throws `insufficient_role` unless the member has one of the roles, or the roles hold `self` and it is `subject`. */
export function requireRole(
  { role, member_id }: Pick<SessionCaller, 'role' | 'member_id'>,
  roles: readonly (Role | 'self')[],
  subject?: string,
): void {
  if (roles.includes(role) || (roles.includes('self') && member_id === subject)) return;
  const named = roles.filter((one) => one !== 'self');
  throw new IdentityError('insufficient_role', `This needs the role ${named.join(' or ')}.`, {
    details: { roles: named },
  });
}

/** The options of methods that read many records. */
export interface CallOptions {
  /** Ends the call between two steps of its work; it rejects with the reason of the signal. */
  readonly signal?: AbortSignal;
}

/** The request and the trace of a call. */
export interface Traced {
  /** The id of the request, for log lines of the call. */
  readonly request_id?: string | null;
  /** The id of the trace, for the record of a verdict: 32 lower-case hexadecimal digits. */
  readonly trace_id?: string | null;
}

/** Throws the reason of the signal if it was aborted. */
export function assertWanted(signal: AbortSignal | undefined): void {
  if (signal?.aborted) throw signal.reason;
}
