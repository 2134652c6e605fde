import { setTimeout as wait } from 'node:timers/promises';
import { IdentityError, type IdentityErrorCode } from '../../../src/index.ts';
import type { ExportPiece, ExportRecord } from './run-export.ts';
import type { ExportFilter, ReadExport } from './source.ts';

export const FOLLOW_PAUSE_MS = 1_000;
/**
 * The milliseconds by which each poll reads back from the latest known record. Nodes store their records some
 * hundred milliseconds late, and the clocks of two nodes differ by at most 5 s.
 */
export const FOLLOW_BACK_MS = 15_000;

const PASSING: readonly IdentityErrorCode[] = [
  'storage_unavailable',
  'service_unreachable',
  'overloaded',
  'rate_limited',
];

export interface FollowOptions {
  readonly pauseMs: number;
  readonly signal: AbortSignal;
  /**
   * Called with the error of a failed read that will be repeated. Called with `undefined` after the first successful
   * read.
   */
  readonly onTrouble: (error: IdentityError | undefined) => void;
}

/**
 * Yields all matching records, newest first. Then waits for new records and yields them, oldest first, until
 * `signal` aborts. Each record appears once.
 */
export async function* followRecords(
  read: ReadExport,
  filter: ExportFilter,
  { pauseMs, signal, onTrouble }: FollowOptions,
): AsyncIterable<ExportPiece> {
  const entry = createKnown();
  for await (const piece of read(filter)) {
    piece.records.forEach(entry.add);
    yield piece;
  }
  let isTroubled = false;
  const tell = (error: IdentityError | undefined): void => {
    const wasTroubled = isTroubled;
    isTroubled = error !== undefined;
    if (isTroubled !== wasTroubled) onTrouble(error);
  };
  while (!signal.aborted) {
    await wait(pauseMs, undefined, { signal }).catch(() => undefined);
    if (signal.aborted) return;
    try {
      const records = await readNew(read, fromThen(filter, entry.from()), entry.has);
      tell(undefined);
      records.forEach(entry.add);
      if (records.length > 0) yield { records };
    } catch (error) {
      // The stop closes the storage during a poll.
      if (signal.aborted) return;
      if (!(error instanceof IdentityError && PASSING.includes(error.code))) throw error;
      tell(error);
    }
    entry.forget();
  }
}

async function readNew(
  read: ReadExport,
  filter: ExportFilter,
  isKnown: (record: ExportRecord) => boolean,
): Promise<readonly ExportRecord[]> {
  const foundRecords: ExportRecord[] = [];
  for await (const { records } of read(filter)) {
    for (const record of records) if (!isKnown(record)) foundRecords.push(record);
  }
  return foundRecords.reverse();
}

function fromThen(filter: ExportFilter, start: string | undefined): ExportFilter {
  if (start === undefined || Date.parse(filter.from ?? '') > Date.parse(start)) return filter;
  return { ...filter, from: start };
}

/** The records that the next poll may find again. */
interface Known {
  readonly add: (record: ExportRecord) => void;
  readonly has: (record: ExportRecord) => boolean;
  /** Returns the earliest time that the next poll reads; `undefined` before the first record. */
  from(): string | undefined;
  forget(): void;
}

function createKnown(): Known {
  const times = new Map<string, number>();
  let latest = Number.NEGATIVE_INFINITY;
  // One record of a clock that is far ahead does not hide all that follow.
  const start = (): number => Math.min(latest, Date.now()) - FOLLOW_BACK_MS;
  return {
    add({ id, at }) {
      const time = Date.parse(at);
      latest = Math.max(latest, time);
      if (time >= start()) times.set(id, time);
    },
    has: ({ id }) => times.has(id),
    from: () => (latest === Number.NEGATIVE_INFINITY ? undefined : new Date(start()).toISOString()),
    forget() {
      for (const [id, time] of times) if (time < start()) times.delete(id);
    },
  };
}
