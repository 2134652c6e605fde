/**
 * Checks file paths in conditions. Accepts only a strict subset, which every parser reads in the same way. Does not
 * resolve links.
 */

const MAX_PATH = 4_096;

/**
 * The characters that a path must not have: control characters, a backslash, an encoded byte, and unpaired surrogates.
 * It also must not have an empty segment, or a character that NFKC turns into a dot, a slash or a backslash.
 */
const FORBIDDEN =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it looks for
  /[\u0000-\u001f\u007f\\\ud800-\udfff\u2024-\u2026\u2100\u2101\u2105\u2106\ufe19\ufe30\ufe52\ufe68\uff0e\uff0f\uff3c]|%[0-9A-Fa-f]{2}|\/\//u;

const DOTS = /(?:^|\/)[.\s]+(?:\/|$)/;

/**
 * Matches most paths quickly. Each segment has ASCII letters, digits, `_`, `-` and dots, and does not begin with a dot.
 */
const SIMPLE = /^\/?[\w-][\w.-]*(?:\/[\w-][\w.-]*)*\/?$/;

/** Says whether every parser reads the path in the same way. */
function isPath(text: string): boolean {
  if (text.length < 1 || text.length > MAX_PATH) return false;
  if (SIMPLE.test(text)) return true;
  return !text.startsWith('~') && text.trim() === text && !FORBIDDEN.test(text) && !DOTS.test(text);
}

/**
 * Says whether the text is an entry of `path_under`: a path without a final `/`. The entry `/` or `.` covers every
 * absolute or relative path.
 */
export function isPathEntry(text: string): boolean {
  return text === '/' || text === '.' || (isPath(text) && !text.endsWith('/'));
}

/**
 * Returns a function that says whether a value is a path that begins with all segments of an entry. The comparison is
 * case-sensitive.
 */
export function pathTest(entries: readonly string[]): (value: unknown) => boolean {
  const isAbsoluteFree = entries.includes('/');
  const isRelativeFree = entries.includes('.');
  const beginnings = entries.map((entry) => `${entry}/`);
  return (value) => {
    if (typeof value !== 'string' || !isPath(value)) return false;
    if (value.startsWith('/') ? isAbsoluteFree : isRelativeFree) return true;
    return entries.includes(value) || beginnings.some((beginning) => value.startsWith(beginning));
  };
}

export function isPathEntryWithin(entry: string, entries: readonly string[]): boolean {
  const isAbsolute = entry.startsWith('/');
  return entries.some((outer) => {
    if (outer === '/' || outer === '.') return isAbsolute === (outer === '/');
    return entry === outer || entry.startsWith(`${outer}/`);
  });
}
