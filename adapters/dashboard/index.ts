/** The pages beside the API: what runs here, and a readable reference of its endpoints. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { homePage } from './home.ts';
import type { DashboardOptions } from './options.ts';
import { errorPage, type PageResponse, stylePage, textPage } from './page.ts';
import { referencePage } from './reference.ts';
import { styleSheet } from './style-sheet.ts';

/** Serves the pages; everything is rendered once, here. No script, and nothing from elsewhere. */
export function dashboardListener(
  options: DashboardOptions,
): (request: IncomingMessage, response: ServerResponse) => void {
  const pages: ReadonlyMap<string, PageResponse> = new Map([
    ['/', textPage(homePage(options))],
    ['/reference', textPage(referencePage(options))],
    ['/style.css', stylePage(styleSheet)],
  ]);
  const missing = errorPage(404, 'There is nothing here', 'The address may be misspelled.');
  const refused = errorPage(405, 'This page can only be read', 'Use GET. The API is below /api.');

  return (request, response) => {
    const path = (request.url ?? '/').split('?', 1)[0] ?? '/';
    const found = pages.get(path);
    const isRead = request.method === 'GET' || request.method === 'HEAD';
    const { status, headers, body } = found === undefined ? missing : isRead ? found : refused;
    response.writeHead(status, headers);
    response.end(request.method === 'HEAD' ? undefined : body);
    // A body that nobody reads would be taken for the next request.
    request.resume();
  };
}
