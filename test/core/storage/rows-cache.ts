import { type ConfirmedCache, createRecordCache } from '../../../src/core/storage/record-cache.ts';

/** A record of the smallest kind. */
export interface Row {
  readonly id: string;
  readonly version: number;
}

/** How a cache is opened; with `held` each read waits until it is let go. */
export interface RowsCacheOptions {
  readonly isStrict?: boolean;
  readonly maxEntries?: number;
  readonly mayGo?: boolean;
  readonly held?: boolean;
}

/** A cache, and the rows that it reads. */
export interface RowsCache {
  readonly cache: ConfirmedCache<Row, Row>;
  readonly rows: Map<string, Row>;
  /** The ids that were read, in their order. */
  readonly reads: string[];
  put(id: string, version: number): void;
  /** Lets time pass. */
  pass(ms: number): void;
  /** The version that is answered. */
  ask(id?: string): Promise<number | undefined>;
  letGo(): void;
}

/** A cache over rows that a test changes. */
export function openCache(options: RowsCacheOptions = {}): RowsCache {
  const { isStrict = false, maxEntries = 100, mayGo, held = false } = options;
  const rows = new Map<string, Row>();
  const waiting: (() => void)[] = [];
  const reads: string[] = [];
  let at = 0;
  const cache = createRecordCache<Row, Row>({
    async read(id) {
      reads.push(id);
      // What the storage answers is settled when it is asked, and may arrive much later.
      const row = rows.get(id);
      if (held) await new Promise<void>((resolve) => waiting.push(resolve));
      return row;
    },
    keep: (row, before) => (before?.version === row.version ? before : row),
    bytesOf: () => 100,
    maxEntries,
    maxBytes: 1_000_000,
    monotonic: () => at,
    isStrict,
    ...(mayGo !== undefined && { mayGo }),
    deadlineMs: 1_000,
  });
  return {
    cache,
    rows,
    reads,
    put(id, version) {
      rows.set(id, { id, version });
    },
    pass(ms) {
      at += ms;
    },
    ask: async (id = 'a') => (cache.peek(id, at) ?? (await cache.load(id, at))).value?.version,
    letGo() {
      for (const resume of waiting.splice(0)) resume();
    },
  };
}

/** Everything that waits for nothing more has happened. */
export const settled = (): Promise<void> => new Promise<void>((resolve) => setImmediate(resolve));
