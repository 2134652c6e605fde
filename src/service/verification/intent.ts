/** What is judged and filed of an intent: a copy, made when it is checked. What its caller does later changes nothing. */

import { elementsOf, isPlainObject, plainCopy } from '../../base/values/plain-data.ts';
import { IdentityError, notPlain } from '../../errors.ts';
import type { Intent } from '../../records.ts';
import { check } from '../../schema/check.ts';
import { intentMembers } from '../../schema/validators.generated.ts';

/** Reads intents, or throws `invalid_request`. Each member is read once. */
export interface IntentReader {
  read(given: unknown): Intent;
  readBatch(given: unknown): readonly Intent[];
}

/** As many as a batch over HTTP may hold, with what is around them. */
const MAX_IN_BATCH = 100;

/** For our own rules: of the parameters only what they judge, unless a proof or an approval is compared with all of them. */
export const judgedIntents: IntentReader = {
  read(given) {
    try {
      const intent = copyOf(given);
      if (intent === undefined) return refuse('Intent', given, given, []);
      return intentMembers(intent) ? intent : check('Intent', intent);
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

/** For rules of the host, which look at all of an intent: a frozen copy of it. */
export const wholeIntents: IntentReader = {
  read: (given) => check('Intent', wholeOf(given)),
  readBatch: (given) => check<{ intents: readonly Intent[] }>('IntentBatch', wholeOf(given)).intents,
};

type Given = { readonly [Name in keyof Intent]?: unknown };

/** All of an intent, read now; what is wrong with it is thrown where it is asked for. */
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

/** `undefined` for what has another field than an intent, or is not plain data. It stands at `path`. */
function copyOf(given: unknown, path: readonly string[] = []): Intent | undefined {
  if (!isJudged(given)) return undefined;
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
      name !== 'subject'
    )
      return undefined;
  }
  const { agent_id, action, target, parameters, proof, dry_run, hold_seconds, approval_id, subject }: Given =
    given;
  if (proof !== undefined || approval_id !== undefined) return wholeOf(given, path) as Intent;
  if (typeof parameters !== 'object' || parameters === null)
    return { agent_id, action, target, parameters, dry_run, hold_seconds, subject } as Intent;
  if (!isJudged(parameters)) return undefined;
  const { amount, currency } = parameters as { readonly amount?: unknown; readonly currency?: unknown };
  return {
    agent_id,
    action,
    target,
    parameters: { amount, currency },
    dry_run,
    hold_seconds,
    subject,
  } as Intent;
}

/** Whether what is read of the value is all that it says: with `toJSON` it says something else elsewhere. */
function isJudged(value: unknown): value is object {
  if (typeof value !== 'object' || value === null) return false;
  // The common case first: of any other the prototype of its prototype is looked at.
  const isPlain = Object.getPrototypeOf(value) === Object.prototype || isPlainObject(value);
  return isPlain && (value as { readonly toJSON?: unknown }).toJSON === undefined;
}

/** The list of a batch, or `undefined` unless it is the only field and its length is allowed. */
function intentsOf(given: unknown): readonly unknown[] | undefined {
  if (!isJudged(given)) return undefined;
  for (const name in given) if (name !== 'intents') return undefined;
  const { intents } = given as { readonly intents?: unknown };
  return Array.isArray(intents) && intents.length <= MAX_IN_BATCH ? elementsOf(intents) : undefined;
}

/** Names every wrong field; if all fields are right, the part that is not plain data. */
function refuse(
  name: 'Intent' | 'IntentBatch',
  given: unknown,
  intent: unknown,
  path: readonly string[],
): never {
  check(name, given);
  throw notPlain(isJudged(intent) ? [...path, 'parameters'] : path);
}

function wholeOf(given: unknown, holder: readonly string[] = []): unknown {
  try {
    return plainCopy(given, {
      refuse(path) {
        throw notPlain([...holder, ...path]);
      },
    });
  } catch (error) {
    throw readable(error);
  }
}

/** A value that throws when it is read is not plain data. */
function readable(error: unknown): IdentityError {
  return error instanceof IdentityError ? error : notPlain([]);
}
