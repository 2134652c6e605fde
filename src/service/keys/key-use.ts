/** Records the last use of keys: noted in memory, written in batches, and never waited for. */
import { formatInstant } from '../../base/values/instant.ts';
import { rollupStarts } from '../../base/values/time-buckets.ts';
import type { Instant } from '../../records.ts';
import type { Context } from '../shared/context.ts';
import { createChore } from '../shared/timers.ts';
import { replace } from '../storage/store.ts';
import type { KeyRecord } from './collections.ts';

/** Remembers the uses of keys, to the minute. */
export interface KeyUse {
  /** Notes a use; returns the milliseconds until the next one is worth noting. */
  note(record: KeyRecord): number;
  /** Writes the noted uses, as far as the storage takes them. */
  close(): Promise<void>;
}

const MINUTE_MS = 60_000;
const EVERY_MS = 10_000;
/** The most keys that wait to be written; uses of further ones are noted in the next batch. */
const MOST = 10_000;

/** Makes the memory of when the keys of one service were used. */
export function createKeyUse({ store, clock, after }: Context): KeyUse {
  const noted = new Map<string, Instant>();
  const chore = createChore(after, EVERY_MS, flush);

  /** Writes a use, guarded by the version: a change of the key in the meantime wins, and the next use is noted again. */
  async function write(id: string, at: Instant): Promise<void> {
    const record = await store.get('keys', id);
    if (record === undefined || (record.last_used_at ?? '') >= at) return;
    const next = { ...record, last_used_at: at, version: record.version + 1 };
    await store.write(replace('keys', next, record.version));
  }

  async function flush(): Promise<boolean> {
    for (const [id, at] of [...noted]) {
      try {
        await write(id, at);
      } catch {
        // The storage is down: what is noted waits in memory.
        return true;
      }
      if (noted.get(id) === at) noted.delete(id);
    }
    return noted.size > 0;
  }

  return {
    note({ id, created_at, last_used_at }) {
      const present = clock.now();
      const at = laterOf(formatInstant(present - (present % MINUTE_MS)), rollupStarts(created_at).minute);
      const isNew = (last_used_at ?? '') < at && noted.get(id) !== at;
      if (isNew && (noted.size < MOST || noted.has(id))) {
        noted.set(id, at);
        chore.ask();
      }
      return MINUTE_MS - (present % MINUTE_MS);
    },
    async close() {
      await chore.stop();
      await flush();
    },
  };
}

/** Returns the later instant: no use is before the minute of the key's creation, even if the clock of this node is behind. */
function laterOf(one: Instant, other: Instant): Instant {
  return one < other ? other : one;
}
