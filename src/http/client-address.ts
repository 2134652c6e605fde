import { trimWhiteSpace } from '../base/values/white-space.ts';
import { IdentityError } from '../errors.ts';

/** Says how far a server trusts the address of its clients. */
export interface ProxyOptions {
  /**
   * The number of your proxies in front of the server, each of which appends to `X-Forwarded-For`. Default 0: the
   * header is ignored, because any client can send it.
   */
  readonly trustProxy?: number;
}

/**
 * Reads the number of trusted proxies.
 *
 * @throws {IdentityError} `invalid_configuration` for an invalid number.
 */
export function readTrustProxy({ trustProxy = 0 }: ProxyOptions): number {
  if (Number.isInteger(trustProxy) && trustProxy >= 0 && trustProxy <= 32) return trustProxy;
  throw new IdentityError('invalid_configuration', 'trustProxy must be the number of proxies, 0 to 32.');
}

/**
 * Returns the address of the client. Counts the proxies from the right end of `X-Forwarded-For`, because the nearest
 * proxy appends there. A client can forge the entries further left.
 */
export function clientAddress(
  socketAddress: string | undefined,
  rawHeaders: readonly string[],
  proxies: number,
): string | undefined {
  if (proxies === 0) return socketAddress;
  const forwardedNames = rawHeaders
    .filter((_, index) => index % 2 === 1 && rawHeaders[index - 1]?.toLowerCase() === 'x-forwarded-for')
    .flatMap((value) => value.split(','));
  const chain = [...forwardedNames.map(trimWhiteSpace), socketAddress];
  return chain[Math.max(0, chain.length - 1 - proxies)];
}
