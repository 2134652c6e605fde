import { usageError } from '../output/error.ts';

/**
 * Returns the API address in `text`. An address without a path gets the path of `serve`. Any other text is a usage
 * error.
 */
export function readBaseUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isPlain = url?.username === '' && url.password === '' && url.search === '' && url.hash === '';
  if (url === undefined || !isPlain || !/^https?:$/.test(url.protocol)) {
    throw usageError('--url must be like http://localhost:3000/api');
  }
  return `${url.origin}${url.pathname === '/' ? '/api' : url.pathname.replace(/\/+$/, '')}`;
}
