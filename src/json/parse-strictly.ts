/**
 * Reads JSON with the parser of the platform. Accepts exactly the texts that `readJson` accepts. Adds little to the
 * size of an entry point, because it does not name the position of a problem.
 */
import { MAX_BODY_MEMBERS } from '../base/values/json-data.ts';
import { exactNumber } from './json-number.ts';

const MAX_DEPTH = 32;

const STRINGS = /"[^"\\]*(?:\\.[^"\\]*)*"/g;
/**
 * Matches once for each member and element of a valid JSON text without its strings: the comma or bracket before it.
 */
const PARTS = /,|[[{](?!\s*[\]}])/g;
/** Each number of a valid JSON text without its strings. */
const NUMBERS = /-?\d[^\s,\]}]*/g;

/** Matches every text in UTF-8 that may contain the name `__proto__`, a lone surrogate or U+0000. */
const SUSPECT = /__proto__|\\u/;
const LONE_SURROGATE_OR_NUL = /\p{Surrogate}|\0/u;

/** Decodes UTF-8 and keeps U+FEFF (`ignoreBOM`), so that `JSON.parse` refuses a text that begins with it. */
const utf8 = /* @__PURE__ */ new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Reads a JSON text as strictly as `readJson`. Throws an error of any type for a refused text. */
export function parseStrictly(bytes: Uint8Array): unknown {
  const text = utf8.decode(bytes);
  const value: unknown = JSON.parse(text);
  const parts = partsOf(value, MAX_DEPTH);
  demand(parts <= MAX_BODY_MEMBERS);
  // A text that JSON.stringify writes in the same way has lost nothing. This takes half the time of the other check.
  demand(JSON.stringify(value) === text || isWhole(text, parts));
  if (SUSPECT.test(text)) JSON.parse(text, demandPlain);
  return value;
}

function partsOf(value: unknown, levels: number): number {
  if (typeof value !== 'object' || value === null) return 0;
  demand(levels > 0);
  const parts: unknown[] = Object.values(value);
  return parts.reduce<number>((count, part) => count + partsOf(part, levels - 1), parts.length);
}

/**
 * Returns `true` if a double has the exact value of each number, and no object has a name twice. With a repeated name,
 * the parsed value has fewer parts than the text.
 */
function isWhole(text: string, parts: number): boolean {
  const frame = text.replace(STRINGS, '"');
  const numbers = frame.match(NUMBERS) ?? [];
  return (
    (frame.match(PARTS) ?? []).length === parts &&
    numbers.every((number) => exactNumber(number) !== undefined)
  );
}

function demandPlain(name: string, value: unknown): void {
  const texts = typeof value === 'string' ? [name, value] : [name];
  demand(name !== '__proto__' && !texts.some((text) => LONE_SURROGATE_OR_NUL.test(text)));
}

function demand(isMet: boolean): void {
  if (!isMet) throw new SyntaxError('Programs may read this JSON text differently, or it is above a limit.');
}
