import type { Block, BlockHeader } from '../../../../src/ports/index.ts';
import type { MarkedStore } from '../marked-store.ts';
import { defineGuarded } from '../script.ts';
import { assertTexts, BLOCKS, toHeadStart, toName, toValue } from './blocks.ts';

/** Replaces several blocks by one, or none of them; `false` if one of them differs from its header or is not merged. */
export async function compactBlocks(
  { run }: MarkedStore,
  found: readonly BlockHeader[],
  into: Block,
): Promise<boolean> {
  const [name, old] = [toName(into), found.map(toName)];
  assertTexts(old);
  if (!old.includes(name))
    throw new RangeError('A block can only take the place of one of its name and others.');
  const starts = new Map(found.map((header) => [toName(header), toHeadStart(header)]));
  const args = [JSON.stringify([[...starts.keys()], [...starts.values()]]), name, toValue(into)];
  return (await run((evaluate) => evaluate(compact, args))) === 1;
}

const compact = defineGuarded(`${BLOCKS}
  local names, starts = unpack(cjson.decode(ARGV[2]))
  local name, value = ARGV[3], ARGV[4]
  local heads = {}
  for i, old in ipairs(names) do
    local writer, seq = parse_name(old)
    heads[i] = is_merged(writer, seq) and head_at(old)
    if not heads[i] or string.sub(heads[i], 1, #starts[i]) ~= starts[i] then return 0 end
  end
  redis.call('SET', key_of(name), value)
  local records = 0
  for i, old in ipairs(names) do
    if old ~= name then redis.call('DEL', key_of(old)) end
    unindex(old, heads[i])
    records = records - records_of(heads[i])
  end
  local head = line_of(value)
  index({ name }, { head })
  records = records + records_of(head)
  if records ~= 0 then redis.call('INCRBY', prefix .. 'journal:records', records) end
  advance()
  return 1`);
