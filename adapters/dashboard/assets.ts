import { type Endpoint, endpoints, openApiDocument, ROLES, type Role } from '../../src/http/index.ts';
import type { IdentityService } from '../../src/index.ts';
import type { DashboardOptions } from './options.ts';
import { html, icon, scripts, style } from './page.generated.ts';
import { type Asset, asset, documentAsset } from './page.ts';
import { referencePage } from './reference.ts';
import { styleSheet } from './style-sheet.ts';

/** Makes every file of the dashboard once, by its path. */
export function createAssets(
  service: IdentityService,
  { api = 'api', login, signIn = '', signOut = '' }: DashboardOptions,
): Map<string, Asset> {
  const isHost = login === 'host';
  const served = endpoints
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
    ['/roles.json', asset('application/json; charset=utf-8', JSON.stringify(refusalsByRole(served)))],
    ['/app.css', asset('text/css; charset=utf-8', style)],
    ['/favicon.svg', asset('image/svg+xml', icon)],
    ['/reference', documentAsset(referencePage(openApiDocument(served, isHost), api).html)],
    ['/reference.css', asset('text/css; charset=utf-8', styleSheet)],
  ]);
}

/** Returns, by role, the endpoints that it may not call here, each as `POST /keys`. */
function refusalsByRole(served: readonly Endpoint[]): Readonly<Record<string, readonly string[]>> {
  const isRefused = (endpoint: Endpoint, caller: Role): boolean => {
    const { role = ROLES } = endpoint;
    return !served.includes(endpoint) || !(role.includes(caller) || role.includes('self'));
  };
  const namesFor = (caller: Role): readonly string[] =>
    endpoints
      .filter((endpoint) => isRefused(endpoint, caller))
      .map(({ method, path }) => `${method} ${path}`);
  return Object.fromEntries(ROLES.map((caller) => [caller, namesFor(caller)]));
}

/** Escapes the value of an attribute. */
function attribute(text: string): string {
  return text.replaceAll(/[&"<>]/g, (mark) => `&#${mark.charCodeAt(0)};`);
}
