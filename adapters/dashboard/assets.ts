import { endpoints, openApiDocument } from '../../src/http/index.ts';
import type { IdentityService } from '../../src/index.ts';
import type { DashboardOptions } from './options.ts';
import { html, icon, scripts, style } from './page.generated.ts';
import { type Asset, asset, documentAsset } from './page.ts';
import { referencePage } from './reference.ts';
import { styleSheet } from './style-sheet.ts';

/** Makes every file of the dashboard once, by its path. */
export function createAssets(
  service: IdentityService,
  { api = 'api' }: DashboardOptions,
): Map<string, Asset> {
  const served = endpoints.filter(({ needs }) => needs?.(service) ?? true);
  const address = api.replaceAll(/[&"<>]/g, (mark) => `&#${mark.charCodeAt(0)};`);
  const page = html
    .replace('{{registration}}', service.serving.registration)
    .replace('{{api}}', () => address);
  return new Map<string, Asset>([
    ['/', documentAsset(page)],
    ...Object.entries(scripts).map(
      ([name, text]) => [`/${name}`, asset('text/javascript; charset=utf-8', text)] as const,
    ),
    ['/app.css', asset('text/css; charset=utf-8', style)],
    ['/favicon.svg', asset('image/svg+xml', icon)],
    ['/reference', documentAsset(referencePage(openApiDocument(served), api).html)],
    ['/reference.css', asset('text/css; charset=utf-8', styleSheet)],
  ]);
}
