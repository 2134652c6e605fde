import type { Instant, JournalEntry, JournalPiece, JournalQuery } from '../../../src/ports/index.ts';
import { journalIndex } from './journal.ts';
import { isRedisText, joinNames, sortable } from './keys.ts';
import { endBefore } from './list.ts';
import type { MarkedStore } from './marked-store.ts';
import { defineGuarded } from './script.ts';

const READ_LIMIT = 1_000;
/** How many entries are looked at in one script where not all of them may fit. */
const LOOKED_AT = 500;

/** What fits among as many entries as one script may look at, by a walk through the smallest index that has all that fits. */
export async function readEntries({ run }: MarkedStore, query: JournalQuery): Promise<JournalPiece> {
  const { account_id, agent_id, verdict, reason, environment, from, limit } = query;
  if (!(limit >= 1 && limit <= READ_LIMIT)) throw new RangeError('limit must be 1 to 1,000.');
  if (![account_id, agent_id ?? '', reason ?? ''].every(isRedisText)) return { entries: [], next: null };
  const indexes = [
    journalIndex(account_id),
    ...(agent_id === undefined ? [] : [journalIndex(account_id, { agent_id })]),
    ...(reason === undefined ? [] : [journalIndex(account_id, { reason })]),
    ...(verdict === 'DENY' ? [journalIndex(account_id, { verdict })] : []),
    ...(environment === 'test' ? [journalIndex(account_id, { environment })] : []),
  ];
  const begin = from === undefined ? '-' : `[${sortable(from)} `;
  const filters = [agent_id, verdict, reason, environment].filter((given) => given !== undefined);
  // One filter with an index of its own: all that is in it fits.
  const isExact = filters.length === indexes.length - 1 && filters.length <= 1;
  const number = isExact ? limit : LOOKED_AT;
  const args = [begin, endOf(query), String(number), ...indexes];
  const texts = (await run((evaluate) => evaluate(read, args))) as readonly string[];
  const found = texts.map((text): JournalEntry => JSON.parse(text));
  const entries = found.filter((entry) => fits(entry, query)).slice(0, limit);
  const last = entries.length === limit ? entries.at(-1) : found.length === number ? found.at(-1) : undefined;
  return { entries, next: last === undefined ? null : { created_at: last.created_at, id: last.id } };
}

/** The instant after the newest verdict of the account that the cap has let go. */
export async function readCompleteSince(
  { run }: MarkedStore,
  account_id: string,
): Promise<Instant | undefined> {
  if (!isRedisText(account_id)) return undefined;
  const newest = await run((evaluate) => evaluate(gone, [joinNames(account_id)]));
  return newest === null ? undefined : new Date(Number(newest) + 1).toISOString();
}

/** Before `to` and after the position, whichever comes first. */
function endOf({ to, after }: JournalQuery): string {
  const ends = [
    ...(to === undefined ? [] : [{ created_at: to, id: '' }]),
    ...(after === undefined ? [] : [after]),
  ].map((position) => ({ at: sortable(position.created_at), id: position.id, end: endBefore(position) }));
  const [first, second] = ends;
  if (first === undefined) return '+';
  return second !== undefined && second.at < first.at ? second.end : first.end;
}

function fits(entry: JournalEntry, { agent_id, verdict, environment, reason }: JournalQuery): boolean {
  return (
    (agent_id === undefined || entry.agent_id === agent_id) &&
    (verdict === undefined || entry.verdict === verdict) &&
    (environment === undefined || entry.environment === environment) &&
    (reason === undefined || entry.reasons.some(({ code }) => code === reason))
  );
}

const read = defineGuarded(`
  local chosen, size
  for i = 5, #ARGV do
    local number = redis.call('ZCARD', prefix .. ARGV[i])
    if not size or number < size then chosen, size = prefix .. ARGV[i], number end
  end
  local members = redis.call('ZREVRANGEBYLEX', chosen, ARGV[3], ARGV[2], 'LIMIT', 0, ARGV[4])
  local texts = {}
  for i, member in ipairs(members) do
    local place = redis.call('HGET', prefix .. 'journal:ids', string.sub(member, 17))
    local entry = place and redis.call('XRANGE', prefix .. 'journal', place, place)[1]
    if not entry then return redis.error_reply('LOSTRECORD a verdict that is listed is missing') end
    texts[i] = entry[2][4]
  end
  return texts`);

const gone = defineGuarded(`return redis.call('HGET', prefix .. 'journal:gone', ARGV[2])`);
