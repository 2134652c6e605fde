import { usageError } from '../output/error.ts';

/** The address of the API at `text`, or a usage error. Without a path the API is where `serve` puts it. */
export function readBaseUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isPlain = url?.username === '' && url.password === '' && url.search === '' && url.hash === '';
  if (url === undefined || !isPlain || !/^https?:$/.test(url.protocol)) {
    throw usageError('--url must be like http://localhost:3000/api');
  }
  return `${url.origin}${url.pathname === '/' ? '/api' : url.pathname.replace(/\/+$/, '')}`;
}
