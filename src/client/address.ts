import { misconfigured } from '../base/known-options.ts';

/** Returns the URL without a slash at its end. Throws `invalid_configuration` for one with more than an address. */
export function checkedBaseUrl(maker: string, text: unknown): string {
  const url = typeof text === 'string' && URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol))
    throw misconfigured(maker, 'baseUrl is not an http or https URL');
  if (url.username !== '' || url.password !== '') throw misconfigured(maker, 'baseUrl holds a password');
  if (url.search !== '' || url.hash !== '') throw misconfigured(maker, 'baseUrl has more than a path');
  return `${url.origin}${url.pathname.replace(/\/+$/, '')}`;
}

/**
 * Returns the text if a header can carry it. It is checked here because the error of a bad header contains its value.
 */
export function checkedSecret(maker: string, name: string, kind: string, value: unknown): string {
  if (typeof value === 'string' && /^[\x21-\x7e]+$/.test(value)) return value;
  throw misconfigured(maker, `${name} is not ${kind}`);
}
