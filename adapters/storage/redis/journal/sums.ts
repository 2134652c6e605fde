import type { RollupKind, RollupSum, Sums, SumsQuery } from '../../../../src/ports/index.ts';
import type { Evaluate } from '../evaluate.ts';
import type { GuardedStore } from '../guarded-store.ts';
import { isRedisText, sortable } from '../keys.ts';
import { defineGuarded } from '../script.ts';
import { BLOCKS, headOf, type StoredBlock, toBlock, toHeader, toName } from './blocks.ts';
import { fetchValues, toStored } from './find.ts';
import { seriesNames } from './rollups.ts';

const AT_ONCE = 500;
/**
 * The number of attempts to read the sums in steps. After them, one script reads all sums and blocks Redis meanwhile.
 */
const TRIES = 4;

type Answer = readonly [
  changed: Text,
  next: readonly [] | readonly [part: number, begin: Text],
  sums: readonly (readonly Text[])[],
  unmerged: readonly unknown[],
];
type Text = string | Buffer;

/**
 * Reads rollups, and the blocks that are not merged into them yet, from one snapshot. It reads only the rollups of the
 * requested parts.
 */
export async function readSums({ run }: GuardedStore, query: SumsQuery): Promise<Sums> {
  const { account_id, parts } = query;
  if (![account_id, query.agent_id].every(isRedisText)) return { parts: parts.map(() => []), unmerged: [] };
  return run(async (evaluate) => {
    for (let attempt = 0; attempt < TRIES; attempt += 1) {
      const sums = await readInSteps(evaluate, query);
      if (sums !== undefined) return sums;
    }
    return readAtOnce(evaluate, query);
  });
}

/** Reads the sums in steps; returns `undefined` if a merge, a purge or a compaction changed them between two steps. */
async function readInSteps(evaluate: Evaluate, query: SumsQuery): Promise<Sums | undefined> {
  const { account_id } = query;
  const askedText = toAsked(query);
  const foundSums = query.parts.map(() => new Map<string, number>());
  let changedText: string | undefined;
  let cursor: readonly [string, string] = ['1', ''];
  for (;;) {
    const answer = await evaluate(read, [account_id, askedText, ...cursor, String(AT_ONCE), '']);
    const [itsText, [part, begin], sums, heads] = answer as Answer;
    changedText ??= String(itsText);
    if (changedText !== String(itsText)) return undefined;
    addSums(foundSums, sums);
    if (part !== undefined) {
      cursor = [String(part), String(begin)];
      continue;
    }
    const names = heads.map((head) => toName(toHeader(String(head), account_id)));
    const values = names.length === 0 ? [] : await fetchValues(evaluate, names);
    const unmergedBlocks = values.filter(
      (storedBlock, atMs): storedBlock is StoredBlock =>
        storedBlock !== undefined && headOf(storedBlock.value) === heads[atMs],
    );
    if (unmergedBlocks.length < heads.length) return undefined;
    return toSums(foundSums, unmergedBlocks, account_id);
  }
}

async function readAtOnce(evaluate: Evaluate, query: SumsQuery): Promise<Sums> {
  const args = [query.account_id, toAsked(query), '1', '', String(Number.MAX_SAFE_INTEGER), 'values'];
  const [, , sums, pairs] = (await evaluate(read, args, 'bytes')) as Answer;
  const unmergedBlocks = pairs.map((pair) => toStored(pair as Parameters<typeof toStored>[0]));
  const foundSums = query.parts.map(() => new Map<string, number>());
  addSums(foundSums, sums);
  return toSums(foundSums, unmergedBlocks, query.account_id);
}

function toAsked({ parts, ...query }: SumsQuery): string {
  const seriesOf = seriesNames(query);
  return JSON.stringify(
    parts.map(({ resolution, kinds, from, to, byStart }) => [
      seriesOf(resolution),
      String(Number(sortable(from))),
      `(${Number(sortable(to))}`,
      byStart,
      kinds,
    ]),
  );
}

function addSums(foundSums: readonly Map<string, number>[], sums: Answer[2]): void {
  for (const [part, partCounts] of foundSums.entries()) {
    const counts = sums[part] ?? [];
    for (let index = 0; index < counts.length; index += 2) {
      const name = String(counts[index]);
      partCounts.set(name, (partCounts.get(name) ?? 0) + Number(counts[index + 1]));
    }
  }
}

function toSums(
  foundSums: readonly ReadonlyMap<string, number>[],
  unmergedBlocks: readonly StoredBlock[],
  account_id: string,
): Sums {
  return {
    parts: foundSums.map((sums) => [...sums].map(([name, count]) => toSum(name, count))),
    unmerged: unmergedBlocks.map((storedBlock) => toBlock(storedBlock, account_id)),
  };
}

/** Parses a sum. Its name is the start or nothing, a space, and the field of the hash. */
function toSum(name: string, count: number): RollupSum {
  const [, start = '', kind, key = ''] = /^(\S*) ([a-z]+):(.*)$/s.exec(name) ?? [];
  return { start: start === '' ? null : start, kind: kind as RollupKind, key, count };
}

/**
 * Sums up the parts ARGV[3]. Begins with the part ARGV[4] after the score ARGV[5], and reads at most ARGV[6] starts.
 *
 * It returns the number of changes of rollups, and the place to continue from unless it has read all. Then the names
 * and sums of each part follow. The last result also has the heads or the values of the unmerged blocks.
 */
const read = defineGuarded(`${BLOCKS}
  local account, parts, first, left = ARGV[2], cjson.decode(ARGV[3]), tonumber(ARGV[4]), tonumber(ARGV[6])
  local answer = { redis.call('GET', prefix .. 'rollups:changed') or '', {}, {}, {} }

  local function add(series, starts, by_start, kinds)
    local wanted, sums, names, counted = {}, {}, {}, {}
    for _, kind in ipairs(kinds) do wanted[kind] = true end
    for i = 1, #starts, 2 do
      local counts = redis.call('HGETALL', prefix .. 'rollup:' .. series .. ':' .. starts[i])
      for j = 1, #counts, 2 do
        if wanted[string.match(counts[j], '^[^:]*')] then
          local name = (by_start and starts[i] or '') .. ' ' .. counts[j]
          if not sums[name] then
            sums[name] = 0
            names[#names + 1] = name
          end
          sums[name] = sums[name] + tonumber(counts[j + 1])
        end
      end
    end
    for _, name in ipairs(names) do
      counted[#counted + 1] = name
      counted[#counted + 1] = string.format('%.0f', sums[name])
    end
    return counted
  end

  for part, asked in ipairs(parts) do
    if part < first then
      answer[3][part] = {}
    else
      local series, begin, till, by_start, kinds = unpack(asked)
      if part == first and ARGV[5] ~= '' then begin = '(' .. ARGV[5] end
      local starts = redis.call(
        'ZRANGEBYSCORE', prefix .. 'starts:' .. series, begin, till, 'WITHSCORES', 'LIMIT', 0, string.format('%.0f', left)
      )
      answer[3][part] = add(series, starts, by_start, kinds)
      left = left - #starts / 2
      if left == 0 then
        answer[2] = { part, starts[#starts] }
        return answer
      end
    end
  end

  for _, head in ipairs(redis.call('ZRANGE', prefix .. 'journal:unmerged:' .. account, 0, -1)) do
    local writer, seq = filer_of(head)
    if not is_merged(writer, seq) then
      local value = head
      if ARGV[7] == 'values' then
        local name = writer .. '.' .. seq .. ':' .. account
        value = redis.call('GET', key_of(name))
        value = value and { value, redis.call('GET', texts_of(name)) }
      end
      if not value then return lost() end
      answer[4][#answer[4] + 1] = value
    end
  end
  return answer`);
