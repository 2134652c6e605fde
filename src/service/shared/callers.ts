/** Who calls a verb. */

import type { Environment, Plan, Scope } from '../../records.ts';
import type { Traced } from './call-options.ts';

/** Who manages: an account, and the key it came with when it came with one. */
export interface Actor extends Traced {
  /** Absent: the one account of a service without logins, `acc_local`. */
  readonly account_id?: string;
  /** The key it came with; `null` or absent without one. */
  readonly key_id?: string | null;
  /** The only agents it may touch; `null` or absent: every agent of the account. */
  readonly agent_ids?: readonly string[] | null;
  /** The plan whose numbers bind it; absent in process, where nothing is limited. */
  readonly plan?: Plan;
  /** `true`: an operator, who has access to the storage, acts for the account. Records then name `operator` as the author. */
  readonly operator?: boolean;
}

/** Who is behind an API key. */
export interface KeyCaller extends Actor {
  /** The account of the key. */
  readonly account_id: string;
  /** `key_…`. */
  readonly key_id: string;
  /** The only agents it may ask about; `null`: every agent of the account. */
  readonly agent_ids: readonly string[] | null;
  /** Of the key. */
  readonly environment: Environment;
  /** What the key may be used for. */
  readonly scopes: readonly Scope[];
  /** The plan of its account, whose rate binds it. */
  readonly plan: Plan;
}

/** Who is behind a session token. */
export interface SessionCaller extends Actor {
  /** The account that signed in. */
  readonly account_id: string;
  /** Of this sign-in. */
  readonly session_id: string;
  /** The plan of the account. */
  readonly plan: Plan;
}

/** Says who is behind a key, for a question that began at `at`, by the monotonic clock. */
export interface KeyCallers {
  /** The caller, where memory may answer and the key is good; `undefined` otherwise. */
  peek(apiKey: string, at: number): KeyCaller | undefined;
  /** The caller; `unauthenticated` for a key that is not valid. */
  find(apiKey: string, traced: Traced, at: number): Promise<KeyCaller>;
}

/** Returns the caller with the ids of its request. A literal: V8 gives what is spread and then added to a hidden class each time. */
export function tracedCaller(
  caller: KeyCaller | SessionCaller,
  { request_id = null, trace_id = null }: Traced,
): KeyCaller | SessionCaller {
  if (!('scopes' in caller)) return { request_id, trace_id, ...caller };
  const { account_id, key_id, agent_ids, environment, scopes, plan } = caller;
  return { account_id, key_id, agent_ids, environment, scopes, plan, request_id, trace_id };
}
