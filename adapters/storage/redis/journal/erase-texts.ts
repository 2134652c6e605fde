import type { BlockName } from '../../../../src/ports/index.ts';
import type { GuardedStore } from '../guarded-store.ts';
import { isRedisText } from '../keys.ts';
import { defineGuarded } from '../script.ts';
import { BLOCKS, toName } from './blocks.ts';

export interface TextErasure {
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
