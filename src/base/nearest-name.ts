/** The name among `known` that a misspelt one was most likely meant to be; `undefined` where none is near. */
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

/** No name is as long as this: what is compared takes time that grows with its length. */
const MAX_LENGTH = 64;

/** ` Did you mean …?` for a misspelt name; empty where none is near. */
export function suggestion(name: string, known: readonly string[]): string {
  const nearest = name.length > MAX_LENGTH ? undefined : nearestName(name, known);
  return nearest === undefined ? '' : ` Did you mean ${nearest}?`;
}

/** How many characters have to be put in, taken out or replaced (Levenshtein). */
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
