import type { Block, BlockHeader, BlockName, BlockPlace } from '../../../../src/ports/index.ts';
import { isRedisText } from '../keys.ts';

/**
 * The layout of a block in Redis. Numbers are written in base 36, so that a head fits into 64 bytes, up to which Redis
 * packs small sets.
 *
 * - `jb:{name}` is the block: its head, a line feed, its filter and its data. The head begins with the place of the
 *   block, so that its byte order is the order of `BlockPlace`.
 * - `journal:blocks:{account}` is a sorted set of heads.
 * - `journal:unmerged:{account}` is a sorted set of the heads of blocks that are unmerged, or were merged recently.
 * - `je:{name}` exists for a block with erasable texts. It has the number of erasures, a line feed and the texts.
 * - `journal:age` has the names of all blocks, ordered by `to_ms`.
 * - `journal:filed:{writer}` has each `seq` with its account.
 * - `journal:writers` has `flushed`, `merged` and `seen_at` of each writer.
 * - `journal:unmerged-writers` has the ids of the writers with unmerged blocks.
 * - `journal:records` is the number of all records.
 * - `journal:gone` has for each account the newest `to_ms` that the cap has removed.
 */

/** Returns the name of a block in the form for keys. */
export function toName({ writer, seq, account_id }: BlockName): string {
  return `${writer}.${paddedSeq(seq)}:${account_id}`;
}

const BASE = 36;
/** The number of digits of every safe integer in base 36. `MS_DIGITS` is the same for every instant. */
const SEQ_DIGITS = 11;
const MS_DIGITS = 10;
const LAST_MS = BASE ** MS_DIGITS - 1;

export function paddedSeq(seq: number): string {
  return seq.toString(BASE).padStart(SEQ_DIGITS, '0');
}

export function paddedMs(ms: number): string {
  return Math.min(Math.max(Math.trunc(ms), 0), LAST_MS)
    .toString(BASE)
    .padStart(MS_DIGITS, '0');
}

export function toPlace({ to_ms, writer, seq }: BlockPlace): string {
  return `${paddedMs(to_ms)} ${writer} ${paddedSeq(seq)}`;
}

/** Returns the head of a block without its last part, the length of the filter. */
export function toHeadStart(header: BlockHeader): string {
  const { from_ms, to_ms, records, denied, flags } = header;
  const numbers = [to_ms - from_ms, records, denied, flags];
  return `${[toPlace(header), ...numbers.map((number) => number.toString(BASE))].join(' ')} `;
}

export function toValue(block: Block): Buffer {
  const { filter, data } = block;
  const head = `${toHeadStart(block)}${filter.length.toString(BASE)}`;
  return Buffer.concat([Buffer.from(`${head}\n`), filter, data]);
}

export function toTexts({ erased, erasable }: Block): Buffer {
  if (erased === 0 && erasable === undefined) return Buffer.alloc(0);
  return Buffer.concat([Buffer.from(`${erased.toString(BASE)}\n`), erasable ?? new Uint8Array(0)]);
}

/** Parses the header of a block from its head. The number of erasures may follow the head. */
export function toHeader(head: string, account_id: string): BlockHeader {
  const [end = '', writer = '', ...texts] = head.split(' ');
  const to_ms = Number.parseInt(end, BASE);
  const numbers = texts.map((text) => Number.parseInt(text, BASE));
  const [seq = 0, span = 0, records = 0, deniedCount = 0, flags = 0, _filter = 0, erasedCount = 0] = numbers;
  return {
    writer,
    seq,
    account_id,
    from_ms: to_ms - span,
    to_ms,
    records,
    denied: deniedCount,
    flags,
    erased: erasedCount,
  };
}

export function headOf(value: Buffer): string {
  return value.toString('latin1', 0, value.indexOf('\n'));
}

export interface StoredBlock {
  readonly value: Buffer;
  readonly texts: Buffer | undefined;
}

/** Parses a block. Copies the bytes, which may be a part of a much larger buffer. */
export function toBlock({ value, texts }: StoredBlock, account_id: string): Block {
  const head = headOf(value);
  const offset = head.length + 1;
  const end = offset + Number.parseInt(head.slice(head.lastIndexOf(' ') + 1), BASE);
  const copy = (start: number, end?: number): Uint8Array => new Uint8Array(value.subarray(start, end));
  const block = { ...toHeader(head, account_id), filter: copy(offset, end), data: copy(end) };
  if (texts === undefined) return block;
  const erasedCount = Number.parseInt(headOf(texts), BASE);
  const erasable = new Uint8Array(texts.subarray(texts.indexOf('\n') + 1));
  return { ...block, erased: erasedCount, ...(erasable.length > 0 && { erasable }) };
}

export function assertTexts(texts: readonly string[]): void {
  if (!texts.every(isRedisText)) throw new TypeError('An id or a key holds a lone surrogate.');
}

export function assertLimit(number: number, limit: number): void {
  if (!(number >= 1 && number <= limit)) throw new RangeError(`limit must be 1 to ${limit}.`);
}

export const BLOCKS: string = String.raw`
  local writers, age = prefix .. 'journal:writers', prefix .. 'journal:age'
  local merged_of = {}

  local function number_of(text) return tonumber(text, 36) end

  -- The milliseconds as a place begins with them.
  local function padded_ms(ms)
    local text = ''
    for _ = 1, 10 do
      local digit = ms % 36
      text = string.sub('0123456789abcdefghijklmnopqrstuvwxyz', digit + 1, digit + 1) .. text
      ms = (ms - digit) / 36
    end
    return text
  end

  local function is_merged(writer, seq)
    if merged_of[writer] == nil then
      local state = redis.call('HGET', writers, writer)
      merged_of[writer] = state and tonumber(string.match(state, '^%d+ (%d+)'))
    end
    return not merged_of[writer] or number_of(seq) <= merged_of[writer]
  end

  local function key_of(name) return prefix .. 'jb:' .. name end
  local function texts_of(name) return prefix .. 'je:' .. name end
  local function erased_of(name)
    return string.match(redis.call('GETRANGE', texts_of(name), 0, 15), '^[^\n]+') or '0'
  end
  local function put_texts(name, texts)
    if texts == '' then redis.call('DEL', texts_of(name)) else redis.call('SET', texts_of(name), texts) end
  end
  -- A head with the number of erasures behind it.
  local function numbered(name, head)
    local erased = erased_of(name)
    return erased == '0' and head or head .. ' ' .. erased
  end
  local function parse_name(name) return string.match(name, '^([^.]*)%.(%w+):(.*)$') end
  local function parse_head(head) return string.match(head, '^(%S+) (%S+) (%S+) (%S+) (%S+) (%S+) (%S+) (%S+)$') end
  local function records_of(head) return number_of((select(5, parse_head(head)))) end
  -- Of what begins with a place.
  local function filer_of(head) return string.match(head, '^%S+ (%S+) (%S+)') end
  local function line_of(value) return string.match(value, '^[^\n]+') end

  -- false where there is no such block.
  local function head_at(name) return line_of(redis.call('GETRANGE', key_of(name), 0, 127)) or false end

  -- Takes blocks of one writer into the indexes, as many as one command can.
  local function index(names, heads)
    local writer, filed, aged
    for i, name in ipairs(names) do
      local its_writer, seq, account = parse_name(name)
      redis.call('ZADD', prefix .. 'journal:blocks:' .. account, 0, heads[i])
      if not writer then writer, filed, aged = its_writer, {}, {} end
      filed[2 * i - 1], filed[2 * i] = 0, seq .. ' ' .. account
      aged[2 * i - 1], aged[2 * i] = 0, string.sub(heads[i], 1, 11) .. name
    end
    if not writer then return end
    redis.call('ZADD', prefix .. 'journal:filed:' .. writer, unpack(filed))
    redis.call('ZADD', age, unpack(aged))
  end

  local function unindex(name, head)
    local writer, seq, account = parse_name(name)
    redis.call('ZREM', prefix .. 'journal:blocks:' .. account, head)
    redis.call('ZREM', prefix .. 'journal:unmerged:' .. account, head)
    redis.call('ZREM', prefix .. 'journal:filed:' .. writer, seq .. ' ' .. account)
    redis.call('ZREM', age, string.sub(head, 1, 11) .. name)
  end

  local function lost() return redis.error_reply('LOSTRECORD a block that is listed is missing') end`;

/** Lua, for use after `BLOCKS`, that removes a block and returns its number of records. */
export const FORGETTING = `
  local function forget(name, head)
    local records = records_of(head)
    redis.call('DEL', key_of(name), texts_of(name))
    unindex(name, head)
    redis.call('DECRBY', prefix .. 'journal:records', records)
    return records
  end`;
