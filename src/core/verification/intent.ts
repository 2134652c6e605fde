/** Copies an intent when it is checked. Later changes by the caller have no effect on the verdict and its record. */

import { elementsOf, isPlainObject, plainCopy } from '../../base/values/plain-data.ts';
import { IdentityError, notPlain } from '../../errors.ts';
import type { Intent } from '../../records.ts';
import { check } from '../../schema/check.ts';
import { intentMembers } from '../../schema/validators.generated.ts';

/**
 * Reads each member of intents once.
 *
 * @throws {IdentityError} `invalid_request` if an intent is malformed.
 */
export interface IntentReader {
  read(given: unknown): Intent;
  readBatch(given: unknown): readonly Intent[];
}

const MAX_IN_BATCH = 100;

/**
 * Reads intents for the built-in rules. Copies the amount and the currency, and all parameters if there is a proof, an
 * approval id or a permit.
 */
export const evaluatedIntents: IntentReader = {
  read(given) {
    try {
      const intent = copyOf(given);
      if (intent === undefined) return refuse('Intent', given, given, []);
      const isPlain = intent.usage === undefined && intentMembers(intent);
      return isPlain ? intent : check('Intent', intent);
    } catch (error) {
      throw readable(error);
    }
  },

  readBatch(given) {
    try {
      const intents = intentsOf(given);
      const copies = intents?.map((intent, index) => copyOf(intent, ['intents', `${index}`]));
      if (copies?.every((intent) => intent !== undefined))
        return check<{ intents: readonly Intent[] }>('IntentBatch', { intents: copies }).intents;
      const index = copies?.indexOf(undefined) ?? -1;
      return refuse('IntentBatch', given, intents?.[index], index < 0 ? [] : ['intents', `${index}`]);
    } catch (error) {
      throw readable(error);
    }
  },
};

export const wholeIntents: IntentReader = {
  read: (given) => check('Intent', wholeOf(given)),
  readBatch: (given) => check<{ intents: readonly Intent[] }>('IntentBatch', wholeOf(given)).intents,
};

type Given = { readonly [Name in keyof Intent]?: unknown };

/** Reads the whole intent now. Throws its errors only when the returned function is called. */
export function keptWhole(given: unknown): () => Intent {
  try {
    const whole = wholeIntents.read(given);
    return () => whole;
  } catch (error) {
    return () => {
      throw error;
    };
  }
}

function copyOf(given: unknown, path: readonly string[] = []): Intent | undefined {
  if (!isEvaluated(given)) return undefined;
  for (const name in given) {
    if (
      name !== 'agent_id' &&
      name !== 'action' &&
      name !== 'target' &&
      name !== 'parameters' &&
      name !== 'proof' &&
      name !== 'dry_run' &&
      name !== 'hold_seconds' &&
      name !== 'approval_id' &&
      name !== 'subject' &&
      name !== 'session' &&
      name !== 'usage' &&
      name !== 'permit'
    )
      return undefined;
  }
  const {
    agent_id,
    action,
    target,
    parameters,
    proof,
    dry_run,
    hold_seconds,
    approval_id,
    subject,
    session,
    usage: named,
    permit,
  }: Given = given;
  if (proof !== undefined || approval_id !== undefined || permit !== undefined)
    return wholeOf(given, path) as Intent;
  const usage = usageCopy(named);
  if (usage === null) return undefined;
  if (typeof parameters !== 'object' || parameters === null)
    return { agent_id, action, target, parameters, dry_run, hold_seconds, subject, session, usage } as Intent;
  if (!isEvaluated(parameters)) return undefined;
  const { amount, currency } = parameters as { readonly amount?: unknown; readonly currency?: unknown };
  return {
    agent_id,
    action,
    target,
    parameters: { amount, currency },
    dry_run,
    hold_seconds,
    subject,
    session,
    usage,
  } as Intent;
}

function usageCopy(usage: unknown): unknown {
  if (typeof usage !== 'object' || usage === null) return usage;
  if (!isEvaluated(usage)) return null;
  for (const name in usage) if (name !== 'tokens' && name !== 'credits') return null;
  const { tokens, credits } = usage as { readonly tokens?: unknown; readonly credits?: unknown };
  return {
    ...(tokens !== undefined && { tokens }),
    ...(credits !== undefined && { credits }),
  };
}

/**
 * Returns `true` for a plain object without `toJSON`. With a `toJSON` method the object would have another meaning
 * elsewhere.
 */
function isEvaluated(value: unknown): value is object {
  if (typeof value !== 'object' || value === null) return false;
  // Plain objects come first because they are the common case: for others the prototype of the prototype is read.
  const isPlain = Object.getPrototypeOf(value) === Object.prototype || isPlainObject(value);
  return isPlain && (value as { readonly toJSON?: unknown }).toJSON === undefined;
}

function intentsOf(given: unknown): readonly unknown[] | undefined {
  if (!isEvaluated(given)) return undefined;
  for (const name in given) if (name !== 'intents') return undefined;
  const { intents } = given as { readonly intents?: unknown };
  return Array.isArray(intents) && intents.length <= MAX_IN_BATCH ? elementsOf(intents) : undefined;
}

function refuse(
  name: 'Intent' | 'IntentBatch',
  given: unknown,
  intent: unknown,
  path: readonly string[],
): never {
  check(name, given);
  throw notPlain(isEvaluated(intent) ? [...path, 'parameters'] : path);
}

function wholeOf(given: unknown, holder: readonly string[] = []): unknown {
  try {
    return plainCopy(given, {
      undefinedBelow: 'parameters',
      refuse(path) {
        throw notPlain([...holder, ...path]);
      },
    });
  } catch (error) {
    throw readable(error);
  }
}

function readable(error: unknown): IdentityError {
  return error instanceof IdentityError ? error : notPlain([]);
}
