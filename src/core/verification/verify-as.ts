/** Gives verdicts to the holder of an API key, in process and with the same checks as over HTTP. */
import { knownOptions, type OptionNames } from '../../base/known-options.ts';
import type { Intent, VerdictRecord } from '../../records.ts';
import type { KeyCaller, KeyCallers, Traced } from '../shared/callers.ts';
import { requireScope } from '../shared/callers.ts';
import type { VerifySince } from './verify.ts';
import type { VerifyCaller } from './verify-caller.ts';

/** The options of a request with an API key. */
export type VerifyAsOptions = Traced & Pick<VerifyCaller, 'idempotencyKey' | 'onReplayed'>;

/**
 * Evaluates an intent for the holder of a key.
 *
 * @throws {IdentityError} `unauthenticated` if the key is not valid now.
 * @throws {IdentityError} `insufficient_scope` without the scope `verify`.
 * @throws {IdentityError} The error of `verify` if there is no verdict.
 */
export type VerifyAs = (apiKey: string, intent: Intent, options?: VerifyAsOptions) => Promise<VerdictRecord>;

/** The parts that `verifyAs` uses. */
export interface VerifyAsParts extends Pick<VerifySince, 'verifySince'> {
  readonly monotonic: () => number;
  readonly callers: KeyCallers;
}

/** Creates the method `verifyAs`. If the cache has the key and the passport, no asynchronous function runs. */
export function createVerifyAs({ monotonic, callers, verifySince }: VerifyAsParts): VerifyAs {
  async function askLater(apiKey: string, intent: Intent, options: VerifyAsOptions, startedAt: number) {
    const caller = await callers.find(apiKey, options, startedAt);
    return verifySince(intent, askerOf(caller, options), startedAt);
  }

  return (apiKey, intent, givenOptions) => {
    try {
      const startedAt = monotonic();
      // Options are read before anything is awaited.
      const options =
        givenOptions === undefined
          ? NOTHING_SAID
          : readOptions(knownOptions('verifyAs', givenOptions, NAMES));
      const caller = callers.peek(apiKey, startedAt);
      if (caller === undefined) return askLater(apiKey, intent, options, startedAt);
      return verifySince(intent, askerOf(caller, options), startedAt);
    } catch (error) {
      return Promise.reject(error);
    }
  };
}

const NOTHING_SAID: VerifyAsOptions = {};
const NAMES: OptionNames<VerifyAsOptions> = {
  request_id: true,
  trace_id: true,
  idempotencyKey: true,
  onReplayed: true,
};

function readOptions({ request_id, trace_id, idempotencyKey, onReplayed }: VerifyAsOptions): VerifyAsOptions {
  return { request_id: request_id ?? null, trace_id: trace_id ?? null, idempotencyKey, onReplayed };
}

function askerOf(caller: KeyCaller, options: VerifyAsOptions): VerifyCaller {
  requireScope(caller, 'verify');
  return options === NOTHING_SAID ? caller : askingAs(caller, options);
}

/**
 * Returns the caller with its options. The code lists all fields, because V8 creates a new hidden class for each object
 * that is spread and extended.
 */
export function askingAs(
  { account_id, agent_ids, key_id, environment, scopes, request_id, trace_id }: KeyCaller,
  options: VerifyAsOptions & { readonly idempotencyRoute?: string | undefined },
): VerifyCaller {
  const { idempotencyKey, idempotencyRoute, onReplayed } = options;
  return {
    account_id,
    agent_ids,
    key_id,
    environment,
    scopes,
    request_id: options.request_id ?? request_id ?? null,
    trace_id: options.trace_id ?? trace_id ?? null,
    idempotencyKey,
    idempotencyRoute,
    onReplayed,
  };
}
