import { knownOptions, type OptionNames } from '../../base/known-options.ts';
import { elementsOf } from '../../base/values/plain-data.ts';
import { isTraceId } from '../../base/values/trace-id.ts';
import { type FieldError, invalidRequest } from '../../errors.ts';
import type { Environment, Scope } from '../../records.ts';
import type { KeyCaller } from '../shared/callers.ts';

/** The caller of a verify request. An empty object is the application itself, which sees every passport. */
export interface VerifyCaller {
  /** The only account from which passports are visible. */
  readonly account_id?: string;
  /** The only visible agents; `null` or absent: every agent. */
  readonly agent_ids?: readonly string[] | null;
  /** The id of the API key, for the record. */
  readonly key_id?: string | null;
  /** The environment for the record; default `live`. */
  readonly environment?: Environment;
  /** The request id of the caller, for the record. */
  readonly request_id?: string | null;
  /**
   * The trace id for the record: 32 lower-case hexadecimal digits. Any other text counts as absent, such as the zeros
   * of a disabled tracer.
   */
  readonly trace_id?: string | null;
  /**
   * The idempotency key: 1 to 255 printable ASCII characters. If the same intent is sent again with this key within 24
   * hours, the answer is the first `ALLOW` that spent something, and nothing is spent again. Another intent with this
   * key is `idempotency_mismatch`.
   */
  readonly idempotencyKey?: string | undefined;
  /** @internal The name of the endpoint for which the key is valid; default: `verify`. */
  readonly idempotencyRoute?: string | undefined;
  /**
   * @internal The scopes of the API key. Absent if the caller uses no API key. An intent with `permit` needs the scope
   * `permit`.
   */
  readonly scopes?: readonly Scope[] | undefined;
  /**
   * The member `mem_…` for whom the application asks. If the passport has `approval.by: "another"`, an approval by this
   * member does not count. Absent: the member who created the API key, if there is one.
   */
  readonly requested_by?: string | undefined;
  /** Called if an earlier request got the same answer. For a batch, called if this is true for all items. */
  readonly onReplayed?: (() => void) | undefined;
  /** With `false`, `guard` does not report the outcome of the action. Default: `true`. */
  readonly outcomes?: boolean | undefined;
  /** Ends the wait for the storage. The call then rejects with the reason of the signal, and nothing is recorded. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * The names of all members of a caller. Sessions and management keys have other members, and cannot ask for verdicts.
 */
const NAMES: OptionNames<Omit<VerifyCaller & KeyCaller, 'management'>> = {
  account_id: true,
  agent_ids: true,
  key_id: true,
  environment: true,
  request_id: true,
  trace_id: true,
  idempotencyKey: true,
  idempotencyRoute: true,
  onReplayed: true,
  signal: true,
  outcomes: true,
  requested_by: true,
  scopes: true,
  plan: true,
  operator: true,
  member_id: true,
};
const KNOWN: ReadonlySet<string> = new Set(Object.keys(NAMES));

/**
 * Returns `true` if each own name of the caller is known. The code uses a loop, because creating a list of the names
 * would take as long as evaluating a rule.
 */
export function hasKnownNames(caller: VerifyCaller): boolean {
  for (const name in caller) {
    if (!KNOWN.has(name) && Object.hasOwn(caller, name)) return false;
  }
  return true;
}

/**
 * Throws `invalid_configuration` for an unknown name. Otherwise a misspelt `account_id` would silently limit nothing.
 */
export function assertKnownNames(method: string, caller: VerifyCaller): void {
  if (!hasKnownNames(caller)) knownOptions<object>(method, caller, NAMES);
}

export const HOST: VerifyCaller = Object.freeze({});

/** Copies the caller, or throws `invalid_request`. Reads each member once, so that the record has the right types. */
export function callerOf(caller: VerifyCaller): VerifyCaller {
  if (caller === HOST) return HOST;
  if (typeof caller !== 'object' || caller === null) throw wrong('');
  const { agent_ids = null, key_id = null, environment = 'live', request_id = null } = caller;
  const { requested_by } = caller;
  if (requested_by !== undefined && typeof requested_by !== 'string') throw wrong('/requested_by');
  const trace_id = traceOf(caller);
  if (key_id !== null && typeof key_id !== 'string') throw wrong('/key_id');
  if (request_id !== null && typeof request_id !== 'string') throw wrong('/request_id');
  if (environment !== 'live' && environment !== 'test') throw wrong('/environment');
  if (!('account_id' in caller))
    return { agent_ids, key_id, environment, request_id, trace_id, requested_by };
  const { account_id } = caller;
  // An `account_id` of `undefined` sees nothing, rather than everything.
  if (account_id !== undefined && account_id !== null && typeof account_id !== 'string')
    throw wrong('/account_id');
  return { account_id, agent_ids, key_id, environment, request_id, trace_id, requested_by } as VerifyCaller;
}

function traceOf({ trace_id = null }: VerifyCaller): string | null {
  if (trace_id === null) return null;
  if (typeof trace_id !== 'string') throw wrong('/trace_id');
  return isTraceId(trace_id) ? trace_id : null;
}

/** Copies the caller with its list of agents, for a verdict that must wait. */
export function lastingCaller(caller: VerifyCaller): VerifyCaller {
  const { agent_ids } = caller;
  return Array.isArray(agent_ids) ? { ...caller, agent_ids: elementsOf(agent_ids) as string[] } : caller;
}

function wrong(path: string): Error {
  const error: FieldError = { path, code: 'wrong_type', message: 'This is not a caller.' };
  return invalidRequest([error]);
}
