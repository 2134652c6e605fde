/** What a service reports to the metrics of its host. */
import type { VerdictRecord } from '../records.ts';

/** How often a look-up was answered from memory, and how often not. */
export interface CacheFigures {
  readonly hits: number;
  readonly misses: number;
}

/** The state of a service, and its sums since it was made. */
export interface ServiceFigures {
  /** Verdict records that wait for the storage, and those that were dropped. */
  readonly journal: { readonly queue: number; readonly dropped: number };
  /** By the kind of record. */
  readonly caches: Readonly<Record<'passports' | 'keys' | 'accounts' | 'domains', CacheFigures>>;
  /** Whether the last call of the storage was answered. */
  readonly storageUp: boolean;
}

/** Counts what a service does, as `createMetrics()` does. No method may throw or take long. */
export interface ServiceMetrics {
  /** With every verdict that is answered. The record is not a copy: it must not be changed. */
  readonly onVerdict: (record: VerdictRecord, measured: { readonly latencyUs: number }) => void;
  /** With every error that kept a verdict from being answered. */
  readonly onError: (error: unknown) => void;
  /** With every answer of the API: the template of its path, and its status. */
  readonly onRequest: (route: string, status: number) => void;
  /** With every call of the storage that ended. */
  readonly onStorage: (kind: string, seconds: number) => void;
  /** Reads the figures of a service until the function that it gives back is called. */
  readonly watch: (figures: () => ServiceFigures) => () => void;
}
