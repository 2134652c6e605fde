/** Records that are due: the first process that notices one settles it, once. */
import { formatInstant } from '../../base/instant.ts';
import { describeCause, IdentityError } from '../../errors.ts';
import type { DueCollection } from '../../ports/queries.ts';
import type { StoredRecords } from '../../ports/stored-records.ts';
import type { Context } from './context.ts';
import { createChore } from './timers.ts';

/** What is swept. */
export interface SweepOptions<Name extends DueCollection> {
  readonly collection: Name;
  /** Settles one that is due; the record is as it was read. `false`: it has changed meanwhile. */
  readonly settle: (record: StoredRecords[Name], at: number) => Promise<boolean>;
  /** What the log says where it fails. */
  readonly message: string;
}

/** Settles what is due. */
export interface Sweep {
  /** All that is due at this instant of the store, in milliseconds since the Unix epoch; how many there were. */
  run(at: number): Promise<number>;
  /** Stops looking for them by itself. */
  stop(): Promise<void>;
}

const EVERY_MS = 60_000;
const PAGE = 100;
/** As many pages as hold what is open of one agent. */
const MAX_PAGES = 10;

/** A sweep that looks every minute. */
export function createSweep<Name extends DueCollection>(
  context: Context,
  { collection, settle, message }: SweepOptions<Name>,
): Sweep {
  let isFailing = false;
  const chore = createChore(context.after, EVERY_MS, async () => {
    try {
      await run(await context.clockWatch.storeNow());
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

  async function run(at: number): Promise<number> {
    const before = formatInstant(at);
    let found = 0;
    for (let page = 0; page < MAX_PAGES; page += 1) {
      const due = await context.store.due(collection, before, PAGE);
      await Promise.all(due.map((record) => settle(record, at)));
      found += due.length;
      if (due.length < PAGE) break;
    }
    return found;
  }

  return { run, stop: chore.stop };
}
