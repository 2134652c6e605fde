import { frame } from './frame.ts';
import { type Html, html } from './html.ts';

/** An answer, ready to be sent. */
export interface PageResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

const SECURITY = {
  'content-security-policy':
    "default-src 'none'; style-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
};

/** A whole page. */
export function textPage({ html: body }: Html): PageResponse {
  return page(200, 'text/html; charset=utf-8', body);
}

/** The style sheet of all pages. */
export function stylePage(body: string): PageResponse {
  return page(200, 'text/css; charset=utf-8', body);
}

/** The page of a failure. */
export function errorPage(status: 404 | 405, title: string, advice: string): PageResponse {
  const { html: body } = frame(
    title,
    html`<header class="lead"><p class="kicker">${status}</p><h1>${title}</h1><p>${advice}</p>
<p><a href="/">What runs here</a> · <a href="/reference">Reference</a></p></header>`,
  );
  const answer = page(status, 'text/html; charset=utf-8', body);
  return status === 405 ? { ...answer, headers: { ...answer.headers, allow: 'GET, HEAD' } } : answer;
}

function page(status: number, type: string, body: string): PageResponse {
  const length = `${new TextEncoder().encode(body).length}`;
  const headers = {
    'content-type': type,
    'content-length': length,
    'cache-control': 'no-cache',
    ...SECURITY,
  };
  return { status, headers, body };
}
