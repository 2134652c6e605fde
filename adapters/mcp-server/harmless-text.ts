/** Makes stored texts harmless. Agents and users write them, and a model reads them. */

const MAX_TEXT = 200;

/**
 * Matches invisible characters, and the texts that create links: `//`, `www.`, `](`, `mailto:`, `javascript:` and `<`.
 */
const UNSAFE =
  /(?! )[\p{C}\p{Z}\p{Default_Ignorable_Code_Point}]|<|(?<=\/)\/|(?<=www)\.|(?<=\])\(|(?<=mailto|javascript):/giu;

export function harmless(text: string): string {
  return text.replaceAll(UNSAFE, escaped);
}

export function shortened(text: string): { readonly text: string; readonly isCut: boolean } {
  // An escape takes the place of one character or more: no more than these are needed.
  const pieces = [...harmless(text.slice(0, 2 * MAX_TEXT + 2)).matchAll(PIECE)].map(([piece]) => piece);
  let length = 0;
  const fitting = pieces.findIndex((piece) => {
    length += [...piece].length;
    return length > MAX_TEXT;
  });
  if (fitting === -1) return { text: pieces.join(''), isCut: false };
  let keptPieces = pieces.slice(0, fitting);
  while ([...keptPieces.join('')].length >= MAX_TEXT) keptPieces = keptPieces.slice(0, -1);
  return { text: `${keptPieces.join('')}…`, isCut: true };
}

const PIECE = /\\u\{[0-9A-F]+\}|./gsu;

function escaped(character: string): string {
  return `\\u{${character.codePointAt(0)?.toString(16).toUpperCase()}}`;
}
