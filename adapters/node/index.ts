/**
 * The entry point `./node`: domain verification on Node, and requests to hosts that untrusted users name, such as
 * webhooks.
 */
import { Resolver } from 'node:dns/promises';
import {
  type DomainProver,
  knownOptions,
  type OptionNames,
  type WebhookTransport,
} from '../../src/ports/index.ts';
import { createSafeFetch, type SafeFetch, type SafeFetchOptions } from './safe-fetch.ts';
import { webhookTransport } from './webhook-transport.ts';

export type { DomainProver, WebhookAnswer, WebhookRequest, WebhookTransport } from '../../src/ports/index.ts';
export { isGlobalAddress } from './global-address.ts';
export {
  createSafeFetch,
  type SafeFetch,
  SafeFetchError,
  type SafeFetchOptions,
  type SafeRequest,
} from './safe-fetch.ts';

/** Replacements for Node's network, for tests and for applications with their own network. */
export interface NodeDomainProverOptions extends Pick<SafeFetchOptions, 'ca' | 'dial'> {
  /** The resolver; default: the name servers of the system. */
  readonly resolver?: Resolver;
}

const OPTIONS: OptionNames<NodeDomainProverOptions> = { resolver: true, ca: true, dial: true };

/** The maximum number of bytes in a response body. A longer body cannot be a token. */
const MAX_BYTES = 4_096;
const TIMEOUT_MS = 5_000;

/**
 * Creates a prover for domain verification that uses the DNS and the network of this machine.
 *
 * @throws {IdentityError} `invalid_configuration` for an unknown option.
 */
export function nodeDomainProver(options: NodeDomainProverOptions = {}): DomainProver {
  const { resolver = newResolver(), ...otherFields } = knownOptions('nodeDomainProver', options, OPTIONS);
  const fetch = createSafeFetch({ ...otherFields, resolve: (host) => addressesOf(resolver, host) });
  return {
    async txt(name) {
      const records = await orNone(resolver.resolveTxt(name));
      return records.map((chunks) => chunks.join(''));
    },
    async text(url) {
      const answer = await fetch(url, { maxBytes: MAX_BYTES, timeoutMs: TIMEOUT_MS });
      if (!answer.ok) throw new TypeError(`The answer has status ${answer.status}.`);
      return answer.text();
    },
  };
}

/**
 * Creates a webhook transport that uses the DNS and the network of this machine.
 *
 * @throws {IdentityError} `invalid_configuration` for an unknown option.
 */
export function nodeWebhookTransport(options: NodeDomainProverOptions = {}): WebhookTransport {
  const { resolver = newResolver(), ...otherFields } = knownOptions('nodeWebhookTransport', options, OPTIONS);
  return webhookTransport(
    createSafeFetch({ ...otherFields, resolve: (host) => addressesOf(resolver, host) }),
  );
}

/** Fetches a URL with the DNS and the network of this machine, but only from public addresses. */
export const safeFetch: SafeFetch = (url, request) => {
  sharedFetch ??= createSafeFetch({ resolve: (host) => addressesOf(newResolver(), host) });
  return sharedFetch(url, request);
};

let sharedFetch: SafeFetch | undefined;

function newResolver(): Resolver {
  return new Resolver({ timeout: 2_000, tries: 2 });
}

/** Resolves both address families. Otherwise, a connection could use an unchecked address. */
async function addressesOf(resolver: Resolver, host: string): Promise<readonly string[]> {
  const addresses = await Promise.all([orNone(resolver.resolve4(host)), orNone(resolver.resolve6(host))]);
  return addresses.flat();
}

async function orNone<Entry>(askedPromise: Promise<readonly Entry[]>): Promise<readonly Entry[]> {
  try {
    return await askedPromise;
  } catch (error) {
    const { code } = Object(error) as { readonly code?: unknown };
    if (code === 'ENODATA' || code === 'ENOTFOUND') return [];
    throw error;
  }
}
