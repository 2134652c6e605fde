/** Records that are due: the first process that notices one settles it, once. */

import { createBoundedMap } from '../../base/bounded-map.ts';
import { describeCause, IdentityError } from '../../errors.ts';
import { DUE_BY, type DueCollection } from '../../ports/queries.ts';
import type { Context } from './context.ts';
import { type DueWork, settleEverything, settlePart } from './due-records.ts';
import { createChore } from './timers.ts';

/** What is swept. */
export interface SweepOptions<Name extends DueCollection> extends Omit<DueWork<Name>, 'store'> {
  /** What the log says where it fails. */
  readonly message: string;
}

/** Settles what is due. */
export interface Sweep {
  /** How many of this part it has settled up to now, as far as it remembers. */
  settled(where: Readonly<Record<string, string>>): number;
  /**
   * Settles what is due of this part at this instant of the store, in milliseconds since the Unix epoch, the earliest
   * first and at most 1,000. Callers that ask for a part at the same time share the work. Whether anything was settled, also
   * by others, after `settled` gave `since`: what failed before may fit now.
   */
  run(at: number, where: Readonly<Record<string, string>>, since: number): Promise<boolean>;
  /** Stops looking for what is due by itself. */
  stop(): Promise<void>;
}

const EVERY_MS = 60_000;
/** The parts whose numbers are remembered. */
const MAX_COUNTS = 10_000;

/** A sweep that looks every minute, until nothing is due any more. */
export function createSweep<Name extends DueCollection>(
  context: Context,
  { collection, settle, message }: SweepOptions<Name>,
): Sweep {
  const running = new Map<string, Promise<number>>();
  const counts = createBoundedMap<string, number>(MAX_COUNTS);
  const settled = (part: string): number => counts.get(part) ?? 0;
  let isFailing = false;
  let isStopped = false;
  const work: DueWork<Name> = {
    store: context.store,
    collection,
    async settle(record, at) {
      const isSettled = await settle(record, at);
      for (const part of isSettled ? partsOf(collection, record) : []) counts.set(part, settled(part) + 1);
      return isSettled;
    },
  };

  const chore = createChore(context.after, EVERY_MS, async () => {
    try {
      await settleEverything(work, await context.clockWatch.storeNow(), () => isStopped);
      isFailing = false;
    } catch (error) {
      // A storage that is down, and a clock that is off, are reported elsewhere.
      const isOutage = error instanceof IdentityError && error.code === 'storage_unavailable';
      if (!isFailing && !isOutage)
        context.log({ level: 'error', event: 'sweep_failed', message, cause: describeCause(error) });
      isFailing = true;
    }
    return true;
  });
  chore.ask();

  return {
    settled: (where) => settled(JSON.stringify(where)),
    async run(at, where, since) {
      const part = JSON.stringify(where);
      const ahead = running.get(part);
      if (ahead !== undefined && (await ahead) > 0) return true;
      const own = settlePart(work, at, where);
      running.set(part, own);
      try {
        return (await own) > 0 || settled(part) !== since;
      } finally {
        if (running.get(part) === own) running.delete(part);
      }
    },
    stop() {
      isStopped = true;
      return chore.stop();
    },
  };
}

/** The parts that hold the record. */
function partsOf(collection: DueCollection, record: object): readonly string[] {
  const values = record as Readonly<Record<string, unknown>>;
  return DUE_BY[collection].map((field) => JSON.stringify({ [field]: values[field] }));
}
