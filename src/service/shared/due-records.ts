/** Settles what is due, a few at a time: what else this process has to do goes on in between. */

import { turn } from '../../base/async/turns.ts';
import { formatInstant } from '../../base/values/instant.ts';
import type { DueCollection, DuePosition } from '../../ports/queries.ts';
import type { StoredRecords } from '../../ports/stored-records.ts';
import type { Store } from '../storage/store.ts';
import { inTurns } from './turns-of-accounts.ts';

/** How what is due is found and settled. */
export interface DueWork<Name extends DueCollection> {
  readonly store: Pick<Store, 'due'>;
  readonly collection: Name;
  /** Settles one that is due; the record is as it was read. `false`: it has changed meanwhile. */
  readonly settle: (record: StoredRecords[Name], at: number) => Promise<boolean>;
}

const PAGE = 100;
/** As many pages as hold what is open of one agent. */
const MAX_PAGES = 10;
/** As many pages as are read before what they hold is settled. */
const PAGES_AHEAD = 20;
/** As many are settled at the same time: on a storage in this process each keeps everything else waiting. */
const AT_ONCE = 2;

/** Settles what is due of a part, the earliest first and at most 1,000; how many there were. */
export async function settlePart<Name extends DueCollection>(
  work: DueWork<Name>,
  at: number,
  where: Readonly<Record<string, string>>,
): Promise<number> {
  let found = 0;
  for (let page = 0; page < MAX_PAGES; page += 1) {
    const due = await work.store.due(work.collection, formatInstant(at), PAGE, { where });
    await settleAll(work, due, at);
    found += due.length;
    if (due.length < PAGE) break;
  }
  return found;
}

/** Settles all that is due, round after round: in each an account has as much settled as any other. */
export async function settleEverything<Name extends DueCollection>(
  work: DueWork<Name>,
  at: number,
  isStopped: () => boolean,
): Promise<void> {
  let isLeft = true;
  while (isLeft) {
    let after: DuePosition | undefined;
    let settled = 0;
    isLeft = false;
    do {
      const round = inTurns<StoredRecords[Name]>();
      after = await readAhead(work, at, after, round.add);
      settled += await settleAll(work, round.records(), at, isStopped);
      isLeft ||= round.hasSkipped();
    } while (after !== undefined && !isStopped());
    // Where nothing could be settled the next round would find the same.
    isLeft &&= settled > 0 && !isStopped();
  }
}

/** How many of them were settled here, before it had to stop. */
async function settleAll<Name extends DueCollection>(
  { settle }: DueWork<Name>,
  due: readonly StoredRecords[Name][],
  at: number,
  isStopped = () => false,
): Promise<number> {
  let settled = 0;
  for (let from = 0; from < due.length && !isStopped(); from += AT_ONCE) {
    const results = await Promise.all(due.slice(from, from + AT_ONCE).map((record) => settle(record, at)));
    settled += results.filter(Boolean).length;
    await turn();
  }
  return settled;
}

/** Where the list goes on; `undefined`: it was read to its end. */
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
