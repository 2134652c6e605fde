/** Defines the callers of methods: an account, an API key or a session. */

import { isFromJournal } from '../../base/values/event-types.ts';
import { IdentityError } from '../../errors.ts';
import type { Environment, ManagementScope, Plan, Role, Scope } from '../../records.ts';

/** The account that acts, and the key that it uses. */
export interface Actor extends Traced {
  /** The account; absent: `acc_local`, the account of a service without logins. */
  readonly account_id?: string;
  /** The key; `null` or absent if the account acts without a key. */
  readonly key_id?: string | null;
  /** The agents that the caller may use. `null` or absent: all agents of the account. */
  readonly agent_ids?: readonly string[] | null;
  /** The id `mem_…` of the member that acts. Absent for calls in process: the account acts without a name. */
  readonly member_id?: string;
  /** The plan with its limits. Absent for calls in process, which have no limits. */
  readonly plan?: Plan;
  /** `true`: an operator with access to the storage acts for the account. Records then have the author `operator`. */
  readonly operator?: boolean;
  /** The rights of the management key. Absent: the caller uses no management key. */
  readonly management?: Management;
}

/** The rights of a management key. */
export interface Management {
  /** The scopes of the key, and the scopes that they include. */
  readonly scopes: readonly Scope[];
  /** The only domains that the key may manage. `null`: every domain of the account. */
  readonly domains: readonly string[] | null;
  /** The member who created the key. `null`: it was created in process, without a member. */
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
  /** The current role of the person who created the key. `null`: it was created without a person. */
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

/**
 * Returns the caller for a login that an application gives.
 *
 * @throws {IdentityError} `invalid_request` if the login breaks a rule.
 * @throws {IdentityError} `unauthenticated` if the account is unknown or disabled, or the member was removed. The
 * details have the reason.
 * @throws {IdentityError} `plan_limit_reached` if the account already has 1,000 members.
 */
export type AuthenticateHost = (login: unknown) => Promise<SessionCaller>;

/** The caller with a session token. */
export interface OwnSession extends SessionCaller {
  readonly session_id: string;
}

/** Finds the caller of an API key. The argument `at` is the start of the request by the monotonic clock. */
export interface KeyCallers {
  /** Returns the caller if the cache has a valid entry for the key, and `undefined` otherwise. */
  peek(apiKey: string, atMs: number): KeyCaller | undefined;
  /** Returns the caller; rejects with `unauthenticated` if the key is not valid. */
  find(apiKey: string, trace: Traced, atMs: number): Promise<KeyCaller>;
  /**
   * Confirms that the caller's key and account were valid at `sinceMs` or later. Returns the caller, and the instant at
   * which they were valid.
   *
   * @throws {IdentityError} `unauthenticated` if the key is no longer valid.
   */
  confirm(caller: KeyCaller, sinceMs: number): Promise<ConfirmedCaller>;
}

/** A caller, and an instant by the monotonic clock at which its key and its account were valid. */
interface ConfirmedCaller {
  readonly caller: KeyCaller;
  readonly asOf: number;
}

/**
 * Adds the ids of the request to the caller. The code lists all fields instead of a spread, which keeps one hidden
 * class in V8.
 */
export function tracedCaller(
  caller: KeyCaller | SessionCaller | ManagementCaller,
  { request_id = null, trace_id = null }: Traced,
): KeyCaller | SessionCaller | ManagementCaller {
  if (!('scopes' in caller)) return { request_id, trace_id, ...caller };
  const { account_id, key_id, agent_ids, environment, scopes, plan } = caller;
  return { account_id, key_id, agent_ids, environment, scopes, plan, request_id, trace_id };
}

/**
 * Checks that the key has one of the scopes.
 *
 * @throws {IdentityError} `insufficient_scope` otherwise.
 */
export function requireScope(caller: Pick<KeyCaller, 'scopes'>, ...scopes: readonly Scope[]): void {
  if (scopes.some((scope) => caller.scopes.includes(scope))) return;
  throw new IdentityError(
    'insufficient_scope',
    `This key lacks the scope ${scopes.join(' or ')}. Use a key that has it.`,
  );
}

/**
 * Checks that the member has one of the roles. The role `self` allows the member with the id `subject`.
 *
 * @throws {IdentityError} `insufficient_role` otherwise.
 */
export function requireRole(
  { role, member_id }: Pick<SessionCaller, 'role' | 'member_id'>,
  roles: readonly (Role | 'self')[],
  subject?: string,
): void {
  if (roles.includes(role) || (roles.includes('self') && member_id === subject)) return;
  const namedRoles = roles.filter((role) => role !== 'self');
  throw new IdentityError('insufficient_role', `This needs the role ${namedRoles.join(' or ')}.`, {
    details: { roles: namedRoles },
  });
}

/** The options of methods that read many records. */
export interface CallOptions {
  /** Ends the call between two steps of its work. The call then rejects with the reason of the signal. */
  readonly signal?: AbortSignal;
}

/** The ids of the request and the trace of a call. */
export interface Traced {
  /** The id of the request, which appears in log lines of the call. */
  readonly request_id?: string | null;
  /** The id of the trace, which is stored with the verdict: 32 lower-case hexadecimal digits. */
  readonly trace_id?: string | null;
}

/** Throws the reason of the signal if the signal was aborted. */
export function assertWanted(signal: AbortSignal | undefined): void {
  if (signal?.aborted) throw signal.reason;
}

/** Creates the error for every access token that no session accepts. */
export function tokenRefused(): IdentityError {
  return new IdentityError(
    'unauthenticated',
    'The access token is missing, expired or not valid. Log in again.',
  );
}

// Checks which scopes a management key needs for a call or an event.

/**
 * Checks the scopes of a management key, and the role of the member who uses it.
 *
 * @throws {IdentityError} `insufficient_scope` if the key has none of the scopes.
 * @throws {IdentityError} `insufficient_role` if the member has none of the roles.
 */
export function requireManagement(
  { management, role }: ManagementCaller,
  scopes: readonly Scope[] | 'any' | undefined,
  roles: readonly (Role | 'self')[] = [],
): void {
  if (scopes === undefined)
    throw new IdentityError(
      'insufficient_scope',
      'No scope of a management key allows this: a person does it.',
    );
  if (scopes !== 'any') requireScope(management, ...scopes);
  if (role === null || roles.length === 0 || roles.includes(role)) return;
  const namedRoles = roles.filter((otherRole) => otherRole !== 'self');
  const message = `The person behind the key needs the role ${namedRoles.join(' or ')}.`;
  throw new IdentityError('insufficient_role', message, { details: { roles: namedRoles } });
}

/**
 * Returns the scope that a management key needs to read events of this type. `type` may also be a pattern,
 * such as `verdict.*`.
 */
export function readScopeOf(type: string): ManagementScope {
  return isFromJournal(type) ? 'verifications:read' : 'audit:read';
}
