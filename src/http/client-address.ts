import { trimWhiteSpace } from '../base/white-space.ts';
import { IdentityError } from '../errors.ts';

/** Whom to believe about the address of a client. */
export interface ProxyOptions {
  /**
   * How many proxies of yours stand before the server, each adding to `X-Forwarded-For`; default 0: the header is
   * not read, because any client can send it.
   */
  readonly trustProxy?: number;
}

/** The number of trusted proxies, or `invalid_configuration`. */
export function readTrustProxy({ trustProxy = 0 }: ProxyOptions): number {
  if (Number.isInteger(trustProxy) && trustProxy >= 0 && trustProxy <= 32) return trustProxy;
  throw new IdentityError('invalid_configuration', 'trustProxy must be the number of proxies, 0 to 32.');
}

/**
 * The address of the client behind this number of proxies, counted from the right, where the nearest proxy has written;
 * what stands further left may be made up.
 */
export function clientAddress(
  socketAddress: string | undefined,
  rawHeaders: readonly string[],
  proxies: number,
): string | undefined {
  if (proxies === 0) return socketAddress;
  const forwarded = rawHeaders
    .filter((_, index) => index % 2 === 1 && rawHeaders[index - 1]?.toLowerCase() === 'x-forwarded-for')
    .flatMap((value) => value.split(','));
  const chain = [...forwarded.map(trimWhiteSpace), socketAddress];
  return chain[Math.max(0, chain.length - 1 - proxies)];
}
