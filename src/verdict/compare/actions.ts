/** Divides all actions into cells. Every list contains either all actions of a cell or none of them. */
import { type ActionSet, isAction } from '../../base/values/action.ts';

export interface Cell {
  readonly action: string;
  /** Bit `n` is set if list `n` contains the action. */
  readonly named: number;
}

const LONGEST = 128;

/**
 * The maximum length of a short continuation of a prefix. There are only few short continuations, so the lists may
 * contain all of them.
 */
const SHORT = 2;

/** The characters of an action. Letters and digits come first, because an action may begin with them. */
const CHARACTERS = [...'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-/.:'];

/**
 * Returns one cell for each set of lists that can contain the same action. A pattern is a prefix, so two patterns are
 * nested or have no action in common. Each entry therefore has a simple example that no narrower entry contains. The
 * example of an exact entry is the action. The example of a pattern is the prefix with a continuation.
 */
export function cellsOf(lists: readonly (ActionSet | undefined)[]): readonly Cell[] {
  const exact = new Map<string, number>();
  const patterns = new Map<string, number>();
  lists.forEach((list, place) => {
    for (const entry of list?.exact ?? []) exact.set(entry, (exact.get(entry) ?? 0) | (1 << place));
    for (const prefix of list?.patterns ?? [])
      patterns.set(prefix, (patterns.get(prefix) ?? 0) | (1 << place));
  });
  const cells = new Map<number, string>();
  const add = (action: string): void => {
    const named = (exact.get(action) ?? 0) | namedByPatterns(patterns, action);
    if (!cells.has(named)) cells.set(named, action);
  };
  for (const action of exact.keys()) add(action);
  for (const prefix of patterns.keys()) {
    const action = continuationOf(prefix, exact, patterns);
    if (action !== undefined) add(action);
  }
  return [...cells].map(([named, action]) => ({ action, named }));
}

function namedByPatterns(patterns: ReadonlyMap<string, number>, action: string): number {
  let named = patterns.get('') ?? 0;
  if (patterns.size === 0) return named;
  for (let end = 1; end < action.length; end += 1) {
    const last = action[end - 1];
    if (last === '.' || last === ':') named |= patterns.get(action.slice(0, end)) ?? 0;
  }
  return named;
}

function continuationOf(
  prefix: string,
  exact: ReadonlyMap<string, number>,
  patterns: ReadonlyMap<string, number>,
): string | undefined {
  for (const word of wordsOf(LONGEST - prefix.length)) {
    const action = prefix + word;
    const isNarrower = word.length === SHORT && patterns.has(action.slice(0, -1));
    if (!exact.has(action) && !isNarrower && isAction(action)) return action;
  }
  return undefined;
}

/**
 * Yields continuations of a prefix with at most `room` characters. If `room` is small, yields all of them.
 * Otherwise yields words without `.` and `:`. Every pattern ends with `.` or `:`, so a narrower pattern
 * cannot contain the prefix with such a word.
 */
function* wordsOf(room: number): Generator<string> {
  if (room > SHORT) {
    yield 'any';
    for (let number = 0; ; number += 1) {
      const word = number.toString(36);
      if (word.length > room) return;
      yield word;
    }
  }
  yield* CHARACTERS;
  if (room < SHORT) return;
  for (const first of CHARACTERS) for (const second of CHARACTERS) yield first + second;
}
