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
  const watched = new Set<() => ServiceFigures>();
  let ended: ServiceFigures | undefined;
  return {
    watch(figures) {
      watched.add(figures);
      return () => {
        if (!watched.delete(figures)) return;
        const last = figures();
        // Records that waited are stored or lost by now, and the storage of an ended service does not count any more.
        ended = plus(ended ?? NO_FIGURES, {
          ...last,
          journal: { ...last.journal, queue: 0 },
          ...(last.log !== undefined && { log: { count: 0, oldestSeconds: 0 } }),
          storageUp: true,
        });
      };
    },
    read() {
      if (watched.size === 0) return ended;
      return [...watched].reduce((sum, figures) => plus(sum, figures()), ended ?? NO_FIGURES);
    },
  };
}

function plus(one: ServiceFigures, other: ServiceFigures): ServiceFigures {
  const cache = (kind: (typeof CACHE_KINDS)[number]): CacheFigures => ({
    hits: one.caches[kind].hits + other.caches[kind].hits,
    misses: one.caches[kind].misses + other.caches[kind].misses,
  });
  return {
    journal: {
      queue: one.journal.queue + other.journal.queue,
      dropped: one.journal.dropped + other.journal.dropped,
    },
    caches: {
      passports: cache('passports'),
      keys: cache('keys'),
      accounts: cache('accounts'),
      domains: cache('domains'),
    },
    ...logOf(one.log, other.log),
    storageUp: one.storageUp && other.storageUp,
  };
}

function logOf(one: LogPending | undefined, other: LogPending | undefined): Pick<ServiceFigures, 'log'> {
  if (one === undefined || other === undefined) {
    const known = one ?? other;
    return known === undefined ? {} : { log: known };
  }
  const oldestSeconds = Math.max(one.oldestSeconds, other.oldestSeconds);
  return { log: { count: one.count + other.count, oldestSeconds } };
}
