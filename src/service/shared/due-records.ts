/** Settles due records, a few at a time, so that other work of the process continues in between. */

import { turn } from '../../base/async/turns.ts';
import { formatInstant } from '../../base/values/instant.ts';
import type { DueCollection, DuePosition } from '../../ports/queries.ts';
import type { StoredRecords } from '../../ports/stored-records.ts';
import type { StorePresent } from '../storage/clock-watch.ts';
import type { Store } from '../storage/store.ts';
import { inTurns } from './turns-of-accounts.ts';

/** The source of due records, and the function that settles one. */
export interface DueWork<Name extends DueCollection> {
  readonly store: Pick<Store, 'due'>;
  readonly collection: Name;
  /** Settles a due record; resolves to `false` if it was changed since it was read. */
  readonly settle: (record: StoredRecords[Name], present: StorePresent) => Promise<boolean>;
}

const PAGE = 100;
/** The maximum number of pages of one part: enough for all open records of one agent. */
const MAX_PAGES = 10;
/** The number of pages that are read before their records are settled. */
const PAGES_AHEAD = 20;
/** The number of records that are settled concurrently: with a storage in this process, each blocks other work. */
const AT_ONCE = 2;

/** Settles the due records of a part, the earliest first and at most 1,000; returns the number of records found. */
export async function settlePart<Name extends DueCollection>(
  work: DueWork<Name>,
  present: StorePresent,
  where: Readonly<Record<string, string>>,
): Promise<number> {
  let found = 0;
  for (let page = 0; page < MAX_PAGES; page += 1) {
    const due = await work.store.due(work.collection, formatInstant(present.at), PAGE, { where });
    await settleAll(work, due, present);
    found += due.length;
    if (due.length < PAGE) break;
  }
  return found;
}

/** Settles all due records in rounds, with the same maximum number of records for each account in a round. */
export async function settleEverything<Name extends DueCollection>(
  work: DueWork<Name>,
  present: StorePresent,
  isStopped: () => boolean,
): Promise<void> {
  let isLeft = true;
  while (isLeft) {
    let after: DuePosition | undefined;
    let settled = 0;
    isLeft = false;
    do {
      const round = inTurns<StoredRecords[Name]>();
      after = await readAhead(work, present.at, after, round.add);
      settled += await settleAll(work, round.records(), present, isStopped);
      isLeft ||= round.hasSkipped();
    } while (after !== undefined && !isStopped());
    // If nothing could be settled, the next round would find the same records.
    isLeft &&= settled > 0 && !isStopped();
  }
}

/** Settles records until it is stopped, and returns the number of settled ones. */
async function settleAll<Name extends DueCollection>(
  { settle }: DueWork<Name>,
  due: readonly StoredRecords[Name][],
  present: StorePresent,
  isStopped = () => false,
): Promise<number> {
  let settled = 0;
  for (let from = 0; from < due.length && !isStopped(); from += AT_ONCE) {
    const results = await Promise.all(
      due.slice(from, from + AT_ONCE).map((record) => settle(record, present)),
    );
    settled += results.filter(Boolean).length;
    await turn();
  }
  return settled;
}

/** Reads some pages; returns the position after them, or `undefined` at the end of the list. */
async function readAhead<Name extends DueCollection>(
  { store, collection }: DueWork<Name>,
  at: number,
  start: DuePosition | undefined,
  add: (record: StoredRecords[Name]) => void,
): Promise<DuePosition | undefined> {
  let after = start;
  for (let page = 0; page < PAGES_AHEAD; page += 1) {
    const due = await store.due(collection, formatInstant(at), PAGE, after && { after });
    for (const record of due) add(record);
    const last = due.at(-1);
    if (last?.due_at === undefined || due.length < PAGE) return undefined;
    after = { due_at: last.due_at, id: last.id };
  }
  return after;
}
