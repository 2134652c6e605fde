/** Verdicts for the holder of an API key, as over HTTP. */
import { knownOptions, type OptionNames } from '../../base/known-options.ts';
import type { Intent, VerdictRecord } from '../../records.ts';
import type { Traced } from '../shared/call-options.ts';
import type { KeyCaller, KeyCallers } from '../shared/callers.ts';
import { requireScope } from '../shared/scope.ts';
import type { VerifySince } from './verify.ts';
import type { VerifyCaller } from './verify-caller.ts';

/** What may be said with a question under a key. */
export type VerifyAsOptions = Traced & Pick<VerifyCaller, 'idempotencyKey' | 'onReplayed'>;

/** Gives the verdict for the holder of a key; `insufficient_scope` without `verify`. */
export type VerifyAs = (apiKey: string, intent: Intent, options?: VerifyAsOptions) => Promise<VerdictRecord>;

/** What `verifyAs` works with. */
export interface VerifyAsParts extends Pick<VerifySince, 'verifySince'> {
  readonly monotonic: () => number;
  readonly callers: KeyCallers;
}

/** Makes the verb. A key and a passport that are in memory are answered without an asynchronous function. */
export function createVerifyAs({ monotonic, callers, verifySince }: VerifyAsParts): VerifyAs {
  async function askLater(apiKey: string, intent: Intent, options: VerifyAsOptions, startedAt: number) {
    const caller = await callers.find(apiKey, options, startedAt);
    return verifySince(intent, askerOf(caller, options), startedAt);
  }

  return (apiKey, intent, given) => {
    try {
      const startedAt = monotonic();
      // Read before anything is waited for.
      const options =
        given === undefined ? NOTHING_SAID : readOptions(knownOptions('verifyAs', given, NAMES));
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
  ...{ request_id: true, trace_id: true, idempotencyKey: true, onReplayed: true },
};

function readOptions({ request_id, trace_id, idempotencyKey, onReplayed }: VerifyAsOptions): VerifyAsOptions {
  return { request_id: request_id ?? null, trace_id: trace_id ?? null, idempotencyKey, onReplayed };
}

function askerOf(caller: KeyCaller, options: VerifyAsOptions): VerifyCaller {
  requireScope(caller, 'verify');
  return options === NOTHING_SAID ? caller : askingAs(caller, options);
}

/** The caller with what it said. A literal: of an object that is spread and added to, V8 makes a hidden class each time. */
export function askingAs(
  { account_id, agent_ids, key_id, environment, request_id, trace_id }: KeyCaller,
  said: VerifyAsOptions & { readonly idempotencyRoute?: string | undefined },
): VerifyCaller {
  const { idempotencyKey, idempotencyRoute, onReplayed } = said;
  return {
    account_id,
    agent_ids,
    key_id,
    environment,
    request_id: said.request_id ?? request_id ?? null,
    trace_id: said.trace_id ?? trace_id ?? null,
    idempotencyKey,
    idempotencyRoute,
    onReplayed,
  };
}
