import type { Instant, JournalWriter, UnmergedQuery } from '../../../../src/ports/index.ts';
import type { GuardedStore } from '../guarded-store.ts';
import { sortable } from '../keys.ts';
import { defineGuarded } from '../script.ts';

export async function openWriter({ run }: GuardedStore, writer: string, instant: Instant): Promise<boolean> {
  return (await run((evaluate) => evaluate(open, [writer, `0 0 ${sortable(instant)}`]))) === 1;
}

export async function readWriters({ run }: GuardedStore): Promise<readonly JournalWriter[]> {
  return toWriters(await run((evaluate) => evaluate(read, [])));
}

export async function readUnmerged(
  { run }: GuardedStore,
  { after, limit }: UnmergedQuery,
): Promise<readonly JournalWriter[]> {
  const args = [after === undefined ? '-' : `(${after}`, String(limit)];
  return toWriters(await run((evaluate) => evaluate(unmergedScript, args)));
}

function toWriters(value: unknown): readonly JournalWriter[] {
  return (value as readonly (readonly [string, string])[]).map(([id, state]) => {
    const [flushedCount = 0, mergedCount = 0, seenCount = 0] = state.split(' ').map(Number);
    return { id, flushed: flushedCount, merged: mergedCount, seen_at: new Date(seenCount).toISOString() };
  });
}

export const UNMERGED = 'journal:unmerged-writers';

const open = defineGuarded(`
  local is_new = redis.call('HSETNX', prefix .. 'journal:writers', ARGV[2], ARGV[3])
  if is_new == 1 then advance() end
  return is_new`);

const read = defineGuarded(`
  local found, writers = redis.call('HGETALL', prefix .. 'journal:writers'), {}
  for i = 1, #found, 2 do writers[#writers + 1] = { found[i], found[i + 1] } end
  return writers`);

const unmergedScript = defineGuarded(`
  local ids = redis.call('ZRANGEBYLEX', prefix .. '${UNMERGED}', ARGV[2], '+', 'LIMIT', 0, ARGV[3])
  if #ids == 0 then return {} end
  local states, writers = redis.call('HMGET', prefix .. 'journal:writers', unpack(ids)), {}
  for i, id in ipairs(ids) do
    if states[i] then writers[#writers + 1] = { id, states[i] } end
  end
  return writers`);
