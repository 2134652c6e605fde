/** Gives verdicts: finds the passport in memory or in the storage, evaluates the intent, and returns the record. */

import { type GuardVerdicts, guardedCall } from '../../base/async/guarded-call.ts';
import { NO_REPORTS } from '../../base/async/outcome-reports.ts';
import { knownOptions, type OptionNames } from '../../base/known-options.ts';
import { elementsOf } from '../../base/values/plain-data.ts';
import { IdentityError } from '../../errors.ts';
import type { Intent, VerdictRecord } from '../../records.ts';
import { defaultRules } from '../../verdict/index.ts';
import { type KeyCaller, type KeyCallers, requireScope, type Traced } from '../shared/callers.ts';
import { assertKey } from '../shared/idempotency.ts';
import type { Ancestry, KnownPassport } from '../storage/caches.ts';
import { type Ancestries, createAncestries } from './ancestries.ts';
import { createAnswer } from './answers.ts';
import { createEvaluator, needsParameters, ownerOf, type VerdictEvaluator } from './evaluate.ts';
import { createFiled, type Filed, type VerifyContext, type VerifyParts } from './filed.ts';
import { evaluatedIntents, type IntentReader, wholeIntents } from './intent.ts';
import { assertKnownNames, callerOf, HOST, hasKnownNames, type VerifyCaller } from './verify-caller.ts';

/** Evaluates the intents of agents. */
export interface VerifyService {
  /**
   * Returns the verdict on an intent.
   *
   * @throws {IdentityError} `invalid_request` for a malformed intent.
   * @throws {IdentityError} `conflict` while a request with the same `idempotencyKey` runs.
   * @throws {IdentityError} `idempotency_mismatch` if the idempotency key belongs to a different request.
   * @throws {IdentityError} `storage_unavailable` if there can be no verdict.
   * @throws {IdentityError} `overloaded` if too many verdicts wait for the journal, or a permit cannot be signed.
   */
  verify(intent: Intent, caller?: VerifyCaller): Promise<VerdictRecord>;
  /**
   * Runs `callback` if the verdict is ALLOW, and returns its result. On any other result, `callback` does not run.
   *
   * @throws {IdentityError} `tool_denied` on DENY, with `details.record` and `details.reasons`. If the spend under the
   * `idempotencyKey` was released or has expired, the reason is `verdict_unavailable`.
   * @throws {IdentityError} The error of `verify` if there is no verdict.
   * @throws {IdentityError} `invalid_request` for a dry run.
   * @throws {IdentityError} `invalid_configuration` if `callback` is not a function. The service is not asked then.
   */
  guard<T>(
    intent: Intent,
    callback: (record: VerdictRecord) => T | Promise<T>,
    caller?: VerifyCaller,
  ): Promise<T>;
  /**
   * Returns one verdict per intent, in order. If one intent is malformed, the whole call fails.
   *
   * @throws {IdentityError} `invalid_request` for a malformed batch or intent.
   * @throws {IdentityError} `conflict` while a request with the same `idempotencyKey` runs.
   * @throws {IdentityError} `idempotency_mismatch` if the idempotency key belongs to a different request.
   * @throws {IdentityError} `storage_unavailable` if there can be no verdict.
   * @throws {IdentityError} `overloaded` if too many verdicts wait for the journal, or a permit cannot be signed.
   */
  verifyBatch(
    batch: { readonly intents: readonly Intent[] },
    caller?: VerifyCaller,
  ): Promise<readonly VerdictRecord[]>;
}

/** The modules that find passports, evaluate intents, spend and store verdicts. */
export interface IssueParts extends Pick<VerifyParts, 'take' | 'hooks'> {
  readonly evaluate: VerdictEvaluator['evaluate'];
  readonly ancestries: Ancestries;
  readonly filed: Filed;
}

/** The verify service, with a method for requests that began earlier. */
export interface VerifySince extends VerifyService {
  /** Returns the verdict for a request that began at the monotonic time `startedAt`; default: now. */
  verifySince(intent: Intent, caller: VerifyCaller, startedAt?: number): Promise<VerdictRecord>;
  /** The modules that find passports, evaluate intents and store verdicts. Requests for tokens use them, too. */
  readonly modules: Pick<IssueParts, 'evaluate' | 'ancestries' | 'filed'>;
}

/** Creates the verify service over the passports of `context`. */
export function createVerify(context: VerifyContext, parts: VerifyParts): VerifySince {
  const { caches, elapsedClock } = context;
  const { passports, monotonic } = caches;
  const { rules, hooks, replays } = parts;
  const intents: IntentReader = rules === defaultRules ? evaluatedIntents : wholeIntents;
  const evaluators = createEvaluator(context, parts);
  const ancestries = createAncestries(caches);
  const { evaluate, mustWait } = evaluators;
  const filing = createFiled(context, parts);
  const answer = createAnswer(context, { evaluators, ancestries, filed: filing, hooks, replays });

  /**
   * Returns the verdict at once if nothing must be awaited. The function is not async: an async function takes a fifth
   * of the time of a verdict.
   */
  function verifySince(givenIntent: Intent, asker: VerifyCaller, sinceMs?: number): Promise<VerdictRecord> {
    try {
      const startedAt = sinceMs ?? monotonic();
      const intent = intents.read(givenIntent);
      const caller = callerOf(asker);
      const entry = passports.peek(intent.agent_id, startedAt);
      const passport = entry?.value;
      const isChild = passport?.parent_agent_id !== undefined;
      const ancestry = isChild ? ancestries.peek(passport, startedAt) : undefined;
      const isKnown = entry !== undefined && (!isChild || ancestry !== undefined);
      if (!isKnown || mustWait(intent, passport, ancestry)) {
        const { idempotencyRoute: route = 'verify' } = asker;
        const agent = isKnown ? { found: passport, ancestry } : undefined;
        return answer({
          given: () => [givenIntent],
          intents: [intent],
          asker,
          caller,
          route,
          isBatch: false,
          known: agent,
          startedAt,
        }).then(([record]) => record as VerdictRecord);
      }
      // A key is not stored for an intent that spends nothing.
      if (asker.idempotencyKey !== undefined) assertKey(asker.idempotencyKey);
      const evaluatedIntent = intentToEvaluate(intent, givenIntent, passport, ancestry);
      const record = evaluate(evaluatedIntent, passport, caller, ancestry, elapsedClock.presentOf(startedAt));
      return filing.one(record, ownerOf(record, passport, caller), startedAt);
    } catch (error) {
      hooks.fail(error);
      return Promise.reject(error);
    }
  }

  const refuse = (method: string, caller: VerifyCaller) => refuseNames(hooks, method, caller);

  return {
    verifySince,
    modules: { evaluate, ancestries, filed: filing },

    verify: (intent, caller = HOST) =>
      caller === HOST || hasKnownNames(caller) ? verifySince(intent, caller) : refuse('verify', caller),

    guard: (intent, callback, caller = HOST) =>
      hasKnownNames(caller)
        ? guardedCall(verdictsFor(caller, verifySince, parts), intent, callback)
        : refuse('guard', caller),

    verifyBatch(batch, asker = HOST) {
      try {
        const startedAt = monotonic();
        assertKnownNames('verifyBatch', asker);
        const read = intents.readBatch(batch);
        const readIntents = () => elementsOf(batch.intents) as Intent[];
        const caller = callerOf(asker);
        const route = 'verify/batch';
        return answer({ given: readIntents, intents: read, asker, caller, route, isBatch: true, startedAt });
      } catch (error) {
        hooks.fail(error);
        return Promise.reject(error);
      }
    },
  };
}

function intentToEvaluate(
  intent: Intent,
  givenIntent: Intent,
  passport: KnownPassport | undefined,
  ancestry: Ancestry | undefined,
): Intent {
  return needsParameters(intent, passport, ancestry) ? wholeIntents.read(givenIntent) : intent;
}

function verdictsFor(
  caller: VerifyCaller,
  verifySince: VerifySince['verifySince'],
  { isThere, reportsFor }: VerifyParts,
): GuardVerdicts {
  const isKeyed = caller.idempotencyKey !== undefined;
  return {
    verify: (intent) => verifySince(intent, caller),
    isThere: isKeyed ? isThere : undefined,
    reportsOn: caller.outcomes === false ? NO_REPORTS : reportsFor(caller),
  };
}

async function refuseNames(
  hooks: VerifyParts['hooks'],
  method: string,
  caller: VerifyCaller,
): Promise<never> {
  try {
    assertKnownNames(method, caller);
    throw new IdentityError('internal', 'The options changed while they were read.');
  } catch (error) {
    hooks.fail(error);
    throw error;
  }
}

// Gives verdicts to the holder of an API key, in process and with the same checks as over HTTP.

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
interface VerifyAsParts extends Pick<VerifySince, 'verifySince'> {
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
