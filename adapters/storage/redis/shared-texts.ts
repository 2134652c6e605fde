import type { TextChange } from '../../../src/ports/index.ts';
import type { GuardedStore } from './guarded-store.ts';
import { defineGuarded } from './script.ts';

export async function rememberText(
  { run }: GuardedStore,
  name: string,
  change?: TextChange,
): Promise<string | undefined> {
  const { from, to } = change ?? {};
  const args = [name, ...(to === undefined ? [] : [to]), ...(from === undefined ? [] : [from])];
  const found = await run((evaluate) => evaluate(remember, args));
  return typeof found === 'string' ? found : undefined;
}

/**
 * Changes a text. ARGV[2] is the name and ARGV[3] the new text. ARGV[4] is the expected present text; without ARGV[4],
 * the name must have no text.
 */
const remember = defineGuarded(`
  local texts = prefix .. 'shared'
  local found = redis.call('HGET', texts, ARGV[2])
  if not ARGV[3] or (found or nil) ~= ARGV[4] then return found end
  redis.call('HSET', texts, ARGV[2], ARGV[3])
  advance()
  return ARGV[3]`);
