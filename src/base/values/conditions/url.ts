/**
 * Checks URLs in conditions. Accepts only a strict subset, which every parser reads in the same way. Does not follow
 * redirects or resolve names.
 */

const MAX_URL = 2_048;
const MAX_HOST = 253;
const MAX_PORT = 65_535;
const DEFAULT_PORTS: Readonly<Record<string, string>> = { https: '443', http: '80' };

const CHARACTERS = /^[!#-;=?-[\]_a-z~]+$/;
const PARTS = /^(https?):\/\/([A-Za-z0-9.*-]+)(?::([1-9][0-9]{0,4}))?(?:(\/[^?#]*)([?#].*)?)?$/;
const LABEL = /^[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?$/;
/** Matches a segment that consists of dots up to its first `;`, and an empty segment before the end. */
const UNCLEAR = /\/(?:\.+(?:[;/]|$)|\/)/;
/** Matches a `%` that does not encode a byte from 20 to 7E, or that encodes `%`, `.`, `/`, `;` or a backslash. */
const ENCODED = /%(?![2-7][0-9A-Fa-f])|%(?:7[Ff]|2[5EeFf]|3[Bb]|5[Cc])/;

interface UrlParts {
  readonly scheme: string;
  readonly host: string;
  /** The port; empty for the default port. */
  readonly port: string;
  readonly path: string;
  readonly rest: string;
  readonly hasDefaultPort: boolean;
}

function partsOf(text: string): UrlParts | undefined {
  if (text.length > MAX_URL || !CHARACTERS.test(text)) return undefined;
  const [, scheme, host, port = '', path = '', trail = ''] = PARTS.exec(text) ?? [];
  if (scheme === undefined || host === undefined || Number(port) > MAX_PORT) return undefined;
  const hasDefaultPort = port === DEFAULT_PORTS[scheme];
  return {
    scheme,
    host,
    port: hasDefaultPort ? '' : port,
    path,
    rest: trail,
    hasDefaultPort,
  };
}

function isUrlHost(text: string): boolean {
  return text.length <= MAX_HOST && text.split('.').every((label) => LABEL.test(label));
}

function isClearPath(path: string): boolean {
  return !UNCLEAR.test(path) && !ENCODED.test(path);
}

function bare(path: string): string {
  return path.endsWith('/') ? path.slice(0, -1) : path;
}

const STAR = '*.';

export function isUrlEntry(text: string): boolean {
  const parts = partsOf(text);
  if (parts === undefined || parts.hasDefaultPort || parts.rest !== '' || !isClearPath(parts.path))
    return false;
  const { host } = parts;
  if (host !== host.toLowerCase()) return false;
  if (!host.startsWith(STAR)) return isUrlHost(host);
  const suffix = host.slice(STAR.length);
  const labels = suffix.split('.');
  return isUrlHost(suffix) && labels.length >= 2 && /^[a-z]/.test(labels.at(-1) ?? '');
}

export function isUrlEntryWithin(entry: string, entries: readonly string[]): boolean {
  const inner = entryOf(entry);
  return entries.map(entryOf).some((outer) => {
    if (outer.scheme !== inner.scheme || outer.port !== inner.port) return false;
    if (outer.path !== '' && inner.path !== outer.path && !inner.path.startsWith(`${outer.path}/`))
      return false;
    if (outer.hostEnd === undefined) return inner.hostEnd === undefined && inner.host === outer.host;
    return (inner.hostEnd ?? inner.host).endsWith(outer.hostEnd);
  });
}

/** A prepared entry. `hostEnd` begins with a dot, and is set only if the entry covers sub-domains. */
interface UrlEntry extends Pick<UrlParts, 'scheme' | 'host' | 'port' | 'path'> {
  readonly hostEnd: string | undefined;
  readonly text: string;
}

function entryOf(entry: string): UrlEntry {
  const { scheme = '', host = '', port = '', path = '' } = partsOf(entry) ?? {};
  const hostEnd = host.startsWith(STAR) ? host.slice(1) : undefined;
  return {
    scheme,
    port,
    host,
    hostEnd,
    path: bare(path),
    text: bare(entry),
  };
}

/**
 * Matches the text after the entry in most URLs: segments that need no decoding and do not begin with a dot. A query or
 * a fragment may follow.
 */
const SIMPLE_REST = /^(?:\/[\w-][\w.-]*)*\/?(?:[?#][!#-;=?-[\]_a-z~]*)?$/;

function isSimplyBelow(text: string, entry: string, hasPath: boolean): boolean {
  if (!text.startsWith(entry)) return false;
  if (text.length === entry.length) return true;
  // Without a path in the entry, the rest could go on with the host or the port.
  return (hasPath || text.charCodeAt(entry.length) === SLASH) && SIMPLE_REST.test(text.slice(entry.length));
}

const SLASH = 0x2f;

export function urlTest(entries: readonly string[]): (value: unknown) => boolean {
  const allEntries = entries.map(entryOf);
  return (value) => {
    if (typeof value !== 'string' || value.length > MAX_URL) return false;
    if (
      allEntries.some(
        ({ text, path, hostEnd }) => hostEnd === undefined && isSimplyBelow(value, text, path !== ''),
      )
    )
      return true;
    const parts = partsOf(value);
    if (parts === undefined || !isUrlHost(parts.host)) return false;
    const host = parts.host.toLowerCase();
    return allEntries.some(({ scheme, port, host: hostName, hostEnd, path }) => {
      if (scheme !== parts.scheme || port !== parts.port) return false;
      const isHost = hostEnd === undefined ? host === hostName : host.endsWith(hostEnd);
      if (!isHost || path === '') return isHost;
      return isClearPath(parts.path) && (parts.path === path || parts.path.startsWith(`${path}/`));
    });
  };
}
