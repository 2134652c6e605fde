/** Answers a repeated request with the same idempotency key without creating a second object. */

import { formatInstant } from '../../base/values/instant.ts';
import { canonicalJson } from '../../base/values/json-values.ts';
import { digestText } from '../../credential/random-id.ts';
import { IdentityError, wrongField } from '../../errors.ts';
import { hashing } from '../../platform/index.ts';
import type { Change, WriteResult } from '../../ports/storage.ts';
import { answered, groupSteps, type StepsAnswer } from '../storage/step-groups.ts';
import { insert, replace, untilWritten } from '../storage/store.ts';
import type { IdempotencyRecord } from './collections.ts';
import { type Context, now } from './context.ts';

/** The options of a request that can be repeated safely. */
export interface OnceOptions {
  /** The key, 1 to 255 printable ASCII characters. For 24 hours, the same request with this key creates one object. */
  readonly idempotencyKey?: string;
}

/** The options of a repeatable request, with a callback for repetitions. */
export interface ReplayOptions extends OnceOptions {
  /** Called if the answer comes from an earlier request. */
  readonly onReplayed?: () => void;
}

/** A request that creates one object. */
export interface OnceRequest extends ReplayOptions {
  readonly account_id: string;
  /** The part of the account in which the key is unique, such as an environment; absent: the whole account. */
  readonly scope?: string;
  /** The name of the operation, such as `keys.create`. */
  readonly operation: string;
  readonly input: unknown;
}

/** A created object, and the answer for repeated requests. */
export interface Made<Shown> {
  readonly id: string;
  readonly shown: Shown;
  /** The answer for repeated requests: the object in `shown` without its secret. */
  readonly repeatable: Shown;
}

/**
 * Writes the changes that create the object, together with the record of the request. Returns only the
 * results of `changes`, and leaves out the result of the record. Rejects without writing if `signal` is
 * aborted before the changes are sent to the database.
 */
export type WriteOnce = (
  result: Made<unknown>,
  changes: readonly Change[],
  signal?: AbortSignal,
) => Promise<StepsAnswer>;

/** Creates an object only once for each idempotency key. */
export interface Idempotency {
  /**
   * Calls `make`, or returns its earlier answer for the same key. `make` must store its object with the function that
   * it receives. Rejects with `idempotency_mismatch` if the key was used for another request. Rejects with `conflict`
   * while the first request runs in this process.
   */
  once<Shown>(request: OnceRequest, make: (write: WriteOnce) => Promise<Made<Shown>>): Promise<Shown>;
}

const MAX_KEY_LENGTH = 255;
const UNPRINTABLE = /[^\x20-\x7e]/;
/** The time in milliseconds for which a request is remembered. */
export const REMEMBERED_MS: number = 24 * 60 * 60_000;

/** The error of a write if another process has first written with the same key. */
class LostRace extends Error {}

interface Known {
  readonly stored: IdempotencyRecord | undefined;
  readonly isLive: boolean;
}

interface Sent {
  readonly record: IdempotencyRecord;
  readonly made: Made<unknown>;
  readonly isWritten: boolean;
}

export function createIdempotency(context: Pick<Context, 'store' | 'clock'>): Idempotency {
  const writePlain: WriteOnce = async (_, changes, signal) =>
    answered(await writeAll(context, changes, signal));
  const running = new Set<string>();

  return {
    async once(request, make) {
      const { account_id, scope, idempotencyKey } = request;
      if (idempotencyKey === undefined) return (await make(writePlain)).shown;
      assertKey(idempotencyKey);
      const id = recordId([account_id, ...(scope === undefined ? [] : [scope])], idempotencyKey);
      if (running.has(id)) throw stillRunning();
      running.add(id);
      try {
        return await answerOnce(context, id, request, make);
      } finally {
        running.delete(id);
      }
    },
  };
}

function writeAll(
  { store }: Pick<Context, 'store'>,
  changes: readonly Change[],
  signal: AbortSignal | undefined,
): Promise<WriteResult> {
  return signal === undefined ? store.write(...changes) : store.writeUnless(signal, ...changes);
}

async function look(
  context: Pick<Context, 'store' | 'clock'>,
  id: string,
  request_digest: string,
): Promise<Known> {
  const storedBase = await context.store.get('idempotency', id);
  const isLive = storedBase !== undefined && storedBase.expires_at > now(context);
  if (isLive && storedBase.request_digest !== request_digest) throw mismatch();
  return { stored: storedBase, isLive };
}

async function answerOnce<Shown>(
  context: Pick<Context, 'store' | 'clock'>,
  id: string,
  { account_id, onReplayed, ...request }: OnceRequest,
  make: (write: WriteOnce) => Promise<Made<Shown>>,
): Promise<Shown> {
  const request_digest = digestOf([request.operation, request.input]);
  let sentRequest: Sent | undefined;

  function answerIn({ stored, isLive }: Known): { readonly shown: Shown } | undefined {
    if (stored === undefined || !isLive) return undefined;
    // This request has written the record, and the answer of the storage was lost: no caller has seen the secret.
    if (sentRequest !== undefined && canonicalJson(sentRequest.record) === canonicalJson(stored)) {
      return { shown: sentRequest.made.shown as Shown };
    }
    onReplayed?.();
    return { shown: stored.response as Shown };
  }

  const { shown } = await untilWritten(async () => {
    const entry = await look(context, id, request_digest);
    const answerBefore = answerIn(entry);
    if (answerBefore !== undefined) return answerBefore;
    const write: WriteOnce = async (result, changes, signal) => {
      const { stored } = entry;
      const record: IdempotencyRecord = {
        id,
        account_id,
        version: (stored?.version ?? 0) + 1,
        created_at: now(context),
        expires_at: formatInstant(context.clock.now() + REMEMBERED_MS),
        request_digest,
        object_id: result.id,
        response: result.repeatable as IdempotencyRecord['response'],
      };
      const remember =
        stored === undefined ? insert('idempotency', record) : replace('idempotency', record, stored.version);
      sentRequest = { record, made: result, isWritten: false };
      const steps = groupSteps<'key' | 'object'>(['key', [remember]], ['object', changes]);
      const answer = answered(await writeAll(context, steps.changes, signal));
      sentRequest = { ...sentRequest, isWritten: answer.written };
      if (steps.failed(answer).has('key')) throw new LostRace();
      return steps.of('object', answer);
    };
    try {
      const result = await make(write);
      if (sentRequest?.isWritten) return result;
      // Nothing was written, perhaps because another process has already done it with this key.
      return answerIn(await look(context, id, request_digest)) ?? result;
    } catch (error) {
      if (error instanceof LostRace) return undefined;
      // The request may have failed because another process has carried it out meanwhile.
      return lastLook(error, async () => answerIn(await look(context, id, request_digest)));
    }
  });
  return shown;
}

/**
 * Calls `look` after a failed request, and returns the answer that it finds.
 *
 * @throws {Error} `failure` if there is no answer or the storage fails.
 * @throws {IdentityError} `idempotency_mismatch` if the key was used for another request.
 */
export async function lastLook<Answer>(
  failure: unknown,
  look: () => Promise<Answer | undefined>,
): Promise<Answer> {
  const value = await look().catch((error: unknown) => {
    throw isMismatch(error) ? error : failure;
  });
  if (value === undefined) throw failure;
  return value;
}

function isMismatch(error: unknown): boolean {
  return error instanceof IdentityError && error.code === 'idempotency_mismatch';
}

/**
 * Checks an idempotency key.
 *
 * @throws {IdentityError} `invalid_request` unless the key has 1 to 255 printable ASCII characters.
 */
export function assertKey(idempotencyKey: string): void {
  if (typeof idempotencyKey !== 'string' || idempotencyKey === '') throw malformed();
  if (idempotencyKey.length > MAX_KEY_LENGTH || UNPRINTABLE.test(idempotencyKey)) throw malformed();
}

export function recordId(scopes: readonly string[], idempotencyKey: string): string {
  return `idem_${digestText(hashing.sha256Hex([...scopes, idempotencyKey].join('\n')))}`;
}

/** Returns the SHA-256 of a request as canonical JSON (RFC 8785), in hex. */
export function digestOf(request: unknown): string {
  return hashing.sha256Hex(canonicalJson(request));
}

function malformed(): IdentityError {
  const message = 'An idempotency key has 1 to 255 printable ASCII characters.';
  return wrongField('', 'invalid_idempotency_key', message);
}

/** Returns the error for a key that was used for another request. */
export function mismatch(): IdentityError {
  return new IdentityError(
    'idempotency_mismatch',
    'Another request was made under this idempotency key. Use another key.',
  );
}

/** Returns the error for a repetition while the first request still runs. */
export function stillRunning(): IdentityError {
  const details = { retryAfterSeconds: 1 };
  return new IdentityError(
    'conflict',
    'The first request under this idempotency key still runs. Try again.',
    {
      details,
    },
  );
}
