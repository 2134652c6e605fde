import { createHash } from 'node:crypto';

export interface Script {
  readonly text: string;
  readonly sha: string;
  /** `true` if the script may write acknowledged data. It then raises the write counter. */
  readonly mayWrite: boolean;
}

/**
 * Defines a script that does not check the store. KEYS[1] is the key of the identity. `prefix` is the text
 * with which every key begins.
 *
 * A cluster moves its slot key by key. If the script met a moved key after its first writes, it would fail in
 * the middle. It therefore first reads the key `never`, which does not exist. During a move, the server
 * answers with an error for a missing key, and the script stops. No key may have the name `never`.
 */
export function defineScript(body: string): Script {
  const text = `
    local prefix = string.sub(KEYS[1], 1, -#'marker' - 1)
    local never = redis.pcall('EXISTS', prefix .. 'never')
    if type(never) == 'table' then return never end
    ${body}`;
  const mayWrite = body.includes(ADVANCE);
  return { text, sha: createHash('sha1').update(text).digest('hex'), mayWrite };
}

export const LOST_IDENTITY = 'LOSTIDENTITY';

export const WENT_BACK = 'WENTBACK';

/**
 * Defines a script that checks the store first. ARGV[1] is the identity of the store, followed by a write
 * counter. The script stops if the store has another identity or has not reached this write counter.
 *
 * It returns the write counter of the store, then 1 if it has raised the counter or else 0, then the result
 * of `text`. After a write, `text` calls `advance`. An index is a sorted set. Its members are 15 digits of an
 * instant, a space and an id, so `string.sub(member, 17)` is the id.
 */
export function defineGuarded(text: string): Script {
  return defineScript(`
    local identity, known = string.match(ARGV[1], '^(%S+) (%d+)$')
    local counter_key = prefix .. 'position:' .. identity
    local write_counter = tonumber(redis.call('GET', counter_key) or '')
    if not write_counter then return redis.error_reply('${LOST_IDENTITY} another store') end
    if write_counter < tonumber(known) then return redis.error_reply('${WENT_BACK} an older store') end
    local moved = 0
    ${text.includes('advance()') ? ADVANCE : ''}
    local function run() ${text}
    end
    local answer = run()
    if type(answer) == 'table' and answer.err then return answer end
    return { write_counter, moved, answer }`);
}

const ADVANCE = `local function advance()
      write_counter = redis.call('INCR', counter_key)
      moved = 1
    end`;

export const RECORDS: string = String.raw`
  local function head_of(text) return text and cjson.decode(string.match(text, '^[^\n]*')) end
  local function index(id, head)
    for i = 3, #head, 2 do redis.call('ZADD', prefix .. head[i], 0, head[i + 1] .. ' ' .. id) end
  end
  local function unindex(id, head)
    for i = 3, #head, 2 do redis.call('ZREM', prefix .. head[i], head[i + 1] .. ' ' .. id) end
  end`;

/** 2^53 - 1 for Lua, whose numbers are doubles. */
export const MAX_SAFE = '9007199254740991';
