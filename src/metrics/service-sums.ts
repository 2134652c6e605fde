/** Adds up the metrics of all watched services. A counter never falls if a service ends. */
import type { CacheFigures, LogPending, ServiceFigures } from '../ports/metrics.ts';

export const CACHE_KINDS = ['passports', 'keys', 'accounts', 'domains'] as const;

export interface ServiceSums {
  watch(figures: () => ServiceFigures): () => void;
  /** Returns the sums. Returns `undefined` if no service was ever watched. */
  read(): ServiceFigures | undefined;
}

const NO_FIGURES: ServiceFigures = {
  journal: { queue: 0, dropped: 0 },
  caches: {
    passports: { hits: 0, misses: 0 },
    keys: { hits: 0, misses: 0 },
    accounts: { hits: 0, misses: 0 },
    domains: { hits: 0, misses: 0 },
  },
  storageUp: true,
};

export function createServiceSums(): ServiceSums {
  const sources = new Set<() => ServiceFigures>();
  let endedFigures: ServiceFigures | undefined;
  return {
    watch(figures) {
      sources.add(figures);
      return () => {
        if (!sources.delete(figures)) return;
        const last = figures();
        // Records that waited are stored or lost by now, and the storage of an ended service does not count any more.
        endedFigures = plus(endedFigures ?? NO_FIGURES, {
          ...last,
          journal: { ...last.journal, queue: 0 },
          ...(last.log !== undefined && { log: { count: 0, oldestSeconds: 0 } }),
          storageUp: true,
        });
      };
    },
    read() {
      if (sources.size === 0) return endedFigures;
      return [...sources].reduce((sum, figures) => plus(sum, figures()), endedFigures ?? NO_FIGURES);
    },
  };
}

function plus(figures: ServiceFigures, otherFigures: ServiceFigures): ServiceFigures {
  const cache = (kind: (typeof CACHE_KINDS)[number]): CacheFigures => ({
    hits: figures.caches[kind].hits + otherFigures.caches[kind].hits,
    misses: figures.caches[kind].misses + otherFigures.caches[kind].misses,
  });
  return {
    journal: {
      queue: figures.journal.queue + otherFigures.journal.queue,
      dropped: figures.journal.dropped + otherFigures.journal.dropped,
    },
    caches: {
      passports: cache('passports'),
      keys: cache('keys'),
      accounts: cache('accounts'),
      domains: cache('domains'),
    },
    ...logOf(figures.log, otherFigures.log),
    storageUp: figures.storageUp && otherFigures.storageUp,
  };
}

function logOf(
  pending: LogPending | undefined,
  otherPending: LogPending | undefined,
): Pick<ServiceFigures, 'log'> {
  if (pending === undefined || otherPending === undefined) {
    const knownPending = pending ?? otherPending;
    return knownPending === undefined ? {} : { log: knownPending };
  }
  const oldestSeconds = Math.max(pending.oldestSeconds, otherPending.oldestSeconds);
  return { log: { count: pending.count + otherPending.count, oldestSeconds } };
}
