import type { TextChange } from '../../../src/ports/index.ts';
import type { MarkedStore } from './marked-store.ts';
import { defineGuarded } from './script.ts';

/** The text under a name, after the change if there is one; `undefined` where the name has no text. */
export async function rememberText(
  { run }: MarkedStore,
  name: string,
  change?: TextChange,
): Promise<string | undefined> {
  const { from, to } = change ?? {};
  const args = [name, ...(to === undefined ? [] : [to]), ...(from === undefined ? [] : [from])];
  const found = await run((evaluate) => evaluate(remember, args));
  return typeof found === 'string' ? found : undefined;
}

/** ARGV[2] is the name, ARGV[3] what it is to be, and ARGV[4] what it has to be now; without ARGV[4] the name must have no text. */
const remember = defineGuarded(`
  local texts = prefix .. 'shared'
  local found = redis.call('HGET', texts, ARGV[2])
  if not ARGV[3] or (found or nil) ~= ARGV[4] then return found end
  redis.call('HSET', texts, ARGV[2], ARGV[3])
  advance()
  return ARGV[3]`);
