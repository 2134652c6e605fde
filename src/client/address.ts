import { misconfigured } from '../base/known-options.ts';
import { isManagementKey } from '../base/values/scopes.ts';

export function checkedBaseUrl(maker: string, text: unknown): string {
  const url = typeof text === 'string' && URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol))
    throw misconfigured(maker, 'baseUrl is not an http or https URL');
  if (url.username !== '' || url.password !== '') throw misconfigured(maker, 'baseUrl holds a password');
  if (url.search !== '' || url.hash !== '') throw misconfigured(maker, 'baseUrl has more than a path');
  return `${url.origin}${url.pathname.replace(/\/+$/, '')}`;
}

export function checkedApiKey(maker: string, value: unknown): string {
  const key = checkedSecret(maker, 'apiKey', 'an API key', value);
  if (!isManagementKey(key)) return key;
  throw misconfigured(maker, 'apiKey is a management key, which gets no verdicts');
}

export function checkedManagementKey(maker: string, value: unknown): string {
  const key = checkedSecret(maker, 'apiKey', 'a management key', value);
  if (isManagementKey(key)) return key;
  throw misconfigured(maker, 'apiKey is no management key: those begin with ais_manage_');
}

/**
 * Returns the text if a header can contain it. The check happens here because the error of `fetch` for an invalid
 * header contains the value.
 */
export function checkedSecret(maker: string, name: string, kind: string, value: unknown): string {
  if (typeof value === 'string' && /^[\x21-\x7e]+$/.test(value)) return value;
  throw misconfigured(maker, `${name} is not ${kind}`);
}
