import type { JournalEntry } from '../../../src/ports/index.ts';
import { joinNames, sortable } from './keys.ts';

/** What the journal can be read by without looking at other entries, besides its account. */
export type JournalFilter =
  | { readonly agent_id: string }
  | { readonly verdict: 'DENY' }
  | { readonly environment: 'test' }
  | { readonly reason: string };

/** The index of the entries of an account, or of those that a filter leaves. */
export function journalIndex(account_id: string, filter?: JournalFilter): string {
  const names = Object.entries(filter ?? {}).flat();
  return `verdicts:${joinNames(account_id, ...names)}`;
}

/** The line of an entry that scripts read: its id, its account as a part of keys, its instant, and its indexes. */
export function journalHead(entry: JournalEntry): string {
  const { id, account_id, created_at, agent_id, verdict, environment, reasons } = entry;
  const filters: readonly JournalFilter[] = [
    { agent_id },
    ...(verdict === 'DENY' ? [{ verdict }] : []),
    ...(environment === 'test' ? [{ environment }] : []),
    ...[...new Set(reasons.map(({ code }) => code))].map((reason) => ({ reason })),
  ];
  const indexes = [undefined, ...filters].map((filter) => journalIndex(account_id, filter));
  return JSON.stringify([id, joinNames(account_id), sortable(created_at), ...indexes]);
}

/**
 * Lua that takes entries out of the stream and its indexes. `accounts` has every account by its oldest entry, so
 * that what is old is found without a look at what is not; `journal:gone` the newest entry that the cap has let go.
 */
export const FORGETTING = `
  local stream, ids, accounts = prefix .. 'journal', prefix .. 'journal:ids', prefix .. 'journal:accounts'
  local gone = prefix .. 'journal:gone'

  local function refresh_account(account)
    local first = redis.call('ZRANGE', prefix .. 'verdicts:' .. account, 0, 0)[1]
    if first then
      redis.call('ZADD', accounts, string.sub(first, 1, 15), account)
    else
      redis.call('ZREM', accounts, account)
    end
  end

  local function forget(entries, is_capped)
    local touched = {}
    for _, entry in ipairs(entries) do
      local head = cjson.decode(entry[2][2])
      local id, account, at = head[1], head[2], head[3]
      for i = 4, #head do redis.call('ZREM', prefix .. head[i], at .. ' ' .. id) end
      redis.call('HDEL', ids, id)
      redis.call('XDEL', stream, entry[1])
      touched[account] = math.max(touched[account] or 0, tonumber(at))
    end
    for account, newest in pairs(touched) do
      refresh_account(account)
      if is_capped and newest >= tonumber(redis.call('HGET', gone, account) or 0) then
        redis.call('HSET', gone, account, string.format('%.0f', newest))
      end
    end
  end`;
