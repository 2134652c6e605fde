/** The place of a value in `parameters`, as a condition names it. */

const MAX_POINTER = 256;
const MAX_NAMES = 8;
const POINTER = /^(?:\/(?:[^~/]|~[01])*)+$/;
const INDEX = /^(?:0|[1-9][0-9]*)$/;
const FORBIDDEN: readonly string[] = ['__proto__', '-'];

/** A step of the path: the name of a member, the index of an element, or `EVERY` for every element. */
export type Step = string | number;

/** The step to every element of an array. */
export const EVERY = -1;

/** Returns the steps of a JSON Pointer of 1 to 8 names; none for empty text. `undefined` for anything else. */
export function stepsOf(pointer: unknown): readonly Step[] | undefined {
  if (pointer === '') return [];
  if (typeof pointer !== 'string' || pointer.length > MAX_POINTER || !POINTER.test(pointer)) return undefined;
  const names = pointer.slice(1).split('/').map(nameOf);
  if (names.length > MAX_NAMES || names.some((name) => FORBIDDEN.includes(name))) return undefined;
  return names.map((name) => (name === '*' ? EVERY : INDEX.test(name) ? Number(name) : asKey(name)));
}

/** Returns the text as the engine keeps the names of members, so that a look-up compares no characters. */
function asKey(name: string): string {
  return Object.keys({ [name]: name })[0] ?? name;
}

function nameOf(escaped: string): string {
  return escaped.replaceAll('~1', '/').replaceAll('~0', '~');
}
