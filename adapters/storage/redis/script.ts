import { createHash } from 'node:crypto';

/** A Redis script with its hash. A server that has already run the script finds it by the hash. */
export interface Script {
  readonly text: string;
  readonly sha: string;
  /** `true` if the script may write acknowledged data. It then raises the write counter. */
  readonly mayWrite: boolean;
}

/**
 * Defines a script that does not check the store. KEYS[1] is the key of the identity. `prefix` is the text with which
 * every key begins.
 *
 * While a cluster moves its slot key by key, the script stops before it reads or writes. A moved key in the middle of a
 * script would cause an error after the first writes. The server then returns an error for a missing key. The script
 * tests this with the key `never`, so no key may have this name.
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

/** The error code of a guarded script if the store is not the opened store. */
export const LOST_IDENTITY = 'LOSTIDENTITY';

/** The error code of a guarded script if the write counter of the store is behind the known one. */
export const WENT_BACK = 'WENTBACK';

/**
 * Defines a script that checks the store first. It stops unless ARGV[1] is the identity, followed by a write counter
 * that the store has reached. It returns the write counter, then 1 if it has raised the counter or else 0, then the
 * result of `text`. The script calls `advance` after a write. An index is a sorted set whose members are an instant, a
 * space and an id: `sub(17)`.
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

/** Lua that parses the line before the JSON of a record, and adds a record to its indexes or removes it from them. */
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
