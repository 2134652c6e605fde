/** Settles due records: each once, by the first process that notices it. */

import { createBoundedMap } from '../../base/bounded-map.ts';
import { describeCause, IdentityError } from '../../errors.ts';
import type { DueCollection } from '../../ports/queries.ts';
import { collections } from '../../ports/stored-records.ts';
import type { StorePresent } from '../storage/clock-watch.ts';
import type { Context } from './context.ts';
import { type DueWork, settleEverything, settlePart } from './due-records.ts';
import { createChore } from './timers.ts';

/** The records of a sweep, and the function that settles one. */
export interface SweepOptions<Name extends DueCollection> extends Omit<DueWork<Name>, 'store'> {
  /** The log message of a failure. */
  readonly message: string;
}

/** Settles due records. */
export interface Sweep {
  /** Returns the number of settled records of a part, as far as it is remembered. */
  settled(where: Readonly<Record<string, string>>): number;
  /**
   * Settles due records of a part, the earliest first and at most 1,000. Concurrent calls for a part share the work. Resolves to `true` if records were
   * settled, by any caller, since `settled` returned `since`: then a refused write may succeed now.
   */
  run(present: StorePresent, where: Readonly<Record<string, string>>, since: number): Promise<boolean>;
  /** Stops the periodic sweep. */
  stop(): Promise<void>;
}

const EVERY_MS = 60_000;
/** The number of parts whose counts are remembered. */
const MAX_COUNTS = 10_000;

/** Creates a sweep that settles all due records every minute. */
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
    async settle(record, present) {
      const isSettled = await settle(record, present);
      for (const part of isSettled ? partsOf(collection, record) : []) counts.set(part, settled(part) + 1);
      return isSettled;
    },
  };

  const chore = createChore(context.after, EVERY_MS, async () => {
    try {
      await settleEverything(work, await context.clockWatch.present(), () => isStopped);
      isFailing = false;
    } catch (error) {
      // An outage of the storage and a wrong clock are reported elsewhere.
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
    async run(present, where, since) {
      const part = JSON.stringify(where);
      const ahead = running.get(part);
      if (ahead !== undefined && (await ahead) > 0) return true;
      const own = settlePart(work, present, where);
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

/** Returns the parts that contain the record. */
function partsOf(collection: DueCollection, record: object): readonly string[] {
  const values = record as Readonly<Record<string, unknown>>;
  const { due = [] } = collections[collection];
  return due.map((field) => JSON.stringify({ [field]: values[field] }));
}
