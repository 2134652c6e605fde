/** The service's side of local verifiers: it confirms the passports that they decide by. */

import { turn } from '../base/async/turns.ts';
import { fromBase64Url } from '../base/bytes/base64url.ts';
import { formatInstant } from '../base/values/instant.ts';
import type { Core } from '../core/capabilities/capability.ts';
import type { CallOptions, KeyCaller, KeyCallers } from '../core/shared/callers.ts';
import { createPlaces } from '../core/shared/places.ts';
import { sentWriter } from '../core/shared/sent-writer.ts';
import type { Caches } from '../core/storage/caches.ts';
import type { DecidedElsewhere } from '../core/verification/call-counts.ts';
import { IdentityError, invalidRequest } from '../errors.ts';
import { MAX_RECORDS, namedBlock } from '../journal-format/index.ts';
import type { ConfirmedPassports, ConfirmInput, FiledVerdicts, VerdictsInput } from '../records/verifier.ts';
import { checkCopy } from '../schema/check.ts';
import { DECISION_VERSION } from '../verdict/decision-version.ts';
import { type ChangeWaits, createChangeWaits } from './change-waits.ts';
import { knowledgeErrors, knownVersion, readAhead, readState } from './read-state.ts';
import { requireBoth } from './require-both.ts';
import { type CheckedBlock, repack } from './sent-records.ts';

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
   * @throws {IdentityError} `overloaded` if 500 calls of the account wait on this node.
   */
  confirm(input: ConfirmInput, options: KeyCaller & CallOptions): Promise<ConfirmedPassports>;
  /**
   * Checks a block of verdicts that a verifier decided, packs it again and stores it once. On an error nothing is
   * stored.
   *
   * @throws {IdentityError} `invalid_request` if this key's verifier may not decide one of the records so.
   * @throws {IdentityError} `rate_limited` if the account is over its rate by a block already.
   * @throws {IdentityError} `insufficient_scope` as `confirm`.
   */
  file(input: VerdictsInput, caller: KeyCaller): Promise<FiledVerdicts>;
  /** Answers all waiting calls, for a server that is about to stop; later ones do not wait. */
  end(): void;
}

/** The dependencies of the verifiers. */
export interface VerifierParts extends DecidedElsewhere {
  readonly callers: KeyCallers;
}

/** The age up to which memory may answer, so that many verifiers of the same agents cost one read. */
const SHARED_MS = 100;
/** The most calls of an account on a node that wait for a change, and that do not. */
const MAX_WAITING = 500;
const MAX_READING = 64;

/** Makes the verifiers of one service. Without a call it listens to nothing. */
export function createVerifiers(core: CoreNeeds, parts: VerifierParts): Verifiers {
  const { callers, isOverRate } = parts;
  const fileSent = createSentVerdicts(core, parts);
  const { ask, caches, clock, clockWatch } = core;
  const waits = createChangeWaits(core);
  const waitForChange = createWaitForChange({ caches, callers, waits });
  const waiting = createPlaces(MAX_WAITING, tooMany);
  const reading = createPlaces(MAX_READING, tooMany);

  return {
    async confirm(given, { signal, ...caller }) {
      const arrivedAt = caches.monotonic();
      requireBoth(caller);
      const input = checkCopy<ConfirmInput>('VerifierRequest', given, knowledgeErrors);
      const leave = (input.wait_ms > 0 ? waiting : reading).take(caller.account_id);
      try {
        if (input.wait_ms > 0) await waitForChange({ input, given: caller, signal });
        const since = caches.monotonic() - SHARED_MS;
        // All at once: each may cost a way to the storage and back.
        const [present] = await Promise.all([
          callers.confirm(caller, since),
          clockWatch.assertRight(),
          readAhead(caches, input.agents, since),
        ]);
        requireBoth(present.caller);
        const {
          passports,
          unread,
          asOf: readAt,
        } = await readState(caches, input.agents, present.caller, since);
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
  return new IdentityError('overloaded', 'Too many verifiers of the account ask at once.', { details });
}

interface WaitParts {
  readonly caches: Pick<Caches, 'passports'>;
  readonly callers: KeyCallers;
  readonly waits: ChangeWaits;
}

interface WaitingRequest {
  readonly input: ConfirmInput;
  /** The key as it was when the request came. */
  readonly given: KeyCaller;
  readonly signal: AbortSignal | undefined;
}

/** An instant from which everything in memory may answer. Records that a notice named are no longer in memory. */
const OF_ANY_AGE = Number.NEGATIVE_INFINITY;

/**
 * Makes the function that waits if the sender knows something of every agent, and memory has nothing newer: a notice may
 * have come before. Only agents that the key sees now can end the wait.
 */
function createWaitForChange({
  caches,
  callers,
  waits,
}: WaitParts): (request: WaitingRequest) => Promise<void> {
  return async ({ input, given, signal }) => {
    const { agents } = input;
    const known = Object.entries(agents);
    if (known.some(([, what]) => what === null)) return;
    const { caller } = await callers.confirm(given, OF_ANY_AGE);
    requireBoth(caller);
    const { passports, unread, seen } = await readState(caches, agents, caller, OF_ANY_AGE);
    if (unread.length > 0 || Object.keys(passports).length > 0) return;
    const visible = known.filter(([id]) => seen.has(id));
    // Last, at once before the wait: no notice may come between.
    if (visible.some(([id, what]) => what !== null && waits.hasNewer(id, knownVersion(what)))) return;
    const { key_id, account_id } = caller;
    await waits.change({
      records: [
        ...visible.map(([id]) => ({ collection: 'passports', id }) as const),
        { collection: 'keys', id: key_id },
        { collection: 'accounts', id: account_id },
      ],
      hidden: known.map(([id]) => id).filter((id) => !seen.has(id)),
      isSeen: async (id) => (await readState(caches, { [id]: '' }, caller, OF_ANY_AGE)).seen.has(id),
      ms: input.wait_ms,
      signal,
    });
  };
}

/** The agents that are looked up together between two turns of the event loop. */
const PIECE = 20;

/** Makes the filing of one service: a block is stored once for each writer and number, whatever becomes of the answer. */
function createSentVerdicts(
  { caches, clock, clockWatch, journal, retentionDays }: CoreNeeds,
  { addVerifications }: VerifierParts,
): (given: VerdictsInput, caller: KeyCaller) => Promise<FiledVerdicts> {
  return async (given, caller) => {
    const input = checkCopy<VerdictsInput>('VerifierVerdicts', given);
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
 * version never falls, so that memory of any age is enough where it is not behind; else the storage is read.
 */
async function assertVersions(
  { passports, monotonic }: Pick<Caches, 'passports' | 'monotonic'>,
  { versions }: CheckedBlock,
  account_id: string,
): Promise<void> {
  async function assertOne([id, version]: readonly [string, number]): Promise<void> {
    const held = passports.held(id)?.value;
    const isEnough = held !== undefined && held.version >= version;
    const found = isEnough ? held : (await passports.confirmed(id, monotonic())).value;
    if (found === undefined || found.account_id !== account_id || found.version < version)
      throw refused('A record names a version of a passport that the account does not have.');
  }

  const all = [...versions];
  for (let from = 0; from < all.length; from += PIECE) {
    if (from > 0) await turn();
    await Promise.all(all.slice(from, from + PIECE).map(assertOne));
  }
}

function refused(message: string, path = '/block'): Error {
  return invalidRequest([{ path, code: 'invalid', message }]);
}
