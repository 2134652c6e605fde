/** The domain that a request is for. */
import { trimWhiteSpace } from '../base/values/white-space.ts';
import { headerOf, isDoubled } from '../http/exchange.ts';

/**
 * Returns the domain as passports spell it, with a port other than 443 after `%3A`; `undefined` for a request that
 * names none or several. Does not check that it is a domain: a wrong one only selects another document.
 */
export function domainOf(
  rawHeaders: readonly string[],
  { proxies = 0, fallback }: { readonly proxies?: number; readonly fallback?: string } = {},
): string | undefined {
  const authority =
    (proxies > 0 ? forwardedHost(rawHeaders, proxies) : undefined) ??
    only(rawHeaders, ':authority') ??
    only(rawHeaders, 'host') ??
    fallback;
  const [, host, port] = /^([^:]+)(?::(\d{1,5}))?$/.exec(authority ?? '') ?? [];
  if (host === undefined) return undefined;
  const name = host.toLowerCase();
  return port === undefined || port === '443' ? name : `${name}%3A${port}`;
}

function only(rawHeaders: readonly string[], name: string): string | undefined {
  return isDoubled(rawHeaders, name) ? '' : headerOf(rawHeaders, name);
}

/**
 * Returns the last trusted `X-Forwarded-Host`. As with `X-Forwarded-For`, the nearest proxy appends on the right, and
 * values further left may be forged.
 */
function forwardedHost(rawHeaders: readonly string[], proxies: number): string | undefined {
  const hosts = rawHeaders
    .filter((_, index) => index % 2 === 1 && rawHeaders[index - 1]?.toLowerCase() === 'x-forwarded-host')
    .flatMap((value) => value.split(','))
    .map(trimWhiteSpace);
  return hosts[Math.max(0, hosts.length - proxies)];
}
