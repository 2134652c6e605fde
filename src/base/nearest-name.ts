/** Returns the name among `known` that a misspelt one most likely means; `undefined` when none is near. */
export function nearestName(name: string, known: readonly string[]): string | undefined {
  const most = Math.max(1, Math.floor(name.length / 3));
  let nearest: string | undefined;
  let least = most + 1;
  for (const candidate of known) {
    const distance = distanceOf(name.toLowerCase(), candidate.toLowerCase());
    if (distance < least) [nearest, least] = [candidate, distance];
  }
  return nearest;
}

/** The longest name that is compared: the time grows with the length, and no known name is longer. */
const MAX_LENGTH = 64;

/** Returns ` Did you mean …?` for a misspelt name; empty when no known name is near. */
export function suggestion(name: string, known: readonly string[]): string {
  const nearest = name.length > MAX_LENGTH ? undefined : nearestName(name, known);
  return nearest === undefined ? '' : ` Did you mean ${nearest}?`;
}

/** Returns the Levenshtein distance: the characters to insert, remove or replace. */
function distanceOf(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (let at = 1; at <= from.length; at += 1) {
    const next = [at];
    for (let column = 1; column <= to.length; column += 1) {
      const replaced = (row[column - 1] ?? 0) + (from[at - 1] === to[column - 1] ? 0 : 1);
      next.push(Math.min(replaced, (row[column] ?? 0) + 1, (next[column - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[to.length] ?? 0;
}
