/**
 * Adds the blocks of the journal to the evidence log, in the order of each writer and account. A merge counts blocks in
 * the rollups. Small blocks wait for the merge, and are then joined before they get their leaves. A large block and the
 * blocks before it do not wait, because a merge is too expensive to run every few seconds.
 */

import { createBlockReader } from '../core/journal/damage.ts';
import { createTimeSlices } from '../core/journal/merge/time-slices.ts';
import type { Context } from '../core/shared/context.ts';
import type { LogOn } from '../core/shared/log-state.ts';
import {
  type Block,
  type BlockHeader,
  type JournalWriter,
  MAX_LISTED_BLOCKS,
  MAX_LOADED_BLOCKS,
} from '../ports/journal.ts';
import type { Append, Appended } from './append.ts';
import { leavesOf } from './block-leaves.ts';
import type { LogHeadRecord } from './collections.ts';
import { isAlone, makeFinal, withSubjects } from './final-blocks.ts';
import { type Leaf, MAX_LEAVES } from './grow.ts';
import { positionIn } from './head.ts';
import type { Pending, Refused } from './log-events.ts';

export interface LogBlocks {
  /**
   * Adds to the log the blocks that have waited long enough. With `isLast`, the blocks need not have waited.
   * Returns how many blocks still wait, and since when.
   */
  run(log: LogOn, isLast: boolean): Promise<Pending>;
  /** Returns a flush number for each writer. All blocks up to this flush have their leaves. */
  marks(): ReadonlyMap<string, number>;
  isKnown(writer: string): boolean;
}

export interface LogBlocksParts {
  readonly append: Append;
  readonly refused: Refused;
  readonly isOurs: (writer: JournalWriter) => boolean;
}

const MAX_TRIES = 5;

export function createLogBlocks(
  context: Pick<Context, 'store' | 'clock' | 'random' | 'log'>,
  { append, refused, isOurs }: LogBlocksParts,
): LogBlocks {
  const { store, clock } = context;
  const complete = createCompletion(context, append);
  const writers = new Map<string, Waiting>();
  let knownNames: ReadonlySet<string> = new Set();

  /**
   * Adds the blocks of one writer. Returns `false` if another node works on the same blocks, which are then listed
   * again.
   */
  async function work(writer: JournalWriter, log: LogOn, isLast: boolean): Promise<boolean> {
    const { id, merged } = writer;
    const waiting = await listWaiting(context, writer, writers.get(id) ?? newWaiting(log, id));
    writers.set(id, waiting);
    const isAll = isLast || numberIn(waiting) >= MAX_WAITING;
    const isDue = (ready: readonly BlockHeader[], sinceMs: number): boolean =>
      ready.length > 0 && (isAll || isWaitOver(ready, sinceMs, clock.now()));
    for (const [account_id, { headers, since }] of [...waiting.groups]) {
      const ready = readyIn({ headers }, merged);
      if (refused.has(account_id) || !isDue(ready, since)) continue;
      const result = await complete({ account_id, writer: id, merged, on: log }, ready);
      switch (result) {
        case 'stale':
          writers.set(id, { listed: markOf(waiting), merged, groups: new Map() });
          return false;
        case 'damaged':
          refused.add(account_id);
          break;
        case 'gone':
          keepRest(waiting, account_id, { headers: [], since });
          break;
        default:
          keepRest(waiting, account_id, { headers: headers.slice(ready.length), since });
      }
    }
    return true;
  }

  return {
    async run(log, isLast) {
      const foundWriters = await store.journal.writers();
      knownNames = new Set(foundWriters.map(({ id }) => id));
      for (const id of [...writers.keys()]) if (!knownNames.has(id)) writers.delete(id);
      let unlistedCount = 0;
      for (const writer of foundWriters)
        if (isOurs(writer) && !(await work(writer, log, isLast))) unlistedCount += 1;
      const { count, since } = pendingIn(writers.values());
      return { count: count + unlistedCount, since, isContended: unlistedCount > 0 };
    },
    marks: () => new Map([...writers].map(([id, waiting]) => [id, markOf(waiting)])),
    isKnown: (writer) => knownNames.has(writer),
  };
}

function keepRest({ groups }: Waiting, account_id: string, group: WaitingGroup): void {
  if (group.headers.length === 0) groups.delete(account_id);
  else groups.set(account_id, group);
}

interface Owner {
  readonly account_id: string;
  readonly writer: string;
  /** The number of the last flush of this writer that the rollups count. */
  readonly merged: number;
  readonly on: LogOn;
}

function createCompletion(context: Pick<Context, 'store' | 'random' | 'log'>, append: Append) {
  const { store, log } = context;
  const readBlock = createBlockReader(log);
  const nextSlice = createTimeSlices();

  async function appendAll({ account_id, on }: Owner, leaves: readonly Leaf[]): Promise<Appended> {
    if (leaves.length === 0) return 'nothing';
    for (let stale = 0; stale < MAX_TRIES; ) {
      const result = await append(account_id, on, (head) => leaves.filter((leaf) => isAfter(leaf, head, on)));
      if (result === 'stale') stale += 1;
      else if (result !== 'appended') return result;
    }
    return 'stale';
  }

  function reportMissed(account_id: string, header: BlockHeader | undefined): void {
    const message = 'A block of the journal was removed before it had a leaf in the log of its account.';
    log({ level: 'error', event: 'log_missed', message, account_id, records: header?.records ?? 0 });
  }

  /** Returns the leaves of a block, or `undefined` if another node works on the block. */
  async function newLeaves(block: Block, seq: number): Promise<readonly Leaf[] | undefined> {
    // A block that has its leaf stays as it is.
    const whole = block.seq > seq ? await withSubjects(context, block) : block;
    return whole && leavesOf(whole, { readBlock, nextSlice });
  }

  /** Appends the leaves of blocks. The blocks up to `seq` have their own leaves already. */
  async function appendBlocks(owner: Owner, headers: readonly BlockHeader[], seq: number): Promise<Appended> {
    const leaves: Leaf[] = [];
    for (const [index, block] of (await store.journal.load(headers)).entries()) {
      await nextSlice();
      if (block === undefined) {
        reportMissed(owner.account_id, headers[index]);
        continue;
      }
      const foundLeaves = await newLeaves(block, seq);
      if (foundLeaves === undefined) return 'stale';
      leaves.push(...foundLeaves);
      if (leaves.length < MAX_LEAVES) continue;
      // A block may have thousands of permits: no more than one such block is held.
      const early = await appendAll(owner, leaves.splice(0));
      if (early !== 'nothing') return early;
    }
    return appendAll(owner, leaves);
  }

  return async (owner: Owner, headers: readonly BlockHeader[]): Promise<Appended> => {
    const { account_id, writer, merged, on } = owner;
    const [seq] = positionIn(await store.get('log_heads', account_id), on, writer);
    const fresh = headers.filter((header) => header.seq > seq);
    // The last block may have permits without their leaves.
    const last = headers.filter((header) => header.seq === seq);
    const final = await makeFinal(context, fresh, merged);
    if (final === undefined) return 'stale';
    const allHeaders = [...last, ...final];
    for (let start = 0; start < allHeaders.length; start += MAX_LOADED_BLOCKS) {
      const result = await appendBlocks(owner, allHeaders.slice(start, start + MAX_LOADED_BLOCKS), seq);
      if (result !== 'nothing') return result;
    }
    return 'nothing';
  };
}

function isAfter({ position }: Leaf, head: LogHeadRecord | undefined, log: LogOn): boolean {
  if (position === undefined) return false;
  const [writer, [seq, permits]] = position;
  const [lastSeq, lastPermits] = positionIn(head, log, writer);
  return seq > lastSeq || (seq === lastSeq && permits > lastPermits);
}

// Lists the blocks that are not yet in the evidence log, for each writer and account.

interface WaitingGroup {
  readonly headers: BlockHeader[];
  /** The instant at which the first of these blocks was found, in milliseconds. */
  readonly since: number;
}

interface Waiting {
  /** The number of the last listed flush. */
  readonly listed: number;
  readonly merged: number;
  readonly groups: Map<string, WaitingGroup>;
}

const MAX_WAITING = 50_000;
/** The milliseconds for which small blocks wait for others, to be joined. */
const WAIT_MS = 60_000;
/** The number of blocks of an account at which these blocks no longer wait. */
const MANY = 64;

async function listWaiting(
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
function readyIn({ headers }: Pick<WaitingGroup, 'headers'>, mergedCount: number): readonly BlockHeader[] {
  return headers.slice(
    0,
    headers.findLastIndex((header) => header.seq <= mergedCount || isAlone(header)) + 1,
  );
}

function isWaitOver(headers: readonly BlockHeader[], sinceMs: number, now: number): boolean {
  return headers.length >= MANY || headers.some(isAlone) || now - sinceMs >= WAIT_MS;
}

function numberIn({ groups }: Waiting): number {
  return [...groups.values()].reduce((sum, { headers }) => sum + headers.length, 0);
}

function markOf({ listed, groups }: Waiting): number {
  const first = [...groups.values()].flatMap(({ headers }) => headers.slice(0, 1));
  return Math.min(listed, ...first.map(({ seq }) => seq - 1));
}

function pendingIn(writers: Iterable<Waiting>): Omit<Pending, 'isContended'> {
  const groups = [...writers].flatMap(({ groups: ownGroups, merged }) =>
    [...ownGroups.values()].flatMap(({ headers, since }) => {
      const ready = readyIn({ headers }, merged).length;
      return ready === 0 ? [] : [{ ready, since }];
    }),
  );
  const count = groups.reduce((sum, { ready }) => sum + ready, 0);
  return { count, since: groups.length === 0 ? undefined : Math.min(...groups.map(({ since }) => since)) };
}

function newWaiting(log: LogOn, writer: string): Waiting {
  return { listed: log.from[writer] ?? 0, merged: 0, groups: new Map() };
}
