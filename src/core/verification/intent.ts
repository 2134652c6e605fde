/** Copies an intent when it is checked. Later changes by the caller have no effect on the verdict and its record. */

import { elementsOf, isPlainObject, plainCopy } from '../../base/values/plain-data.ts';
import { IdentityError, notPlain } from '../../errors.ts';
import type { Intent } from '../../records.ts';
import { check } from '../../schema/check.ts';
import type { CompiledRequest } from '../../schema/validator.ts';
import { intentBatchSchema, intentMembers, intentSchema } from '../../schema/validators.generated.ts';

/**
 * Reads each member of intents once.
 *
 * @throws {IdentityError} `invalid_request` if an intent is malformed.
 */
export interface IntentReader {
  read(value: unknown): Intent;
  readBatch(value: unknown): readonly Intent[];
}

const MAX_IN_BATCH = 100;

/**
 * Reads intents for the built-in rules. Copies the amount and the currency, and all parameters if there is a proof, an
 * approval id or a permit.
 */
export const evaluatedIntents: IntentReader = {
  read(value) {
    try {
      const intent = copyOf(value);
      if (intent === undefined) return refuse(intentSchema, value, value, []);
      const isPlain = intent.usage === undefined && intentMembers(intent);
      return isPlain ? intent : check(intentSchema, intent);
    } catch (error) {
      throw readable(error);
    }
  },

  readBatch(value) {
    try {
      const intents = intentsOf(value);
      const copies = intents?.map((intent, index) => copyOf(intent, ['intents', `${index}`]));
      if (copies?.every((intent) => intent !== undefined))
        return check<{ intents: readonly Intent[] }>(intentBatchSchema, { intents: copies }).intents;
      const index = copies?.indexOf(undefined) ?? -1;
      return refuse(intentBatchSchema, value, intents?.[index], index < 0 ? [] : ['intents', `${index}`]);
    } catch (error) {
      throw readable(error);
    }
  },
};

export const wholeIntents: IntentReader = {
  read: (value) => check(intentSchema, wholeOf(value)),
  readBatch: (value) => check<{ intents: readonly Intent[] }>(intentBatchSchema, wholeOf(value)).intents,
};

type Given = { readonly [Name in keyof Intent]?: unknown };

/** Reads the whole intent now. Throws its errors only when the returned function is called. */
export function keptWhole(value: unknown): () => Intent {
  try {
    const whole = wholeIntents.read(value);
    return () => whole;
  } catch (error) {
    return () => {
      throw error;
    };
  }
}

function copyOf(value: unknown, path: readonly string[] = []): Intent | undefined {
  if (!isEvaluated(value)) return undefined;
  for (const name in value) {
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
    usage: usageInput,
    permit,
  }: Given = value;
  if (proof !== undefined || approval_id !== undefined || permit !== undefined)
    return wholeOf(value, path) as Intent;
  const usage = usageCopy(usageInput);
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

function intentsOf(value: unknown): readonly unknown[] | undefined {
  if (!isEvaluated(value)) return undefined;
  for (const name in value) if (name !== 'intents') return undefined;
  const { intents } = value as { readonly intents?: unknown };
  return Array.isArray(intents) && intents.length <= MAX_IN_BATCH ? elementsOf(intents) : undefined;
}

function refuse(request: CompiledRequest, value: unknown, intent: unknown, path: readonly string[]): never {
  check(request, value);
  throw notPlain(isEvaluated(intent) ? [...path, 'parameters'] : path);
}

function wholeOf(value: unknown, holder: readonly string[] = []): unknown {
  try {
    return plainCopy(value, {
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
