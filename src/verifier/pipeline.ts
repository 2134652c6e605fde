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
import type { RandomSource } from '../ports/host.ts';
import { defaultRules } from '../verdict/index.ts';
import { approvalAsked, ordersIn, pacesIn, takingsIn } from '../verdict/takings.ts';
import type { Memory } from './memory.ts';
import type { Reader } from './reader.ts';
import { ELSEWHERE } from './reader.ts';

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
