import type { Instant, JournalWriter } from '../../../../src/ports/index.ts';
import type { GuardedStore } from '../guarded-store.ts';
import { sortable } from '../keys.ts';
import { defineGuarded } from '../script.ts';

/** Registers a writer; `false` if it is registered already. */
export async function openWriter({ run }: GuardedStore, writer: string, at: Instant): Promise<boolean> {
  return (await run((evaluate) => evaluate(open, [writer, `0 0 ${sortable(at)}`]))) === 1;
}

/** Returns all writers. */
export async function readWriters({ run }: GuardedStore): Promise<readonly JournalWriter[]> {
  const found = (await run((evaluate) => evaluate(read, []))) as readonly (readonly [string, string])[];
  return found.map(([id, state]) => {
    const [flushed = 0, merged = 0, seen = 0] = state.split(' ').map(Number);
    return { id, flushed, merged, seen_at: new Date(seen).toISOString() };
  });
}

const open = defineGuarded(`
  local is_new = redis.call('HSETNX', prefix .. 'journal:writers', ARGV[2], ARGV[3])
  if is_new == 1 then advance() end
  return is_new`);

const read = defineGuarded(`
  local found, writers = redis.call('HGETALL', prefix .. 'journal:writers'), {}
  for i = 1, #found, 2 do writers[#writers + 1] = { found[i], found[i + 1] } end
  return writers`);
