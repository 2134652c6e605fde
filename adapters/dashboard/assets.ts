import { type Endpoint, endpoints, openApiDocument, ROLES, type Role } from '../../src/http/index.ts';
import type { IdentityService } from '../../src/index.ts';
import type { DashboardOptions } from './options.ts';
import { html, icon, scripts, style } from './page.generated.ts';
import { referencePage } from './reference.ts';

export function createAssets(
  service: IdentityService,
  { api = 'api', login, signIn = '', signOut = '' }: DashboardOptions,
): Map<string, Asset> {
  const isHost = login === 'host';
  const servedEndpoints = endpoints
    .filter(({ needs }) => needs?.(service, isHost) ?? true)
    .filter(({ ownLogin = false }) => !(isHost && ownLogin));
  const page = html
    .replace('{{registration}}', isHost ? 'closed' : service.serving.registration)
    .replace('{{api}}', () => attribute(api))
    .replace('{{oidc}}', () => attribute(isHost ? '' : (service.serving.oidcLabel ?? '')))
    .replace('{{sign-in}}', () => attribute(signIn))
    .replace('{{sign-out}}', () => attribute(signOut));
  return new Map<string, Asset>([
    ['/', documentAsset(page)],
    ...Object.entries(scripts).map(
      ([name, text]) => [`/${name}`, asset('text/javascript; charset=utf-8', text)] as const,
    ),
    [
      '/roles.json',
      asset('application/json; charset=utf-8', JSON.stringify(refusalsByRole(servedEndpoints))),
    ],
    ['/app.css', asset('text/css; charset=utf-8', style)],
    ['/favicon.svg', asset('image/svg+xml', icon)],
    ['/reference', documentAsset(referencePage(openApiDocument(servedEndpoints, isHost), api).html)],
    ['/reference.css', asset('text/css; charset=utf-8', styleSheet)],
  ]);
}

/** Returns for each role the served endpoints that it may not call, such as `POST /keys`. */
function refusalsByRole(servedEndpoints: readonly Endpoint[]): Readonly<Record<string, readonly string[]>> {
  const isRefused = (endpoint: Endpoint, caller: Role): boolean => {
    const { role = ROLES } = endpoint;
    return !servedEndpoints.includes(endpoint) || !(role.includes(caller) || role.includes('self'));
  };
  const namesFor = (caller: Role): readonly string[] =>
    endpoints
      .filter((endpoint) => isRefused(endpoint, caller))
      .map(({ method, path }) => `${method} ${path}`);
  return Object.fromEntries(ROLES.map((caller) => [caller, namesFor(caller)]));
}

function attribute(text: string): string {
  return text.replaceAll(/[&"<>]/g, (mark) => `&#${mark.charCodeAt(0)};`);
}

const styleSheet: string = `html { scroll-behavior: smooth; scroll-padding-top: var(--s4); }
@media (prefers-reduced-motion: reduce) { html { scroll-behavior: auto; } }
.reference { max-width: 60rem; margin: 0 auto; padding: var(--s7) var(--s4); }
.reference > h2 { margin: var(--s7) 0 var(--s4); }
h4 { font-size: 12px; font-weight: 600; color: var(--quiet); margin: var(--s4) 0 var(--s1); }
.sheet { margin-bottom: var(--s4); }
.sheet > p { margin-top: var(--s1); }
.endpoint { display: flex; flex-wrap: wrap; align-items: baseline; gap: var(--s1) var(--s3); }
.path { font-family: var(--mono); font-size: 14px; overflow-wrap: anywhere; }
.method { font: 700 12px/1 var(--mono); min-width: 3.6rem; }
.get { color: var(--allow); } .post { color: var(--focus); } .patch { color: var(--wait); } .delete { color: var(--deny); }
.credential { margin-left: auto; color: var(--quiet); font-size: 13px; }
.contents { columns: 20rem; column-gap: var(--s6); list-style: none; margin-top: var(--s5); }
.contents li { break-inside: avoid; padding: 2px 0; display: flex; gap: var(--s2); align-items: baseline; }
.reference .contents a { margin: 0; padding: 0; background: none; color: var(--ink); overflow-wrap: anywhere; }
.contents a:hover { text-decoration: underline; }
.sheet .scroll { border: 0; border-radius: 0; background: none; margin-top: var(--s3); }
.sheet th, .sheet td { padding: 6px var(--s3) 6px 0; }
.sheet td:first-child { white-space: nowrap; width: 1%; max-width: none; }
.sheet td code { overflow-wrap: normal; }
.reference pre { overflow-x: auto; }
.sheet tbody tr:hover { background: none; }
td.type { min-width: 8rem; width: 22%; }
.must { color: var(--deny); font-size: 12px; margin-left: var(--s2); }
@media (max-width: 40rem) {
  .reference { padding-top: var(--s5); }
  .credential { margin-left: 0; width: 100%; }
  .sheet .scroll table { min-width: 34rem; }
}
`;

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

function documentAsset(body: string): Asset {
  return asset('text/html; charset=utf-8', body);
}

function asset(type: string, body: string): Asset {
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

/** Returns a hash of a file (two FNV-1a hashes of 32 bits) that distinguishes its versions. It gives no security. */
function fingerprint(text: string): string {
  let first = 0x811c9dc5;
  let second = 0x1000193;
  for (let index = 0; index < text.length; index++) {
    first = Math.imul(first ^ text.charCodeAt(index), 0x01000193);
    second = Math.imul(second ^ text.charCodeAt(text.length - 1 - index), 0x01000193);
  }
  return `${(first >>> 0).toString(36)}${(second >>> 0).toString(36)}`;
}
