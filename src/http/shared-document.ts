/** A document that every client may ask for: its bytes are made once, and all answers share them. */
import { hashing } from '../platform/index.ts';
import { zlib } from '../platform/zlib.ts';
import type { SharedDocument } from './endpoint.ts';
import { matchesEtag } from './etag.ts';
import { headerOf } from './exchange.ts';

interface Encoded {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly headers: Readonly<Record<string, string>>;
}

/** Makes a shared document of the text that `make` returns at the first request. */
export function sharedDocument(make: () => string): SharedDocument {
  let encoding: Promise<{ readonly plain: Encoded; readonly deflated: Encoded }> | undefined;
  return async (rawHeaders) => {
    encoding ??= encode(make());
    const { plain, deflated } = await encoding;
    const { bytes, headers } = acceptsDeflate(headerOf(rawHeaders, 'accept-encoding')) ? deflated : plain;
    const isKnown = matchesEtag(headerOf(rawHeaders, 'if-none-match'), headers['etag'] ?? '');
    return isKnown ? { headers, notModified: true } : { headers, body: bytes };
  };
}

async function encode(text: string): Promise<{ readonly plain: Encoded; readonly deflated: Encoded }> {
  const bytes = new TextEncoder().encode(text);
  const digest = hashing.sha256Hex(text).slice(0, 32);
  const headers = { vary: 'accept-encoding' };
  return {
    plain: { bytes, headers: { etag: `"${digest}"`, ...headers } },
    deflated: {
      bytes: new Uint8Array(await zlib.deflate(bytes)),
      headers: { etag: `"${digest}-deflate"`, 'content-encoding': 'deflate', ...headers },
    },
  };
}

/** Says whether `Accept-Encoding` names `deflate` with a weight above 0 (RFC 9110 section 12.5.3). */
function acceptsDeflate(header = ''): boolean {
  return header
    .split(',')
    .some((part) => /^\s*deflate\s*(?:;\s*q=(?!0(?:\.0*)?\s*$)[\d.]+\s*)?$/i.test(part));
}
