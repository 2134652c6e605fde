/** Writes sealed blocks to the storage, one flush at a time. */
import { turn } from '../../../base/async/turns.ts';
import { IdentityError } from '../../../errors.ts';
import type { Block } from '../../../ports/journal.ts';
import type { Context } from '../../shared/context.ts';
import { createFlusher } from './flusher.ts';
import type { Lanes, WaitingBlock } from './lanes.ts';
import type { JournalReports } from './reports.ts';
import { sizeOf } from './sealed-queue.ts';

/** Files the sealed blocks of the lanes. */
export interface Filing {
  /** True if a block waits to be filed. */
  readonly hasBlocks: boolean;
  /** The number of records that were taken out of the lanes and are not stored yet. */
  readonly records: number;
  /** True while a flush is under way. */
  readonly isUnderWay: boolean;
  /** True after the storage has refused a block. */
  readonly hasRefused: boolean;
  /** Files one flush, or waits for the one under way; resolves to `false` if the storage fails. */
  fileOnce(): Promise<boolean>;
  /** Returns `true` if a block of the account with this number or a lower one waits. */
  isWaiting(account_id: string, number: number): boolean;
  /** Removes and returns all waiting blocks. */
  takeAll(): readonly WaitingBlock[];
}

/** The source of the blocks, and the receivers of the outcome. */
export interface FilingParts {
  readonly lanes: Lanes;
  readonly reports: JournalReports;
  readonly isStrict: boolean;
  /** Receives the stored blocks. */
  readonly onStored: (blocks: readonly Block[]) => void;
}

/** Creates the filing of one journal. */
export function createFiling(context: Context, { lanes, reports, isStrict, onStored }: FilingParts): Filing {
  const flusher = createFlusher(context);
  /** The blocks of a refused flush. Each is sent alone, because one of them may be the only cause. */
  const alone: WaitingBlock[] = [];
  let underWay: Promise<void> | undefined;
  let hasRefused = false;

  const hasBlocks = (): boolean => flusher.pending.length > 0 || alone.length > 0 || lanes.hasSealed;

  async function fileNext(): Promise<void> {
    if (flusher.pending.length === 0) flusher.begin(alone.length > 0 ? alone.splice(0, 1) : lanes.take());
    const { pending } = flusher;
    try {
      const stored = await flusher.send();
      for (const { waiters } of pending) for (const waiter of waiters) waiter.resolve();
      onStored(stored);
      reports.succeed(lanes.hasRoom);
    } catch (error) {
      if (!isRefusal(error)) throw fail(error);
      flusher.giveUp();
      if (pending.length > 1) alone.push(...pending);
      else for (const block of pending) refuse(block, error);
    }
    if (alone.length === 0) reports.endRefusal();
  }

  function refuse(block: WaitingBlock, error: unknown): void {
    hasRefused = true;
    lanes.drop(block, error);
    reports.refuse(sizeOf(block), error);
  }

  /** Reports a failure. With `strict`, all waiting callers get the error instead of a retry. */
  function fail(error: unknown): unknown {
    reports.fail(error);
    if (isStrict) for (const { waiters } of takeAll()) for (const waiter of waiters) waiter.reject(error);
    return error;
  }

  function takeAll(): readonly WaitingBlock[] {
    return [...flusher.giveUp(), ...alone.splice(0), ...lanes.clear()];
  }

  return {
    get hasBlocks() {
      return hasBlocks();
    },
    get records() {
      return [...flusher.pending, ...alone].reduce((sum, block) => sum + sizeOf(block), 0);
    },
    get isUnderWay() {
      return underWay !== undefined;
    },
    get hasRefused() {
      return hasRefused;
    },
    fileOnce() {
      underWay ??= fileNext().finally(async () => {
        // Other work gets a turn: a storage in this process may answer without any I/O.
        if (isStrict || hasBlocks()) await turn();
        underWay = undefined;
      });
      return underWay.then(
        () => true,
        () => false,
      );
    },
    isWaiting(account_id, number) {
      const first = lanes.firstOf(account_id) ?? Number.POSITIVE_INFINITY;
      const others = [...flusher.pending, ...alone];
      return (
        first <= number || others.some((block) => block.account_id === account_id && block.number <= number)
      );
    },
    takeAll,
  };
}

/** Recognizes an error of the block or the adapter, which a retry of the same flush would repeat. */
function isRefusal(error: unknown): boolean {
  return error instanceof IdentityError && error.code === 'internal';
}
