/** E-mail addresses in conditions: one bare address, without a name, a comment or quotes. */

const MAX_ADDRESS = 254;
const MAX_LOCAL = 64;
const ADDRESS =
  /^(?!-)[\w+'=-]+(?:\.[\w+'=-]+)*@(?:[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?\.)+[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?$/;

function isAddress(text: string): boolean {
  return text.length <= MAX_ADDRESS && text.indexOf('@') <= MAX_LOCAL && ADDRESS.test(text);
}

/** Says whether the text is an entry of `email_in`: an address, or a domain after `@`, in lower case. */
export function isEmailEntry(text: string): boolean {
  return text === text.toLowerCase() && isAddress(text.startsWith('@') ? `a${text}` : text);
}

/** Returns the test of a value: it is an address that is named, or whose domain is named. ASCII case does not count. */
export function emailTest(entries: readonly string[]): (value: unknown) => boolean {
  const named = new Set(entries);
  return (value) => {
    if (typeof value !== 'string') return false;
    // Most values are an entry to the letter, and an entry is an address.
    if (named.has(value) && !value.startsWith('@')) return true;
    if (!isAddress(value)) return false;
    // The grammar has ASCII alone.
    const address = value.toLowerCase();
    return named.has(address) || named.has(address.slice(address.indexOf('@')));
  };
}
