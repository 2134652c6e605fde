/** The grammars of addresses, paths and URLs (sections 3 and 4 of the contract), as regular expressions. */

/** The text with its ASCII letters in lower case, and nothing else changed. */
export function inLowerCase(text: string): string {
  return text.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
}

const LABEL = '[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?';
const LOCAL = "(?!-|\\.|.*\\.\\.|[^@]*\\.@)[A-Za-z0-9._+'=-]{1,64}";
const ADDRESS = new RegExp(`^${LOCAL}@${LABEL}(?:\\.${LABEL})+$`);
const MAIL_DOMAIN = new RegExp(`^@${LABEL}(?:\\.${LABEL})+$`);

export function isAddress(text: string): boolean {
  return text.length <= 254 && ADDRESS.test(text);
}

export function isMailDomain(text: string): boolean {
  return text.length <= 254 && MAIL_DOMAIN.test(text);
}

export function isMailTo(entries: readonly string[], value: string): boolean {
  if (!isAddress(value)) return false;
  const address = inLowerCase(value);
  return entries.includes(address) || entries.includes(address.slice(address.indexOf('@')));
}

/** White space as ECMAScript's `trim` has it is what `\s` matches. */
const NO_PATH: readonly RegExp[] = [
  /^$/,
  /^.{4097}/s,
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
  /[\u0000-\u001f\u007f\\]/,
  /\p{Surrogate}/u,
  /%[0-9A-Fa-f]{2}/,
  /^\s|\s$/,
  /^~/,
  /\/\//,
  /(?:^|\/)[.\s]+(?:\/|$)/,
];

/** The characters that NFKC turns into dots, or into text with a slash or a backslash. */
const LOOKS_LIKE_DOTS = /^\.+$/;

export function isPath(text: string): boolean {
  if (NO_PATH.some((pattern) => pattern.test(text))) return false;
  return (text.match(/[^\0-\x7f]/gu) ?? []).every((character) => {
    const other = character.normalize('NFKC');
    return other === character || !(LOOKS_LIKE_DOTS.test(other) || /[/\\]/.test(other));
  });
}

/** Whether the entry is the beginning of the path, up to a slash. */
export function isPathUnder(entry: string, path: string): boolean {
  if (entry === '/') return path.startsWith('/');
  if (entry === '.') return !path.startsWith('/');
  return path === entry || path.startsWith(`${entry}/`);
}

/** The parts of a URL of the strict subset. */
export interface UrlParts {
  readonly scheme: string;
  readonly host: string;
  readonly port: string;
  readonly path: string;
  readonly hasMore: boolean;
}

const URL_CHARACTERS = /^[!#-;=?-[\]_a-z~]{1,2048}$/;
const URL_FORM = /^(https?):\/\/([^/:]+)(?::([1-9][0-9]{0,4}))?(?:(\/[^?#]*)(\?[^#]*)?(#.*)?)?$/;
const HOST = new RegExp(`^(?=.{1,253}$)${LABEL}(?:\\.${LABEL})*$`);

/** The parts of the URL, or nothing. Its host is not looked at. */
export function urlParts(text: string): UrlParts | undefined {
  const match = URL_CHARACTERS.test(text) ? URL_FORM.exec(text) : null;
  if (match === null) return undefined;
  const [, scheme = '', host = '', port = '', path = '', query, fragment] = match;
  if (Number(port) > 65535) return undefined;
  return { scheme, host, port, path, hasMore: query !== undefined || fragment !== undefined };
}

export function isHost(host: string): boolean {
  return HOST.test(host);
}

export function defaultPortOf(scheme: string): string {
  return scheme === 'https' ? '443' : '80';
}

/** Whether no reader of URLs could see another path. */
export function isPlainUrlPath(path: string): boolean {
  const hasEmpty = /\/\//.test(path);
  const hasDots = /\/\.+(?:[;/]|$)/.test(path);
  const escapes = path.match(/%.{0,2}/g) ?? [];
  return !hasEmpty && !hasDots && escapes.every(isHarmlessEscape);
}

function isHarmlessEscape(encoded: string): boolean {
  if (!/^%[0-9A-Fa-f]{2}$/.test(encoded)) return false;
  const byte = Number.parseInt(encoded.slice(1), 16);
  return byte >= 0x20 && byte <= 0x7e && ![0x25, 0x2e, 0x2f, 0x3b, 0x5c].includes(byte);
}

export function isUrlUnder(entry: string, value: string): boolean {
  const [limit, url] = [urlParts(entry), urlParts(value)];
  if (limit === undefined || url === undefined || !isHost(url.host)) return false;
  const host = inLowerCase(url.host);
  const isThere = limit.host.startsWith('*.') ? host.endsWith(limit.host.slice(1)) : host === limit.host;
  const port = url.port === defaultPortOf(url.scheme) ? '' : url.port;
  if (!isThere || url.scheme !== limit.scheme || port !== limit.port) return false;
  const folder = limit.path.replace(/\/$/, '');
  if (folder === '') return true;
  return isPlainUrlPath(url.path) && (url.path === folder || url.path.startsWith(`${folder}/`));
}
