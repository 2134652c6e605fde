/** A batch on its way into the storage, whole or, where it was refused, in parts. */
import type { JournalBatch } from '../../ports/storage.ts';

/** What is to be stored next, the first of it first. */
export interface JournalParts {
  /** How many verdicts there are in all of them. */
  readonly length: number;
  readonly first: JournalBatch | undefined;
  /** Whether the first is a part of a batch that was refused. */
  readonly isSplit: boolean;
  put(batch: JournalBatch): void;
  /** The first is stored, or given up. */
  takeFirst(): JournalBatch | undefined;
  /** Puts smaller parts in the place of the first; `false` where there is nothing smaller. */
  splitFirst(): boolean;
  takeAll(): readonly JournalBatch[];
}

/** Nothing. */
export function createJournalParts(): JournalParts {
  let parts: readonly JournalBatch[] = [];
  let isSplit = false;
  return {
    get length() {
      return parts.reduce((sum, { entries }) => sum + entries.length, 0);
    },
    get first() {
      return parts[0];
    },
    get isSplit() {
      return isSplit && parts.length > 0;
    },
    put(batch) {
      parts = [...parts, batch];
      isSplit = false;
    },
    takeFirst() {
      const [first, ...others] = parts;
      parts = others;
      return first;
    },
    splitFirst() {
      const [first, ...others] = parts;
      const smaller = first === undefined ? [] : smallerParts(first);
      if (smaller.length < 2) return false;
      parts = [...smaller, ...others];
      isSplit = true;
      return true;
    },
    takeAll() {
      const all = parts;
      parts = [];
      return all;
    },
  };
}

/**
 * The counts by themselves and the verdicts in halves. Each has an id of its own that is the same with each try, so
 * that all of them are stored once.
 */
function smallerParts({ id, at, entries, rollups }: JournalBatch): readonly JournalBatch[] {
  const middle = Math.ceil(entries.length / 2);
  const parts = [
    { id: `${id}.0`, at, entries: [], rollups },
    { id: `${id}.1`, at, entries: entries.slice(0, middle), rollups: [] },
    { id: `${id}.2`, at, entries: entries.slice(middle), rollups: [] },
  ];
  return parts.filter((part) => part.entries.length + part.rollups.length > 0);
}
