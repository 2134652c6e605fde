/** One request, one object: what was made under an `Idempotency-Key` is answered again, never made again. */

import { canonicalJson } from '../../base/values/canonical-json.ts';
import { formatInstant } from '../../base/values/instant.ts';
import { digestText } from '../../credential/random-id.ts';
import { IdentityError, invalidRequest } from '../../errors.ts';
import { hashing } from '../../platform/index.ts';
import type { Change } from '../../ports/storage.ts';
import type { IdempotencyRecord } from '../../ports/stored-records.ts';
import { answered, groupSteps, type StepsAnswer } from '../storage/step-groups.ts';
import { insert, replace, untilWritten } from '../storage/store.ts';
import { type Context, now } from './context.ts';

/** How a request that makes something may be repeated safely. */
export interface OnceOptions {
  /** 1 to 255 printable ASCII characters: for 24 hours the same request under it makes one object. */
  readonly idempotencyKey?: string;
}

/** How a request may be repeated, and how its caller learns that it was. */
export interface ReplayOptions extends OnceOptions {
  /** Called when the answer is one that was given before. */
  readonly onReplayed?: () => void;
}

/** A request that makes one object. */
export interface OnceRequest extends ReplayOptions {
  readonly account_id: string;
  /** Within the account, where the key is unique, such as an environment; absent: it is unique in all of the account. */
  readonly scope?: string;
  /** What is asked for, such as `keys.create`. */
  readonly operation: string;
  readonly input: unknown;
}

/** An object that was made, and what may be answered again. */
export interface Made<Shown> {
  readonly id: string;
  readonly shown: Shown;
  /** `shown` without its secret. */
  readonly repeatable: Shown;
}

/** Writes the changes that make the object, together with what remembers the request; answers for the changes alone. */
export type WriteOnce = (made: Made<unknown>, changes: readonly Change[]) => Promise<StepsAnswer>;

/** Makes things once. */
export interface Idempotency {
  /**
   * What `make` made, or what it answered before under the same key: `idempotency_mismatch` for another request,
   * `conflict` while the first still runs here. `make` writes by the function it is given.
   */
  once<Shown>(request: OnceRequest, make: (write: WriteOnce) => Promise<Made<Shown>>): Promise<Shown>;
}

const MAX_KEY_LENGTH = 255;
const UNPRINTABLE = /[^\x20-\x7e]/;
/** How long a request is remembered. */
export const REMEMBERED_MS: number = 24 * 60 * 60_000;

/** Another process has answered the request under this key meanwhile. */
class LostRace extends Error {}

/** What is stored under a key. */
interface Known {
  readonly stored: IdempotencyRecord | undefined;
  /** Whether it has not expired. */
  readonly isLive: boolean;
}

/** What a request has sent to the storage. */
interface Sent {
  readonly record: IdempotencyRecord;
  readonly made: Made<unknown>;
  readonly isWritten: boolean;
}

/** The idempotency of one service. */
export function createIdempotency(context: Context): Idempotency {
  const { store } = context;
  const running = new Set<string>();

  return {
    async once(request, make) {
      const { account_id, scope, idempotencyKey } = request;
      if (idempotencyKey === undefined)
        return (await make(async (_, changes) => answered(await store.write(...changes)))).shown;
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

/** What is stored under the key, and whether it still counts. Throws `idempotency_mismatch` for another request. */
async function look(context: Context, id: string, request_digest: string): Promise<Known> {
  const stored = await context.store.get('idempotency', id);
  const isLive = stored !== undefined && stored.expires_at > now(context);
  if (isLive && stored.request_digest !== request_digest) throw mismatch();
  return { stored, isLive };
}

async function answerOnce<Shown>(
  context: Context,
  id: string,
  { account_id, onReplayed, ...request }: OnceRequest,
  make: (write: WriteOnce) => Promise<Made<Shown>>,
): Promise<Shown> {
  const request_digest = digestOf([request.operation, request.input]);
  /** What was sent to the storage last, and whether the storage said that it is written. */
  let sent: Sent | undefined;

  /** What was answered before; `undefined`: nothing. */
  function answerIn({ stored, isLive }: Known): { readonly shown: Shown } | undefined {
    if (stored === undefined || !isLive) return undefined;
    // Written by this request, whose answer was lost on its way: a secret in it was shown to no caller.
    if (sent !== undefined && canonicalJson(sent.record) === canonicalJson(stored)) {
      return { shown: sent.made.shown as Shown };
    }
    onReplayed?.();
    return { shown: stored.response as Shown };
  }

  const { shown } = await untilWritten(async () => {
    const known = await look(context, id, request_digest);
    const before = answerIn(known);
    if (before !== undefined) return before;
    const write: WriteOnce = async (made, changes) => {
      const { stored } = known;
      const record: IdempotencyRecord = {
        id,
        account_id,
        version: (stored?.version ?? 0) + 1,
        created_at: now(context),
        expires_at: formatInstant(context.clock.now() + REMEMBERED_MS),
        request_digest,
        object_id: made.id,
        response: made.repeatable as IdempotencyRecord['response'],
      };
      const remember =
        stored === undefined ? insert('idempotency', record) : replace('idempotency', record, stored.version);
      sent = { record, made, isWritten: false };
      const steps = groupSteps<'key' | 'object'>(['key', [remember]], ['object', changes]);
      const answer = answered(await context.store.write(...steps.changes));
      sent = { ...sent, isWritten: answer.written };
      if (steps.failed(answer).has('key')) throw new LostRace();
      return steps.of('object', answer);
    };
    try {
      const made = await make(write);
      if (sent?.isWritten) return made;
      // Nothing had to be written: perhaps because another process has done it under this key.
      return answerIn(await look(context, id, request_digest)) ?? made;
    } catch (error) {
      if (error instanceof LostRace) return undefined;
      // The request may have failed because another process has answered it meanwhile.
      return lastLook(error, async () => answerIn(await look(context, id, request_digest)));
    }
  });
  return shown;
}

/**
 * The answer that `look` finds under the key of a request that has failed. Throws the failure where there is none or
 * the storage does not say, and `idempotency_mismatch` where another request has the key.
 */
export async function lastLook<Answer>(
  failure: unknown,
  look: () => Promise<Answer | undefined>,
): Promise<Answer> {
  const found = await look().catch((error: unknown) => {
    throw isMismatch(error) ? error : failure;
  });
  if (found === undefined) throw failure;
  return found;
}

function isMismatch(error: unknown): boolean {
  return error instanceof IdentityError && error.code === 'idempotency_mismatch';
}

/** Throws `invalid_request` unless it is 1 to 255 printable ASCII characters. */
export function assertKey(idempotencyKey: string): void {
  if (typeof idempotencyKey !== 'string' || idempotencyKey === '') throw malformed();
  if (idempotencyKey.length > MAX_KEY_LENGTH || UNPRINTABLE.test(idempotencyKey)) throw malformed();
}

/** The id of what is remembered under a key. */
export function recordId(scopes: readonly string[], idempotencyKey: string): string {
  return `idem_${digestText(hashing.sha256Hex([...scopes, idempotencyKey].join('\n')))}`;
}

/** SHA-256 of a request in the form of RFC 8785, in hex. */
export function digestOf(request: unknown): string {
  return hashing.sha256Hex(canonicalJson(request));
}

function malformed(): IdentityError {
  const message = 'An idempotency key has 1 to 255 printable ASCII characters.';
  return invalidRequest([{ path: '', code: 'invalid_idempotency_key', message }]);
}

/** The error for another request under the key. */
export function mismatch(): IdentityError {
  return new IdentityError('idempotency_mismatch', 'Another request was made under this idempotency key.');
}

/** The error while the first request under the key runs. */
export function stillRunning(): IdentityError {
  const details = { retryAfterSeconds: 1 };
  return new IdentityError('conflict', 'The first request under this idempotency key still runs.', {
    details,
  });
}
