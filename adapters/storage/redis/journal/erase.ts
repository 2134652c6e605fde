import { type BlockName, type JournalErasure, MAX_PURGED_BLOCKS } from '../../../../src/ports/index.ts';
import type { GuardedStore } from '../guarded-store.ts';
import { isRedisText, joinNames } from '../keys.ts';
import { defineGuarded } from '../script.ts';
import { BLOCKS, FORGETTING, toName } from './blocks.ts';
import { seriesNames } from './rollups.ts';

/** Removes one piece: first blocks, then series of rollups. Returns the start of the next piece, `null` at the end. */
export async function eraseJournal(
  store: GuardedStore,
  { account_id, agent_id, from = '' }: JournalErasure,
): Promise<string | null> {
  if (!isRedisText(account_id) || !isRedisText(agent_id ?? '')) return null;
  if (agent_id !== undefined) return eraseAgent(store, { account_id, agent_id, from });
  if (from === '') {
    const leftValue = await store.run((evaluate) => evaluate(eraseBlocks, [account_id]));
    return Number(leftValue) > 0 ? '' : FIRST;
  }
  const args = [`${joinNames(account_id)}:`, from === AGAIN ? FIRST : from];
  const next = String(await store.run((evaluate) => evaluate(eraseSeries, args)));
  return next === FIRST ? null : next;
}

const FIRST = '0';
/** The position that repeats the first piece of a scan, because one script could not remove everything in it. */
const AGAIN = 'again';

/** The maximum number of starts that one script removes or reads. A start is a minute, hour or day with counts. */
const AT_ONCE = 500;

async function eraseAgent(
  { run }: GuardedStore,
  { account_id, agent_id, from }: Required<JournalErasure>,
): Promise<string | null> {
  const ownSeries = seriesOf(account_id, agent_id);
  const allSeries = [...ownSeries, ...seriesOf(account_id, '')];
  const [place = '0', score = ''] = from.split(' ');
  const series = allSeries[Number(place)];
  if (series === undefined) return null;
  const isOwn = Number(place) < ownSeries.length;
  const answer = await run((evaluate) =>
    isOwn ? evaluate(eraseOne, [series]) : evaluate(eraseUncounted, [series, score]),
  );
  const next = String(answer);
  return next === '' ? `${Number(place) + 1}` : `${place} ${next}`;
}

function seriesOf(account_id: string, agent_id: string): readonly string[] {
  return (['live', 'test'] as const).flatMap((environment) => {
    const nameOf = seriesNames({ account_id, environment, agent_id });
    return (['minute', 'hour', 'day'] as const).map(nameOf);
  });
}

/**
 * Removes blocks and returns the number of remaining blocks. With the last block, it removes the note that the cap has
 * removed blocks.
 */
const eraseBlocks = defineGuarded(`${BLOCKS}${FORGETTING}
  local account = ARGV[2]
  local blocks = prefix .. 'journal:blocks:' .. account
  for _, head in ipairs(redis.call('ZRANGE', blocks, 0, ${MAX_PURGED_BLOCKS - 1})) do
    local writer, seq = filer_of(head)
    forget(writer .. '.' .. seq .. ':' .. account, head)
  end
  local left = redis.call('ZCARD', blocks)
  if left == 0 then
    redis.call('DEL', prefix .. 'journal:unmerged:' .. account)
    redis.call('HDEL', prefix .. 'journal:gone', account)
  end
  advance()
  return left`);

const SERIES = `
  local function erase_starts(series, left)
    local starts = prefix .. 'starts:' .. series
    for _, start in ipairs(redis.call('ZRANGE', starts, 0, left - 1)) do
      redis.call('DEL', prefix .. 'rollup:' .. series .. ':' .. start)
      redis.call('ZREM', starts, start)
      left = left - 1
    end
    if redis.call('EXISTS', starts) == 0 then redis.call('ZREM', prefix .. 'series', series) end
    redis.call('INCR', prefix .. 'rollups:changed')
    return left
  end`;

const eraseOne = defineGuarded(`${SERIES}
  local left = erase_starts(ARGV[2], ${AT_ONCE})
  advance()
  return left == 0 and 'more' or ''`);

const eraseSeries = defineGuarded(`${SERIES}
  local account, cursor, left = ARGV[2], ARGV[3], ${AT_ONCE}
  local next, found = unpack(redis.call('ZSCAN', prefix .. 'series', cursor, 'COUNT', 1000))
  local is_changed = false
  for i = 1, #found, 2 do
    if left > 0 and string.sub(found[i], 1, #account) == account then
      left = erase_starts(found[i], left)
      is_changed = true
    end
  end
  if is_changed then advance() end
  -- The same piece again, where more is to be removed of it: from the first one where that is the first.
  if left == 0 then return cursor == '${FIRST}' and '${AGAIN}' or cursor end
  return next`);

/**
 * Reads the starts after the score ARGV[3], and removes their counts that are not above 0. Returns the score of the
 * last start, or nothing at the end.
 */
const eraseUncounted = defineGuarded(`
  local series, starts = ARGV[2], prefix .. 'starts:' .. ARGV[2]
  local begin = ARGV[3] == '' and '-inf' or '(' .. ARGV[3]
  local found = redis.call('ZRANGEBYSCORE', starts, begin, '+inf', 'WITHSCORES', 'LIMIT', 0, ${AT_ONCE})
  for i = 1, #found, 2 do
    local key = prefix .. 'rollup:' .. series .. ':' .. found[i]
    local counts = redis.call('HGETALL', key)
    for j = 1, #counts, 2 do
      if tonumber(counts[j + 1]) <= 0 then redis.call('HDEL', key, counts[j]) end
    end
    if redis.call('EXISTS', key) == 0 then redis.call('ZREM', starts, found[i]) end
  end
  if redis.call('EXISTS', starts) == 0 then redis.call('ZREM', prefix .. 'series', series) end
  redis.call('INCR', prefix .. 'rollups:changed')
  advance()
  return #found == ${2 * AT_ONCE} and found[#found] or ''`);

interface TextErasure {
  readonly name: BlockName;
  readonly erased: number;
  readonly erasable: Uint8Array;
}

export async function eraseTexts(
  { run }: GuardedStore,
  { name, erased, erasable }: TextErasure,
): Promise<boolean> {
  if (!isRedisText(name.writer + name.account_id)) return false;
  const texts = Buffer.concat([Buffer.from(`${(erased + 1).toString(36)}\n`), erasable]);
  return (await run((evaluate) => evaluate(erase, [toName(name), erased.toString(36), texts]))) === 1;
}

const erase = defineGuarded(`${BLOCKS}
  local name = ARGV[2]
  if not head_at(name) or erased_of(name) ~= ARGV[3] then return 0 end
  put_texts(name, ARGV[4])
  advance()
  return 1`);
