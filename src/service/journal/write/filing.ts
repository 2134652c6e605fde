/** Brings sealed blocks into the storage, one flush after the other. */
import { turn } from '../../../base/async/turns.ts';
import { IdentityError } from '../../../errors.ts';
import type { Block } from '../../../ports/journal.ts';
import type { Context } from '../../shared/context.ts';
import { createFlusher } from './flusher.ts';
import type { Lanes, WaitingBlock } from './lanes.ts';
import type { JournalReports } from './reports.ts';

/** Files what the lanes have sealed. */
export interface Filing {
  /** Whether a block is there to be filed. */
  readonly hasBlocks: boolean;
  /** How many records were taken out of the lanes, and are not stored yet. */
  readonly records: number;
  /** Whether a flush is on its way. */
  readonly isUnderWay: boolean;
  /** Whether a block was ever refused for good. */
  readonly hasRefused: boolean;
  /** Files one flush, or waits for the one under way; whether the storage took it, or refused it alone. */
  fileOnce(): Promise<boolean>;
  /** Whether a block of the account up to this number waits. */
  isWaiting(account_id: string, number: number): boolean;
  /** Takes all blocks that wait, to be given up for good. */
  takeAll(): readonly WaitingBlock[];
}

/** What is filed, and where the outcome is reported. */
export interface FilingParts {
  readonly lanes: Lanes;
  readonly reports: JournalReports;
  readonly isStrict: boolean;
  /** Called with the blocks that are stored. */
  readonly onStored: (blocks: readonly Block[]) => void;
}

/** The filing of one journal. */
export function createFiling(context: Context, { lanes, reports, isStrict, onStored }: FilingParts): Filing {
  const flusher = createFlusher(context);
  /** Blocks of a flush that was refused: each goes alone, as only one of them may be the reason. */
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
    reports.refuse(block.records, error);
  }

  /** With `strict` no caller waits for a storage that fails: all get the error, and ask again. */
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
      return [...flusher.pending, ...alone].reduce((sum, block) => sum + block.records, 0);
    },
    get isUnderWay() {
      return underWay !== undefined;
    },
    get hasRefused() {
      return hasRefused;
    },
    fileOnce() {
      underWay ??= fileNext().finally(async () => {
        // A storage in this process may never wait for anything, nor may callers of a strict journal who ask again at once.
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

/** A mistake, in a block or in the adapter: the same flush would fail again. */
function isRefusal(error: unknown): boolean {
  return error instanceof IdentityError && error.code === 'internal';
}
