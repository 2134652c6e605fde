/** The figures that a service reports to the metrics of its application. */
import type { VerdictRecord } from '../records.ts';
import type { StorageEvent } from './storage-events.ts';

/** The number of look-ups that a cache answered, and the number that it did not. */
export interface CacheFigures {
  readonly hits: number;
  readonly misses: number;
}

/** The blocks and changes that wait for their leaf in a log, as far as a service knows. */
export interface LogPending {
  /** The number of blocks and changes. */
  readonly count: number;
  /** The time for which the oldest of them waits. */
  readonly oldestSeconds: number;
}

/** The state of a service, and its totals since it was created. */
export interface ServiceFigures {
  /** The verdict records that wait for the storage, and the number of dropped records. */
  readonly journal: { readonly queue: number; readonly dropped: number };
  /** The caches, by the kind of record. */
  readonly caches: Readonly<Record<'passports' | 'keys' | 'accounts' | 'domains', CacheFigures>>;
  /** The waiting leaves of logs; absent without the evidence log. */
  readonly log?: LogPending;
  /** True when the storage answered its last call. */
  readonly storageUp: boolean;
}

/** Counts the events of a service, as `createMetrics()` does. No method may throw or take long. */
export interface ServiceMetrics {
  /** Called with every verdict that is answered. The record is not a copy and must not be changed. */
  readonly onVerdict: (record: VerdictRecord, measured: { readonly latencyUs: number }) => void;
  /** Called with every error that prevented a verdict. */
  readonly onError: (error: unknown) => void;
  /** Called with every answer of the API: the template of its path, and its status. */
  readonly onRequest: (route: string, status: number) => void;
  /** Called with every call of the storage that ended. */
  readonly onStorage: (kind: string, seconds: number) => void;
  /** Called with the result of every request for an access token: `issued`, or the OAuth error. Absent: they are not counted. */
  readonly onToken?: (result: string) => void;
  /** Called with every event of the storage. Absent: they are not counted. */
  readonly onStorageEvent?: (event: StorageEvent) => void;
  /** Registers a function that returns the figures of a service; the returned function removes it. */
  readonly watch: (figures: () => ServiceFigures) => () => void;
}
