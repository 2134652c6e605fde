/** The metrics that a service reports to its application. */
import type { VerdictRecord } from '../records.ts';
import type { StorageEvent } from './storage-events.ts';

/** The number of lookups that a cache answered (`hits`) or could not answer (`misses`). */
export interface CacheFigures {
  readonly hits: number;
  readonly misses: number;
}

/** The blocks and changes that are not yet in an evidence log, as far as a service knows. */
export interface LogPending {
  /** The number of these blocks and changes. */
  readonly count: number;
  /** The seconds that the oldest of these blocks and changes has waited. */
  readonly oldestSeconds: number;
}

/** The state of a service, and its totals since it was created. */
export interface ServiceFigures {
  /** The verdict records that wait for the storage, and the number of dropped records. */
  readonly journal: { readonly queue: number; readonly dropped: number };
  /** The caches, by the kind of record. */
  readonly caches: Readonly<Record<'passports' | 'keys' | 'accounts' | 'domains', CacheFigures>>;
  /** The entries that wait for the evidence log. Absent without the evidence log. */
  readonly log?: LogPending;
  /** `true` if the last call of the storage succeeded. */
  readonly storageUp: boolean;
}

/** Counts the events of a service, as `createMetrics()` does. The methods must not throw or take long. */
export interface ServiceMetrics {
  /** Called with every verdict that is answered. The record is not a copy and must not be changed. */
  readonly onVerdict: (record: VerdictRecord, measurement: { readonly latencyUs: number }) => void;
  /** Called with every error that prevented a verdict. */
  readonly onError: (error: unknown) => void;
  /** Called with every answer of the API. `route` is the template of its path. */
  readonly onRequest: (route: string, status: number) => void;
  /** Called at the end of every call of the storage. */
  readonly onStorage: (kind: string, seconds: number) => void;
  /**
   * Called with the result of every request for an access token: `issued`, or the OAuth error. Absent: these results
   * are not counted.
   */
  readonly onToken?: (result: string) => void;
  /** Called with every event of the storage. Absent: these events are not counted. */
  readonly onStorageEvent?: (event: StorageEvent) => void;
  /** Registers a function that returns the metrics of a service. Returns a function that removes the registration. */
  readonly watch: (figures: () => ServiceFigures) => () => void;
}
