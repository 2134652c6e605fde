/** Serves local verifiers in the service: confirms the passports that they evaluate, and stores their verdicts. */

import { turn } from '../base/async/turns.ts';
import { fromBase64Url } from '../base/bytes/base64url.ts';
import { formatInstant } from '../base/values/instant.ts';
import type { Core } from '../core/capabilities/capability.ts';
import { type CallOptions, type KeyCaller, type KeyCallers, requireScope } from '../core/shared/callers.ts';
import { createPlaces } from '../core/shared/places.ts';
import { sentWriter } from '../core/shared/sent-writer.ts';
import type { Caches } from '../core/storage/caches.ts';
import type { DecidedElsewhere } from '../core/verification/rates.ts';
import { IdentityError, wrongField } from '../errors.ts';
import { MAX_RECORDS, namedBlock } from '../journal-format/index.ts';
import type { ConfirmedPassports, ConfirmInput, FiledVerdicts, VerdictsInput } from '../records/verifier.ts';
import { checkCopy } from '../schema/check.ts';
import { DECISION_VERSION } from '../verdict/decision-version.ts';
import {
  type ChangeWaits,
  createChangeWaits,
  knowledgeErrors,
  knownVersion,
  readAhead,
  readState,
} from './read-state.ts';
import { type CheckedBlock, repack } from './sent-records.ts';
import { verifierRequestSchema, verifierVerdictsSchema } from './validators.generated.ts';

/** The parts of the service that this file uses. */
type CoreNeeds = Pick<
  Core,
  'journal' | 'ask' | 'caches' | 'clock' | 'clockWatch' | 'retentionDays' | 'awaitedAfter'
>;

/** Serves local verifiers. */
export interface Verifiers {
  /**
   * Returns the passports that differ from the input, and the instant of this state. Waits up to `wait_ms` for a change
   * if nothing is new.
   *
   * @throws {IdentityError} `insufficient_scope` without `verify` and `decide`.
   * @throws {IdentityError} `overloaded` if 500 calls of the account already wait on this node.
   * @throws {IdentityError} `invalid_request` for a wrong input.
   * @throws {IdentityError} `unauthenticated` if the API key is no longer valid.
   */
  confirm(input: ConfirmInput, options: KeyCaller & CallOptions): Promise<ConfirmedPassports>;
  /**
   * Checks a block of verdicts from a verifier, packs it again and stores it once. On an error nothing is stored.
   *
   * @throws {IdentityError} `invalid_request` if a verifier with this API key may not have made one of the records.
   * @throws {IdentityError} `rate_limited` if the account already exceeds its rate by the maximum number of records in
   * a block.
   * @throws {IdentityError} `insufficient_scope` as `confirm`.
   * @throws {IdentityError} `overloaded` if 64 calls of the account already run on this node.
   */
  file(input: VerdictsInput, caller: KeyCaller): Promise<FiledVerdicts>;
  /** Answers all waiting calls, for a server that is about to stop. Later calls do not wait. */
  end(): void;
}

/** The dependencies of the verifiers. */
export interface VerifierParts extends DecidedElsewhere {
  readonly callers: KeyCallers;
}

/**
 * The maximum age in milliseconds of cached passports in an answer, so that many verifiers with the same agents share
 * one read.
 */
const SHARED_MS = 100;
/** The maximum number of calls of an account on a node that wait for a change, and of calls that do not wait. */
const MAX_WAITING = 500;
const MAX_READING = 64;

/** Creates the verifiers of one service. It listens for notices only after the first call. */
export function createVerifiers(core: CoreNeeds, parts: VerifierParts): Verifiers {
  const { callers, isOverRate } = parts;
  const fileSent = createSentVerdicts(core, parts);
  const { ask, caches, clock, clockWatch } = core;
  const waits = createChangeWaits(core);
  const waitForChange = createWaitForChange({ caches, callers, waits });
  const waiting = createPlaces(MAX_WAITING, tooMany);
  const reading = createPlaces(MAX_READING, tooMany);

  return {
    async confirm(givenInput, { signal, ...caller }) {
      const arrivedAt = caches.monotonic();
      requireBoth(caller);
      const input = checkCopy<ConfirmInput>(verifierRequestSchema, givenInput, knowledgeErrors);
      const leave = (input.wait_ms > 0 ? waiting : reading).take(caller.account_id);
      try {
        if (input.wait_ms > 0) await waitForChange({ input, given: caller, signal });
        const sinceMs = caches.monotonic() - SHARED_MS;
        // All at once: each may cost a way to the storage and back.
        const [present] = await Promise.all([
          callers.confirm(caller, sinceMs),
          clockWatch.assertRight(),
          readAhead(caches, input.agents, sinceMs),
        ]);
        requireBoth(present.caller);
        const {
          passports,
          unread,
          asOf: readAt,
        } = await readState(caches, input.agents, present.caller, sinceMs);
        const asOf = Math.min(present.asOf, readAt);
        const { account_id, key_id, environment } = present.caller;
        return {
          turn: input.turn,
          // Rounded down: the state is at least as new as that.
          as_of_ms: Math.floor((asOf - arrivedAt) * 10) / 10,
          at: formatInstant(Math.floor(clock.now() - (caches.monotonic() - asOf))),
          ask: ask ?? (isOverRate(present.caller) ? 'rate' : null),
          decision_version: DECISION_VERSION,
          account_id,
          key_id,
          environment,
          passports,
          unread,
        };
      } finally {
        leave();
      }
    },
    async file(input, caller) {
      requireBoth(caller);
      const { account_id } = caller;
      const leave = reading.take(account_id);
      const wasOver = isOverRate(caller);
      try {
        return await fileSent(input, caller);
      } finally {
        leave();
        // Its verifiers learn at once that they have to ask, not after their next wait.
        if (!wasOver && isOverRate(caller)) waits.wake({ collection: 'accounts', id: account_id });
      }
    },
    end: waits.end,
  };
}

function tooMany(): IdentityError {
  const details = { retryAfterSeconds: 1 };
  return new IdentityError('overloaded', 'Too many verifiers of the account ask at once. Try again.', {
    details,
  });
}

interface WaitParts {
  readonly caches: Pick<Caches, 'passports'>;
  readonly callers: KeyCallers;
  readonly waits: ChangeWaits;
}

interface WaitingRequest {
  readonly input: ConfirmInput;
  readonly given: KeyCaller;
  readonly signal: AbortSignal | undefined;
}

/** The instant that accepts cached records of any age. Records that a notice named are no longer cached. */
const OF_ANY_AGE = Number.NEGATIVE_INFINITY;

/**
 * Creates the function that waits for a change. The function waits only if the sender knows all agents and the cache
 * has nothing newer. Otherwise a notice may already have arrived. Only agents that the API key currently sees can end
 * the wait.
 */
function createWaitForChange({
  caches,
  callers,
  waits,
}: WaitParts): (request: WaitingRequest) => Promise<void> {
  return async ({ input, given, signal }) => {
    const { agents } = input;
    const entries = Object.entries(agents);
    if (entries.some(([, version]) => version === null)) return;
    const { caller } = await callers.confirm(given, OF_ANY_AGE);
    requireBoth(caller);
    const { passports, unread, seen } = await readState(caches, agents, caller, OF_ANY_AGE);
    if (unread.length > 0 || Object.keys(passports).length > 0) return;
    const visible = entries.filter(([id]) => seen.has(id));
    // Last, at once before the wait: no notice may come between.
    if (visible.some(([id, version]) => version !== null && waits.hasNewer(id, knownVersion(version))))
      return;
    const { key_id, account_id } = caller;
    await waits.change({
      records: [
        ...visible.map(([id]) => ({ collection: 'passports', id }) as const),
        { collection: 'keys', id: key_id },
        { collection: 'accounts', id: account_id },
      ],
      hidden: entries.map(([id]) => id).filter((id) => !seen.has(id)),
      isSeen: async (id) => (await readState(caches, { [id]: '' }, caller, OF_ANY_AGE)).seen.has(id),
      ms: input.wait_ms,
      signal,
    });
  };
}

/** The number of agents that are looked up together before the event loop may run other work. */
const PIECE = 20;

/**
 * Creates the function that stores sent verdicts. A block is stored once for each writer and number, even if the answer
 * is lost.
 */
function createSentVerdicts(
  { caches, clock, clockWatch, journal, retentionDays }: CoreNeeds,
  { addVerifications }: VerifierParts,
): (input: VerdictsInput, caller: KeyCaller) => Promise<FiledVerdicts> {
  return async (givenInput, caller) => {
    const input = checkCopy<VerdictsInput>(verifierVerdictsSchema, givenInput);
    await clockWatch.assertRight();
    const { key_id, account_id } = caller;
    const { seq } = input;
    const writer = sentWriter(key_id, input.writer);
    const data = bytesAt('/block', input.block);
    const erasable = input.erasable === undefined ? undefined : bytesAt('/erasable', input.erasable);
    const block = await repack(data, erasable, { caller, now: clock.now(), retentionDays, writer, seq });
    if (typeof block === 'string') throw refused(block);
    await assertVersions(caches, block, account_id);
    const takeBack = addVerifications(caller, block.counted, MAX_RECORDS);
    let isFiled = false;
    try {
      const result = await journal.fileSent({
        block: namedBlock(block.sealed, { writer, seq, account_id }),
        first: block.first,
      });
      isFiled = result === 'filed';
      return { seq, result };
    } finally {
      if (!isFiled) takeBack();
    }
  };
}

function bytesAt(path: string, text: string): Uint8Array {
  const bytes = fromBase64Url(text);
  if (bytes === undefined) throw refused('This must be base64url without padding.', path);
  return bytes;
}

/**
 * Refuses passports of other accounts, and versions that do not exist yet. A passport stays in its account and its
 * version only rises. A cached passport of any age is therefore enough if it has at least this version. Otherwise the
 * storage is read.
 */
async function assertVersions(
  { passports, monotonic }: Pick<Caches, 'passports' | 'monotonic'>,
  { versions }: CheckedBlock,
  account_id: string,
): Promise<void> {
  async function assertOne([id, version]: readonly [string, number]): Promise<void> {
    const heldPassport = passports.held(id)?.value;
    const isEnough = heldPassport !== undefined && heldPassport.version >= version;
    const passport = isEnough ? heldPassport : (await passports.confirmed(id, monotonic())).value;
    if (passport === undefined || passport.account_id !== account_id || passport.version < version)
      throw refused('A record names a version of a passport that the account does not have.');
  }

  const list = [...versions];
  for (let start = 0; start < list.length; start += PIECE) {
    if (start > 0) await turn();
    await Promise.all(list.slice(start, start + PIECE).map(assertOne));
  }
}

function refused(message: string, path = '/block'): Error {
  return wrongField(path, 'invalid', message);
}

// Checks the scopes of a local verifier.

function requireBoth(caller: KeyCaller): void {
  requireScope(caller, 'verify');
  requireScope(caller, 'decide');
}
