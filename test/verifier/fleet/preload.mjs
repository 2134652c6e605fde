/**
 * Loaded before a program of the fleet: its wall clock is set by messages `{ offMs }`, and one line of its code is
 * another one where `FLEET_PATCH` says so, as `mutants.ts` writes it.
 */
import { register } from 'node:module';

let offMs = 0;
const now = Date.now.bind(Date);
globalThis.Date = class extends Date {
  constructor(...given) {
    super(...(given.length === 0 ? [now() + offMs] : given));
  }
  static now() {
    return now() + offMs;
  }
};
process.on('message', (message) => {
  if (message.offMs !== undefined) offMs = message.offMs;
});
// A program that does not talk to its parent ends as if this were absent.
process.channel?.unref();

const { FLEET_PATCH } = process.env;
if (FLEET_PATCH !== undefined)
  register(new URL('patch-hooks.mjs', import.meta.url), { data: JSON.parse(FLEET_PATCH) });
