/** Runs the verify pipeline of the service with the memory of a verifier. */

import type { Journal } from '../core/journal/journal.ts';
import type { PassportRecord } from '../core/passports/collections.ts';
import type { KnownPassport } from '../core/storage/caches.ts';
import type { ConfirmedCache, Known, RecordCache } from '../core/storage/record-cache.ts';
import type { VerifyContext, VerifyParts } from '../core/verification/filed.ts';
import type { KeyedVerdict } from '../core/verification/replays.ts';
import type { ToTake } from '../core/verification/takings.ts';
import { createVerify, type VerifySince } from '../core/verification/verify.ts';
import { countedIds } from '../credential/random-id.ts';
import type { IdentityError } from '../errors.ts';
import type { ElapsedClock } from '../ports/elapsed-clock.ts';
import type { After, RandomSource } from '../ports/host.ts';
import { defaultRules } from '../verdict/index.ts';
import { approvalAsked, ordersIn, pacesIn, takingsIn } from '../verdict/takings.ts';
import type { Asking } from './channel.ts';
import type { Memory } from './memory.ts';
import { plansFor } from './plans.ts';
import { ELSEWHERE, type Reader } from './reader.ts';

export interface PipelineParts {
  readonly name: string;
  readonly passports: ConfirmedCache<PassportRecord, KnownPassport>;
  readonly memory: Memory;
  readonly reader: Reader;
  readonly journal: Pick<Journal, 'file'>;
  readonly random: RandomSource;
  readonly elapsedClock: ElapsedClock;
  readonly tooOld: () => IdentityError;
}

export interface Pipelines {
  /** Evaluates intents of agents that the API key sees. Rejects with `ELSEWHERE` if the service must be asked. */
  readonly seen: VerifySince;
  /** Denies intents of agents that the API key does not see, even if memory has them as parents of other agents. */
  readonly hidden: VerifySince;
}

export function createPipelines(parts: PipelineParts): Pipelines {
  return {
    seen: createPipeline(parts, readThrough(parts)),
    hidden: createPipeline(parts, { ...parts.passports, peek: () => ABSENT, load: async () => ABSENT }),
  };
}

const ABSENT: Known<KnownPassport> = { value: undefined };

function createPipeline(parts: PipelineParts, passports: RecordCache<KnownPassport>): VerifySince {
  const { random, elapsedClock, memory, journal } = parts;
  const presentOf = (elapsedMs: number): number => Math.floor(memory.presentOf(elapsedMs));
  const context: VerifyContext = {
    decisionIds: countedIds('dec', random),
    clock: { now: () => presentOf(elapsedClock.elapsed()) },
    elapsedClock: { ...elapsedClock, presentOf },
    caches: { passports, monotonic: elapsedClock.elapsed },
  };
  const elsewhere = async (): Promise<never> => {
    throw ELSEWHERE;
  };
  const verifyParts: VerifyParts = {
    verifier: parts.name,
    rules: defaultRules,
    journal,
    checkProof: elsewhere,
    take: async (toTake) => (takesNothing(toTake) ? { record: toTake.record, isReplay: false } : elsewhere()),
    hooks: { report: () => undefined, fail: () => undefined },
    replays: { begin: () => KEYED },
    isThere: elsewhere,
    reportsFor: unused,
  };
  return createVerify(context, verifyParts);
}

function readThrough({ passports, memory, reader, tooOld }: PipelineParts): RecordCache<KnownPassport> {
  return {
    ...passports,
    peek: (id, atMs) => (memory.isBlocked(id) ? undefined : passports.peek(id, atMs, false)),
    async load(id, atMs) {
      if (memory.isBlocked(id)) throw ELSEWHERE;
      await reader.readAbove(id, atMs);
      if (memory.isBlocked(id)) throw ELSEWHERE;
      const entry = passports.peek(id, atMs, false);
      // The answer says nothing about it: an agent below it is not seen any more.
      if (entry === undefined) throw passports.held(id) === undefined ? ELSEWHERE : tooOld();
      return entry;
    },
  };
}

/**
 * Returns `true` if the local verdict is final, because the service would write nothing for it. This applies to each
 * `DENY`. It also applies to an `ALLOW` that no budget, pace or rule of order counts, and that needs no hold and no
 * approval. An `ALLOW` with an idempotency key is not final, because the storage may have an earlier answer.
 */
function takesNothing({ record, intent, found, ancestry, keyed }: ToTake): boolean {
  if (record.verdict === 'DENY' || !found) return true;
  if (keyed || intent.hold_seconds !== undefined || intent.approval_id !== undefined) return false;
  const passports = [found.prepared, ...(ancestry?.prepared ?? [])];
  if (ordersIn(passports, intent.action).length > 0) return false;
  if (pacesIn(passports, intent.action).length > 0) return false;
  return takingsIn(passports, intent).length === 0 && approvalAsked(passports, intent) === undefined;
}

/** A request with an idempotency key. Only the service knows whether the key was used. */
const KEYED: KeyedVerdict = {
  isLooked: true,
  found: undefined,
  look: async () => KEYED,
  end: () => undefined,
  remember: unused,
  complete: unused,
  replay: unused,
};

function unused(): never {
  throw ELSEWHERE;
}

// Confirms the passports in use in a loop: one long-polling request after another.

/** The loop that confirms passports. */
export interface Confirmation {
  /** Begins the loop, unless it already runs. The loop ends if there was no verify request for 30 s. */
  begin(): void;
  /** Ends the loop. */
  stop(): void;
}

/** The parts of the loop. */
interface ConfirmationParts {
  readonly memory: Memory;
  readonly reader: Reader;
  readonly asking: Asking;
  readonly elapsed: () => number;
  readonly after: After;
}

const EVERY_MS = 300;
/** The milliseconds from the last verify request for an agent until the agent is no longer confirmed. */
export const UNUSED_MS = 30_000;
/** The milliseconds that the answer to a waiting request may take after the end of its wait. */
const GRACE_MS = 1_000;
/** An answer without changes counts as early if the rest of the wait is longer than this many milliseconds. */
const EARLY_MS = 100;
const RETRY_MS = 50;
const LONGEST_RETRY_MS = 1_000;

/** Creates the loop. */
export function createConfirmation(parts: ConfirmationParts): Confirmation {
  const { memory, reader, asking, elapsed, after } = parts;
  let isRunning = false;
  let isStopped = false;
  let endPause: (() => void) | undefined;

  function pause(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const cancel = after(ms, resolve);
      endPause = () => {
        cancel();
        resolve();
      };
    });
  }

  async function confirmAll(waitMs: number) {
    const beganAt = elapsed();
    const sinceMs = beganAt - UNUSED_MS;
    memory.forgetUnused(sinceMs);
    const plans = plansFor(memory, memory.inUse(sinceMs));
    const results = await Promise.all(plans.map((plan) => reader.confirm(plan, waitMs, waitMs + GRACE_MS)));
    const hasNews = results.some((result) => result.hasNews);
    return {
      roundTripMs: Math.max(0, ...results.map((result) => result.roundTripMs)),
      restMs: hasNews ? 0 : EVERY_MS - (elapsed() - beganAt),
    };
  }

  const mayGoOn = (): boolean => !isStopped && asking.reason() === null && memory.size() > 0;

  async function run(): Promise<void> {
    let roundTripMs = 0;
    let failures = 0;
    let wasEarly = false;
    while (mayGoOn()) {
      try {
        const result = await confirmAll(Math.max(0, Math.floor(EVERY_MS - roundTripMs)));
        failures = 0;
        ({ roundTripMs } = result);
        const { restMs } = result;
        const isEarly = restMs > EARLY_MS;
        // One early answer may follow a notice that changed nothing here; a node that stops gives nothing else.
        if (restMs > 0 && (!isEarly || wasEarly) && !isStopped) await pause(restMs);
        wasEarly = isEarly;
      } catch {
        // Its questions show it.
        if (mayGoOn()) await pause(Math.min(RETRY_MS * 2 ** failures, LONGEST_RETRY_MS));
        failures += 1;
      }
    }
  }

  return {
    begin() {
      if (isRunning || isStopped) return;
      isRunning = true;
      void run().finally(() => {
        isRunning = false;
      });
    },
    stop() {
      isStopped = true;
      endPause?.();
    },
  };
}
