import type { TextChange } from '../../../src/ports/index.ts';
import type { GuardedStore } from './guarded-store.ts';
import { defineGuarded } from './script.ts';

/** Returns the text under a name, after the change, if one is given; `undefined` if the name has no text. */
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
 * Changes a text. ARGV[2] is the name, ARGV[3] the new text, ARGV[4] the text that must be there now; without ARGV[4]
 * there must be none.
 */
const remember = defineGuarded(`
  local texts = prefix .. 'shared'
  local found = redis.call('HGET', texts, ARGV[2])
  if not ARGV[3] or (found or nil) ~= ARGV[4] then return found end
  redis.call('HSET', texts, ARGV[2], ARGV[3])
  advance()
  return ARGV[3]`);
