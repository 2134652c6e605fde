/** Lets a request wait for changes of cached records if nothing is new. */
import { createBoundedMap } from '../base/bounded-map.ts';
import type { Context } from '../core/shared/context.ts';
import type { CollectionName } from '../ports/stored-records.ts';

export interface Watched {
  readonly collection: CollectionName;
  readonly id: string;
}

export interface ChangeWait {
  /** The records for which every notice ends the wait. */
  readonly records: readonly Watched[];
  /** The agents for which a notice ends the wait only if `isSeen` resolves to `true`. */
  readonly hidden: readonly string[];
  readonly isSeen: (agentId: string) => Promise<boolean>;
  readonly ms: number;
  readonly signal?: AbortSignal | undefined;
}

export interface ChangeWaits {
  hasNewer(agentId: string, version: number): boolean;
  /**
   * Resolves at the first notice that ends the wait, if the signal is aborted, after `end`, or after `ms` milliseconds.
   */
  change(wait: ChangeWait): Promise<void>;
  wake(record: Watched): void;
  end(): void;
}

/**
 * The milliseconds for which a notice is remembered. Otherwise a change between two requests would be missed until the
 * next notice.
 */
const REMEMBERED_MS = 2_000;
const LEAST_REMEMBERED = 10_000;

interface LastNotice {
  readonly version: number;
  readonly at: number;
}

export function createChangeWaits({
  caches,
  awaitedAfter,
}: Pick<Context, 'caches' | 'awaitedAfter'>): ChangeWaits {
  const latest = createBoundedMap<string, LastNotice>(LEAST_REMEMBERED);
  const waiting = new Map<string, Set<() => void>>();
  const callbacks = new Set<() => void>();
  let unwatch: (() => void) | undefined;
  let isEnded = false;

  function listen(): void {
    unwatch ??= caches.watch((notice) => {
      if (notice === undefined) {
        wake(callbacks);
        return;
      }
      const { collection, id, version } = notice;
      // A version that is not known may be any.
      const newest = version === 0 ? Number.POSITIVE_INFINITY : version;
      if (collection === 'passports') latest.set(id, { version: newest, at: caches.monotonic() });
      const woken = waiting.get(nameOf(notice));
      if (woken !== undefined) wake(woken);
    });
  }

  return {
    hasNewer(agentId, version) {
      listen();
      const notice = latest.get(agentId);
      return (
        notice !== undefined && notice.version > version && caches.monotonic() - notice.at < REMEMBERED_MS
      );
    },

    change({ records, hidden, isSeen, ms, signal }) {
      listen();
      if (isEnded || signal?.aborted) return Promise.resolve();
      return new Promise((resolve) => {
        const callbacksByName = new Map<string, () => void>(records.map((record) => [nameOf(record), done]));
        for (const id of hidden) callbacksByName.set(nameOf({ collection: 'passports', id }), () => look(id));
        const cancel = awaitedAfter(ms, done);
        function done(): void {
          cancel();
          callbacks.delete(done);
          signal?.removeEventListener('abort', done);
          for (const [name, wakeUp] of callbacksByName) {
            const waiters = waiting.get(name);
            waiters?.delete(wakeUp);
            if (waiters?.size === 0) waiting.delete(name);
          }
          resolve();
        }
        // INVARIANT: a change of an agent that the key does not see ends no wait: its time would show the agent.
        function look(id: string): void {
          isSeen(id).then(
            (isNow) => isNow && done(),
            () => undefined,
          );
        }
        callbacks.add(done);
        signal?.addEventListener('abort', done);
        for (const [name, wakeUp] of callbacksByName) {
          const waiters = waiting.get(name) ?? new Set();
          waiting.set(name, waiters.add(wakeUp));
        }
      });
    },

    wake(record) {
      wake(waiting.get(nameOf(record)) ?? []);
    },

    end() {
      isEnded = true;
      unwatch?.();
      wake(callbacks);
    },
  };
}

function wake(woken: Iterable<() => void>): void {
  for (const callback of [...woken]) callback();
}

function nameOf({ collection, id }: Watched): string {
  return `${collection} ${id}`;
}
