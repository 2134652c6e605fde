/**
 * Finds member names that some JSON readers confuse. Go's `encoding/json` ignores case if no name matches exactly, and
 * the last member wins. A reader in C ends a name at U+0000.
 */

const BEYOND_ASCII = /[^\0-\x7f]/gu;

/**
 * Returns the name in lower case, without U+0000 and without white space at its ends. U+017F and U+212A count as s and
 * k (simple case folding of Unicode).
 */
export function foldedName(name: string): string {
  if (isPlain(name)) return name.toLowerCase();
  const bare = name.replaceAll('\u0000', '').trim();
  return bare
    .replaceAll('\u017f', 's')
    .replaceAll('\u212a', 'k')
    .toLowerCase()
    .replace(BEYOND_ASCII, oneCase);
}

/**
 * Returns the same letter for all lower-case forms of a letter, such as the two forms of sigma. They share one upper
 * case.
 */
function oneCase(letter: string): string {
  const upper = letter.toUpperCase();
  const lower = upper.length === letter.length ? upper.toLowerCase() : letter;
  // The dotless i is a letter of its own.
  return lower < '\u0080' ? letter : lower;
}

export function foldedForms(name: string): readonly string[] {
  const end = name.indexOf('\u0000');
  return end === -1 ? [foldedName(name)] : [foldedName(name), foldedName(name.slice(0, end))];
}

export interface KnownName {
  readonly name: string;
  readonly folded: string;
}

export function knownName(name: string): KnownName {
  return { name, folded: foldedName(name) };
}

/** Says whether the object has another member whose name a reader may confuse with the known name. */
export function hasDisguise(object: object, name: KnownName): boolean {
  for (const ownName in object) if (ownName !== name.name && isReadAs(ownName, name)) return true;
  return false;
}

function isReadAs(ownName: string, { folded }: KnownName): boolean {
  // Called for each argument of a call: most names differ in their length.
  if (isPlain(ownName)) return ownName.length === folded.length && ownName.toLowerCase() === folded;
  return foldedForms(ownName).includes(folded);
}

/** Says whether `toLowerCase` is enough to fold the name. A regular expression takes several times as long. */
function isPlain(name: string): boolean {
  for (let index = 0; index < name.length; index += 1) {
    const code = name.charCodeAt(index);
    if (code <= 0x20 || code >= 0x7f) return false;
  }
  return true;
}
