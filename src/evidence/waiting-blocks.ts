/** Lists the blocks that are not yet in the evidence log, for each writer and account. */

import type { Context } from '../core/shared/context.ts';
import type { LogOn } from '../core/shared/log-state.ts';
import { type BlockHeader, type JournalWriter, MAX_LISTED_BLOCKS } from '../ports/journal.ts';
import { isAlone } from './final-blocks.ts';
import type { Pending } from './log-events.ts';

export interface WaitingGroup {
  readonly headers: BlockHeader[];
  /** The instant at which the first of these blocks was found, in milliseconds. */
  readonly since: number;
}

export interface Waiting {
  /** The number of the last listed flush. */
  readonly listed: number;
  readonly merged: number;
  readonly groups: Map<string, WaitingGroup>;
}

export const MAX_WAITING = 50_000;
/** The milliseconds for which small blocks wait for others, to be joined. */
const WAIT_MS = 60_000;
/** The number of blocks of an account at which these blocks no longer wait. */
const MANY = 64;

export async function listWaiting(
  { store, clock }: Pick<Context, 'store' | 'clock'>,
  { id, flushed, merged }: JournalWriter,
  waiting: Waiting,
): Promise<Waiting> {
  const { groups } = waiting;
  const range = { writer: id, from: waiting.listed, to: flushed, limit: MAX_LISTED_BLOCKS };
  for (let headerAfter: BlockHeader | undefined, isOver = flushed <= waiting.listed; !isOver; ) {
    const page = await store.journal.filed(
      headerAfter === undefined ? range : { ...range, after: headerAfter },
    );
    for (const header of page) {
      const group = groups.get(header.account_id) ?? { headers: [], since: clock.now() };
      groups.set(header.account_id, group);
      group.headers.push(header);
    }
    headerAfter = page.at(-1);
    isOver = page.length < MAX_LISTED_BLOCKS;
    if (!isOver && headerAfter !== undefined && numberIn(waiting) >= MAX_WAITING) {
      return { ...cut(groups, headerAfter.seq), merged };
    }
  }
  return { listed: Math.max(waiting.listed, flushed), merged, groups };
}

/** Removes the blocks of the last flush from the list, because not all of its blocks were listed. */
function cut(groups: Map<string, WaitingGroup>, seq: number): Omit<Waiting, 'merged'> {
  for (const [account_id, { headers }] of groups) {
    while (headers.at(-1)?.seq === seq) headers.pop();
    if (headers.length === 0) groups.delete(account_id);
  }
  return { listed: seq - 1, groups };
}

/**
 * Returns the blocks that can get their leaves now. These are all blocks up to the last block that is merged,
 * large or final. A small block after it must wait for its merge.
 */
export function readyIn(
  { headers }: Pick<WaitingGroup, 'headers'>,
  mergedCount: number,
): readonly BlockHeader[] {
  return headers.slice(
    0,
    headers.findLastIndex((header) => header.seq <= mergedCount || isAlone(header)) + 1,
  );
}

export function isWaitOver(headers: readonly BlockHeader[], sinceMs: number, now: number): boolean {
  return headers.length >= MANY || headers.some(isAlone) || now - sinceMs >= WAIT_MS;
}

export function numberIn({ groups }: Waiting): number {
  return [...groups.values()].reduce((sum, { headers }) => sum + headers.length, 0);
}

export function markOf({ listed, groups }: Waiting): number {
  const first = [...groups.values()].flatMap(({ headers }) => headers.slice(0, 1));
  return Math.min(listed, ...first.map(({ seq }) => seq - 1));
}

export function pendingIn(writers: Iterable<Waiting>): Omit<Pending, 'isContended'> {
  const groups = [...writers].flatMap(({ groups: ownGroups, merged }) =>
    [...ownGroups.values()].flatMap(({ headers, since }) => {
      const ready = readyIn({ headers }, merged).length;
      return ready === 0 ? [] : [{ ready, since }];
    }),
  );
  const count = groups.reduce((sum, { ready }) => sum + ready, 0);
  return { count, since: groups.length === 0 ? undefined : Math.min(...groups.map(({ since }) => since)) };
}

export function newWaiting(log: LogOn, writer: string): Waiting {
  return { listed: log.from[writer] ?? 0, merged: 0, groups: new Map() };
}
