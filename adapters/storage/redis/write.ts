import {
  type Change,
  type FailedStep,
  noticesOf,
  type WriteFailure,
  type WriteResult,
} from '../../../src/ports/index.ts';
import type { GuardedStore } from './guarded-store.ts';
import { isRedisText, sortable } from './keys.ts';
import { noticeText } from './notice.ts';
import { toStored } from './record.ts';
import { defineGuarded, MAX_SAFE, RECORDS } from './script.ts';

/**
 * Applies all changes or none. One script checks every step before it writes. If the signal is already aborted, nothing
 * is sent.
 */
export async function writeChanges(
  { run }: GuardedStore,
  changes: readonly Change[],
  signal?: AbortSignal,
): Promise<WriteResult> {
  const args = changes.flatMap(toArguments);
  const [foundTexts, failures] = (await run((evaluate) => evaluate(write, args), signal)) as Answer;
  const values = foundTexts.map(Number);
  const failedSteps = failures.map(toFailedStep);
  const [first] = failedSteps;
  if (first !== undefined) return { written: false, ...first, failed: failedSteps, found: values };
  const adds = changes.filter((change) => change.op === 'add');
  return { written: true, sums: adds.map(({ by }, index) => (values[index] as number) + by) };
}

type Answer = readonly [
  found: readonly string[],
  failed: readonly (readonly [number, WriteFailure | 'unsafe'])[],
];

function toFailedStep([step, failure]: Answer[1][number], index: number): FailedStep {
  if (failure !== 'unsafe') return { step: Number(step), failure };
  if (index === 0) throw new RangeError('A counter would leave the safe integers.');
  return { step: Number(step), failure: 'limit' };
}

function toArguments(change: Change): readonly string[] {
  if ('counter' in change && !isRedisText(change.counter))
    throw new TypeError('A counter name holds a lone surrogate.');
  if (change.op === 'forget') return ['forget', change.counter, '', '', '', '', ''];
  if (change.op === 'add') {
    const { counter, by, max, expires_at, at } = change;
    if (!Number.isSafeInteger(by)) throw new RangeError('A counter would leave the safe integers.');
    const end = expires_at === undefined ? '' : sortable(expires_at);
    return ['add', counter, String(by), String(max ?? ''), end, sortable(at), change.renew ? 'renew' : ''];
  }
  const { op, collection } = change;
  const id = op === 'remove' ? change.id : change.record.id;
  const expectedText = 'version' in change ? String(change.version) : '';
  const [notice] = noticesOf([change]);
  const storedText = op === 'remove' ? '' : toStored(collection, change.record);
  return [op, collection, id, expectedText, storedText, notice === undefined ? '' : noticeText(notice), ''];
}

/**
 * The script of a write. Lua's numbers are doubles, so it can compute a sum exactly if the sum is safe, and recognise
 * an unsafe sum. PUBLISH may fail without permission for the channel, and must not undo half of a write.
 */
const write = defineGuarded(`${RECORDS}
  local touched, before, after, info, texts, found, failed = {}, {}, {}, {}, {}, {}, {}
  -- Of whole numbers close to 2^53 a client may read another one than the server has sent.
  local function spelled(value) return string.format('%.0f', value) end

  local function look_up(key, parse, owner)
    if after[key] == nil then
      before[key] = parse(redis.call('GET', key)) or false
      after[key] = before[key]
      info[key] = owner
      touched[#touched + 1] = key
    end
    return after[key]
  end

  local function counter_of(text)
    if not text then return false end
    local value, ends = string.match(text, '^(%S+) (%d*)$')
    return { value = tonumber(value), ends = ends }
  end

  local function judge(at)
    local op, where, id, expected = ARGV[at], ARGV[at + 1], ARGV[at + 2], ARGV[at + 3]
    if op == 'forget' then
      local key = prefix .. 'counter:' .. where
      look_up(key, counter_of, { counter = where })
      after[key] = false
      return
    end
    if op == 'add' then
      local by, max, ends, now = tonumber(id), tonumber(expected), ARGV[at + 4], tonumber(ARGV[at + 5])
      local key = prefix .. 'counter:' .. where
      local counter = look_up(key, counter_of, { counter = where })
      local live = counter and (counter.ends == '' or tonumber(counter.ends) > now)
      local value = live and counter.value or 0
      found[#found + 1] = spelled(value)
      local sum = value + by
      if max and sum > max then return 'limit' end
      if sum > ${MAX_SAFE} or sum < -${MAX_SAFE} then return 'unsafe' end
      if by == 0 then return end
      if live then
        local is_later = counter.ends ~= '' and (ends == '' or tonumber(ends) > tonumber(counter.ends))
        if not (ARGV[at + 6] == 'renew' and is_later) then ends = counter.ends end
      end
      after[key] = { value = sum, ends = ends }
      return
    end
    local key = prefix .. where .. ':' .. id
    local known = look_up(key, head_of, { id = id })
    if op == 'insert' and known then return 'exists' end
    if (op == 'replace' or op == 'remove') and not (known and known[1] == expected) then return 'stale' end
    local head = op ~= 'remove' and head_of(ARGV[at + 4]) or false
    if op == 'claim' and known then
      if known[2] ~= head[2] then return 'claimed' end
      return
    end
    after[key] = head
    texts[key] = ARGV[at + 4]
    info[key].notice = ARGV[at + 5]
  end

  for step = 0, (#ARGV - 1) / 7 - 1 do
    local failure = judge(2 + step * 7)
    if failure then failed[#failed + 1] = { step, failure } end
  end
  if #failed > 0 then return { found, failed } end

  local function store_counter(key, name, old, new)
    if new then redis.call('SET', key, spelled(new.value) .. ' ' .. new.ends) else redis.call('DEL', key) end
    if old and new and old.ends == new.ends then return end
    if old and old.ends ~= '' then redis.call('ZREM', prefix .. 'expiry:counters', old.ends .. ' ' .. name) end
    if new and new.ends ~= '' then redis.call('ZADD', prefix .. 'expiry:counters', 0, new.ends .. ' ' .. name) end
  end

  local function store_record(key, id, old, new)
    if old then unindex(id, old) end
    if new then
      redis.call('SET', key, texts[key])
      index(id, new)
    else
      redis.call('DEL', key)
    end
  end

  local is_changed, notices = false, {}
  for _, key in ipairs(touched) do
    local old, new, about = before[key], after[key], info[key]
    if old ~= new then
      if about.counter then store_counter(key, about.counter, old, new) else store_record(key, about.id, old, new) end
      if about.notice and about.notice ~= '' then notices[#notices + 1] = about.notice end
      is_changed = true
    end
  end
  -- Last, because a server that is full lets a script begin only with what frees memory.
  if is_changed then advance() end
  if #notices > 0 then
    local server = string.match(redis.call('LINDEX', prefix .. 'runs', -1) or '', '^%S*')
    local from = identity .. ' ' .. server .. ' ' .. spelled(write_counter) .. ' '
    for _, notice in ipairs(notices) do redis.pcall('PUBLISH', prefix .. 'changes', from .. notice) end
  end
  return { found, failed }`);
