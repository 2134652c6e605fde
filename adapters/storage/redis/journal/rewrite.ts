import type { BlockRewriting } from '../../../../src/ports/index.ts';
import type { GuardedStore } from '../guarded-store.ts';
import { defineGuarded } from '../script.ts';
import { assertTexts, BLOCKS, FORGETTING, headOf, toName, toTexts, toValue } from './blocks.ts';
import { ADD_GROUPS, toGroups } from './merge.ts';

export async function rewriteBlock(
  { run }: GuardedStore,
  { found, into, rollups }: BlockRewriting,
): Promise<boolean> {
  const name = toName(found);
  assertTexts([name, ...rollups.map(({ key }) => key)]);
  if (into !== undefined && toName(into) !== name) return false;
  const bytes = toValue(found);
  const args = [name, headOf(bytes), String(bytes.length), toGroups(rollups)];
  const next = into === undefined ? ['', ''] : [toValue(into), toTexts(into)];
  const allArgs = [...args, ...next, found.erased.toString(36)];
  const answer = await run((evaluate) => evaluate(rewrite, allArgs));
  if (answer === 'unsafe') throw new RangeError('A count would leave the safe integers.');
  return answer === 'rewritten';
}

const rewrite = defineGuarded(`${BLOCKS}${FORGETTING}${ADD_GROUPS}
  local name, value = ARGV[2], ARGV[6]
  local writer, seq = parse_name(name)
  if not is_merged(writer, seq) or head_at(name) ~= ARGV[3] then return 'other' end
  if redis.call('STRLEN', key_of(name)) ~= tonumber(ARGV[4]) then return 'other' end
  if erased_of(name) ~= ARGV[8] then return 'other' end
  if not add_groups(ARGV[5]) then return 'unsafe' end
  if value == '' then
    forget(name, ARGV[3])
  else
    local head = line_of(value)
    redis.call('SET', key_of(name), value)
    put_texts(name, ARGV[7])
    unindex(name, ARGV[3])
    index({ name }, { head })
    redis.call('INCRBY', prefix .. 'journal:records', records_of(head) - records_of(ARGV[3]))
  end
  advance()
  return 'rewritten'`);
