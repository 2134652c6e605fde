/** A file of the dashboard, ready to be sent. */
export interface Asset {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  "img-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join('; ');

/** Makes the file of a page. */
export function documentAsset(body: string): Asset {
  return asset('text/html; charset=utf-8', body);
}

/** Makes a file of this media type. */
export function asset(type: string, body: string): Asset {
  const headers = {
    'content-type': type,
    'content-length': `${new TextEncoder().encode(body).length}`,
    'cache-control': 'no-cache',
    etag: `"${fingerprint(body)}"`,
    'content-security-policy': POLICY,
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
  };
  return { headers, body };
}

/** Hashes a file (two FNV-1a hashes of 32 bits) to distinguish its releases. It is no protection. */
function fingerprint(text: string): string {
  let one = 0x811c9dc5;
  let two = 0x1000193;
  for (let index = 0; index < text.length; index++) {
    one = Math.imul(one ^ text.charCodeAt(index), 0x01000193);
    two = Math.imul(two ^ text.charCodeAt(text.length - 1 - index), 0x01000193);
  }
  return `${(one >>> 0).toString(36)}${(two >>> 0).toString(36)}`;
}
