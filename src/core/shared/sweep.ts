/**
 * Processes due records, such as expired holds. If several processes notice the same record, only the first
 * of them processes it.
 */

import { turn } from '../../base/async/turns.ts';
import { createBoundedMap } from '../../base/bounded-map.ts';
import { formatInstant } from '../../base/values/instant.ts';
import { describeCause, IdentityError } from '../../errors.ts';
import type { DueCollection, DuePosition } from '../../ports/journal.ts';
import { collections, type StoredRecords } from '../../ports/stored-records.ts';
import type { StorePresent } from '../storage/clock-watch.ts';
import type { Store } from '../storage/store.ts';
import type { Context } from './context.ts';
import { createChore } from './timers.ts';

/** The records of a sweep, and the function that processes one of them. */
export interface SweepOptions<Name extends DueCollection> extends Omit<DueWork<Name>, 'store'> {
  /** The text of the log line after a failure. */
  readonly message: string;
}

/** Processes due records. */
export interface Sweep {
  /**
   * Returns the number of records with these fields that this sweep has processed. If there are more than
   * 10,000 such counts, the sweep may forget one and return 0.
   */
  settled(filter: Readonly<Record<string, string>>): number;
  /**
   * Processes due records with these fields, the earliest first and at most 1,000. Concurrent calls for the same fields
   * share the work. `countBefore` is an earlier result of `settled`. Resolves to `true` if records were processed after
   * that result. After a refused write, the caller may then write again.
   */
  run(present: StorePresent, filter: Readonly<Record<string, string>>, countBefore: number): Promise<boolean>;
  stop(): Promise<void>;
}

const EVERY_MS = 60_000;
const MAX_COUNTS = 10_000;

/** Creates a sweep that processes all due records every minute. */
export function createSweep<Name extends DueCollection>(
  context: Pick<Context, 'store' | 'clockWatch' | 'after' | 'log'>,
  { collection, settle, message }: SweepOptions<Name>,
): Sweep {
  const running = new Map<string, Promise<number>>();
  const counts = createBoundedMap<string, number>(MAX_COUNTS);
  const countOf = (part: string): number => counts.get(part) ?? 0;
  let isFailing = false;
  let isStopped = false;
  const work: DueWork<Name> = {
    store: context.store,
    collection,
    async settle(record, present) {
      const isSettled = await settle(record, present);
      for (const part of isSettled ? partsOf(collection, record) : []) counts.set(part, countOf(part) + 1);
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
    settled: (filter) => countOf(JSON.stringify(filter)),
    async run(present, filter, countBefore) {
      const part = JSON.stringify(filter);
      const ahead = running.get(part);
      if (ahead !== undefined && (await ahead) > 0) return true;
      const ownSettling = settlePart(work, present, filter);
      running.set(part, ownSettling);
      try {
        return (await ownSettling) > 0 || countOf(part) !== countBefore;
      } finally {
        if (running.get(part) === ownSettling) running.delete(part);
      }
    },
    stop() {
      isStopped = true;
      return chore.stop();
    },
  };
}

function partsOf(collection: DueCollection, record: object): readonly string[] {
  const values = record as Readonly<Record<string, unknown>>;
  const { due = [] } = collections[collection];
  return due.map((field) => JSON.stringify({ [field]: values[field] }));
}

interface DueWork<Name extends DueCollection> {
  readonly store: Pick<Store, 'due'>;
  readonly collection: Name;
  /** Processes a due record. Resolves to `false` if the record was changed since it was read. */
  readonly settle: (record: StoredRecords[Name], present: StorePresent) => Promise<boolean>;
}

const PAGE = 100;
/** The maximum number of pages for one set of fields: enough for all open records of one agent. */
const MAX_PAGES = 10;
const PAGES_AHEAD = 20;
/**
 * The number of records that are processed concurrently. With a storage in this process, each one blocks other work.
 */
const AT_ONCE = 2;

async function settlePart<Name extends DueCollection>(
  work: DueWork<Name>,
  present: StorePresent,
  filter: Readonly<Record<string, string>>,
): Promise<number> {
  let foundCount = 0;
  for (let page = 0; page < MAX_PAGES; page += 1) {
    const due = await work.store.due(work.collection, formatInstant(present.at), PAGE, { where: filter });
    await settleAll(work, due, present);
    foundCount += due.length;
    if (due.length < PAGE) break;
  }
  return foundCount;
}

/** Processes all due records in rounds. Each round takes the same maximum number of records from every account. */
async function settleEverything<Name extends DueCollection>(
  work: DueWork<Name>,
  present: StorePresent,
  isStopped: () => boolean,
): Promise<void> {
  let isLeft = true;
  while (isLeft) {
    let positionAfter: DuePosition | undefined;
    let settledCount = 0;
    isLeft = false;
    do {
      const round = inTurns<StoredRecords[Name]>();
      positionAfter = await readAhead(work, present.at, positionAfter, round.add);
      settledCount += await settleAll(work, round.records(), present, isStopped);
      isLeft ||= round.hasSkipped();
    } while (positionAfter !== undefined && !isStopped());
    // If nothing could be settled, the next round would find the same records.
    isLeft &&= settledCount > 0 && !isStopped();
  }
}

async function settleAll<Name extends DueCollection>(
  { settle }: DueWork<Name>,
  due: readonly StoredRecords[Name][],
  present: StorePresent,
  isStopped = () => false,
): Promise<number> {
  let settledCount = 0;
  for (let start = 0; start < due.length && !isStopped(); start += AT_ONCE) {
    const results = await Promise.all(
      due.slice(start, start + AT_ONCE).map((record) => settle(record, present)),
    );
    settledCount += results.filter(Boolean).length;
    await turn();
  }
  return settledCount;
}

async function readAhead<Name extends DueCollection>(
  { store, collection }: DueWork<Name>,
  atMs: number,
  start: DuePosition | undefined,
  add: (record: StoredRecords[Name]) => void,
): Promise<DuePosition | undefined> {
  let positionAfter = start;
  for (let page = 0; page < PAGES_AHEAD; page += 1) {
    const due = await store.due(
      collection,
      formatInstant(atMs),
      PAGE,
      positionAfter && { after: positionAfter },
    );
    for (const record of due) add(record);
    const last = due.at(-1);
    if (last?.due_at === undefined || due.length < PAGE) return undefined;
    positionAfter = { due_at: last.due_at, id: last.id };
  }
  return positionAfter;
}

interface Turns<Kept> {
  add(record: Kept): void;
  records(): readonly Kept[];
  /** Returns `true` if an account had more records than one round takes. A later round takes the others. */
  hasSkipped(): boolean;
}

const MAX_IN_A_ROUND = 100;

function inTurns<Kept extends { readonly account_id: string }>(): Turns<Kept> {
  const counts = new Map<string, number>();
  const turns: Kept[][] = [];
  let isSkipping = false;
  return {
    add(record) {
      const count = counts.get(record.account_id) ?? 0;
      if (count === MAX_IN_A_ROUND) {
        isSkipping = true;
        return;
      }
      counts.set(record.account_id, count + 1);
      const ownTurn = turns[count] ?? [];
      turns[count] = ownTurn;
      ownTurn.push(record);
    },
    records: () => turns.flat(),
    hasSkipped: () => isSkipping,
  };
}
