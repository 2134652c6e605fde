/** Who asks for a verdict. */

import { knownOptions, type OptionNames } from '../../base/known-options.ts';
import { elementsOf } from '../../base/values/plain-data.ts';
import { isTraceId } from '../../base/values/trace-id.ts';
import { type FieldError, invalidRequest } from '../../errors.ts';
import type { Environment } from '../../records.ts';
import type { KeyCaller } from '../shared/callers.ts';

/** Who asks. Empty: the host itself, which sees every passport. */
export interface VerifyCaller {
  /** Narrows to the passports of one account. */
  readonly account_id?: string;
  /** Narrows to these agents; `null` or absent: every agent. */
  readonly agent_ids?: readonly string[] | null;
  /** The key that asks, for the record. */
  readonly key_id?: string | null;
  /** For the record; default `live`. */
  readonly environment?: Environment;
  /** The id that the caller gave its request, for the record. */
  readonly request_id?: string | null;
  /**
   * The trace that the question belongs to, for the record: 32 lower-case hexadecimal digits. Any other text, such as the
   * zeros of a tracer that is off, is no trace.
   */
  readonly trace_id?: string | null;
  /**
   * 1 to 255 printable ASCII characters: for 24 hours the same intent under it gets the answer of the first ALLOW that took
   * something, and nothing is taken again. Another intent under it is `idempotency_mismatch`.
   */
  readonly idempotencyKey?: string | undefined;
  /** @internal What the key is for: under another route the same key is another one. Default: `verify`. */
  readonly idempotencyRoute?: string | undefined;
  /** Called when the answer is one that was given before; of a batch, when all are. */
  readonly onReplayed?: (() => void) | undefined;
  /** Ends the wait for the storage: then it rejects with the reason of the signal, and nothing is recorded. */
  readonly signal?: AbortSignal | undefined;
}

/** The names of all that a caller may have; a session has one more, and none asks. */
const NAMES: OptionNames<VerifyCaller & KeyCaller> = {
  ...{ account_id: true, agent_ids: true, key_id: true, environment: true, request_id: true, trace_id: true },
  ...{ idempotencyKey: true, idempotencyRoute: true, onReplayed: true, signal: true },
  ...{ scopes: true, plan: true, operator: true },
};
const KNOWN: ReadonlySet<string> = new Set(Object.keys(NAMES));

/** Returns whether each own name of the caller is known. A loop over names: a list of them would cost as much as a rule. */
export function hasKnownNames(caller: VerifyCaller): boolean {
  for (const name in caller) {
    if (!KNOWN.has(name) && Object.hasOwn(caller, name)) return false;
  }
  return true;
}

/** Throws `invalid_configuration` for a caller with a name that is not known: a misspelt `account_id` would narrow nothing. */
export function assertKnownNames(verb: string, caller: VerifyCaller): void {
  if (!hasKnownNames(caller)) knownOptions<object>(verb, caller, NAMES);
}

/** The host itself. */
export const HOST: VerifyCaller = Object.freeze({});

/** A copy, or `invalid_request`: what is filed of a caller is read once, and of the right type. */
export function callerOf(given: VerifyCaller): VerifyCaller {
  if (given === HOST) return HOST;
  if (typeof given !== 'object' || given === null) throw wrong('');
  const { agent_ids = null, key_id = null, environment = 'live', request_id = null } = given;
  const trace_id = traceOf(given);
  if (key_id !== null && typeof key_id !== 'string') throw wrong('/key_id');
  if (request_id !== null && typeof request_id !== 'string') throw wrong('/request_id');
  if (environment !== 'live' && environment !== 'test') throw wrong('/environment');
  if (!('account_id' in given)) return { agent_ids, key_id, environment, request_id, trace_id };
  const { account_id } = given;
  // One that is `undefined` sees nothing, rather than everything.
  if (account_id !== undefined && account_id !== null && typeof account_id !== 'string')
    throw wrong('/account_id');
  return { account_id, agent_ids, key_id, environment, request_id, trace_id } as VerifyCaller;
}

function traceOf({ trace_id = null }: VerifyCaller): string | null {
  if (trace_id === null) return null;
  if (typeof trace_id !== 'string') throw wrong('/trace_id');
  return isTraceId(trace_id) ? trace_id : null;
}

/** The same for a verdict that has to wait: with a list of agents that does not change meanwhile. */
export function lastingCaller(caller: VerifyCaller): VerifyCaller {
  const { agent_ids } = caller;
  return Array.isArray(agent_ids) ? { ...caller, agent_ids: elementsOf(agent_ids) as string[] } : caller;
}

function wrong(path: string): Error {
  const error: FieldError = { path, code: 'wrong_type', message: 'This is not a caller.' };
  return invalidRequest([error]);
}
