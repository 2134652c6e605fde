/** The pipeline of the service over the memory of a verifier. */

import type { Journal } from '../core/journal/journal.ts';
import type { PassportRecord } from '../core/passports/collections.ts';
import type { KnownPassport } from '../core/storage/caches.ts';
import type { ConfirmedCache, Known, RecordCache } from '../core/storage/record-cache.ts';
import type { VerifyContext, VerifyParts } from '../core/verification/filed.ts';
import type { KeyedVerdict } from '../core/verification/replays.ts';
import type { ToTake } from '../core/verification/takings.ts';
import { createVerify, type VerifySince } from '../core/verification/verify.ts';
import type { IdentityError } from '../errors.ts';
import type { ElapsedClock } from '../ports/elapsed-clock.ts';
import type { RandomSource } from '../ports/host.ts';
import { defaultRules } from '../verdict/index.ts';
import { approvalAsked, ordersIn, pacesIn, takingsIn } from '../verdict/takings.ts';
import type { Memory } from './memory.ts';
import type { Reader } from './reader.ts';
import { ELSEWHERE } from './reader.ts';

/** The parts of the pipeline. */
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

/** The pipelines of one verifier. */
export interface Pipelines {
  /** Decides about agents that the key sees. It rejects with `ELSEWHERE` where the service has to be asked. */
  readonly seen: VerifySince;
  /** Denies intents of agents that the key does not see, whatever memory has of them as parents of others. */
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
    random,
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

/** Returns the passports as the pipeline looks them up: it reads those that are missing or too old. */
function readThrough({ passports, memory, reader, tooOld }: PipelineParts): RecordCache<KnownPassport> {
  return {
    ...passports,
    peek: (id, at) => (memory.isBlocked(id) ? undefined : passports.peek(id, at, false)),
    async load(id, at) {
      if (memory.isBlocked(id)) throw ELSEWHERE;
      await reader.readAbove(id, at);
      if (memory.isBlocked(id)) throw ELSEWHERE;
      const known = passports.peek(id, at, false);
      // The answer says nothing about it: an agent below it is not seen any more.
      if (known === undefined) throw passports.held(id) === undefined ? ELSEWHERE : tooOld();
      return known;
    },
  };
}

/**
 * Says whether the verdict stands. The service asks its store only when nothing else denies, and an intent takes
 * nothing where no budget, pace or order counts it and no person is asked. Under a key the store may have an earlier answer.
 */
function takesNothing({ record, intent, found, lineage, keyed }: ToTake): boolean {
  if (record.verdict === 'DENY' || !found) return true;
  if (keyed || intent.hold_seconds !== undefined || intent.approval_id !== undefined) return false;
  const passports = [found.prepared, ...(lineage?.prepared ?? [])];
  if (ordersIn(passports, intent.action).length > 0) return false;
  if (pacesIn(passports, intent.action).length > 0) return false;
  return takingsIn(passports, intent).length === 0 && approvalAsked(passports, intent) === undefined;
}

/** A turn under a key, of which only the service knows more. */
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
