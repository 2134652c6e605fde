import { fetchHandler } from '../../src/http/index.ts';
import { type DocumentService, didHandler } from '../../src/identity/index.ts';
import type { IdentityService, PassportInput } from '../../src/index.ts';
import { type Opened, openLocalService, PUBLIC_URL, SECRET, type WholeOptions } from './service.ts';

export { PUBLIC_URL } from './service.ts';

export const ISSUER = 'did:web:example.com';
export const AGENT: string = `${ISSUER}:agents:shopper`;

/** A service without logins that signs passports. */
export function openSigningService(options: WholeOptions = {}): Opened {
  return openLocalService({ identity: { secret: SECRET, publicUrl: PUBLIC_URL }, ...options });
}

/** A passport to issue. */
export function shopper(fields: Partial<PassportInput> = {}): PassportInput {
  return {
    domain: 'example.com',
    agent_name: 'shopper',
    allowed_actions: ['payments.create', 'orders.*'],
    monetary_limit_per_txn: '100.50',
    currency: 'EUR',
    allowed_targets: ['did:web:shop.example.net', 'did:web:*.suppliers.example'],
    monetary_actions: ['payments.create'],
    ...fields,
  };
}

/**
 * The network as third parties see it: the public URLs of the service and the DID document of its domain. All other
 * requests fail.
 */
export function networkOf(
  service: IdentityService & DocumentService,
): typeof globalThis.fetch & { readonly asked: string[] } {
  const handle = fetchHandler(service);
  const documents = didHandler(service);
  const asked: string[] = [];
  const fetch: typeof globalThis.fetch = async (input, init) => {
    const url = String(input);
    asked.push(url);
    if (url.startsWith(`${PUBLIC_URL}/`)) return handle(new Request(url, init));
    const answer = url.startsWith('https://example.com/')
      ? await documents(new Request(url, init))
      : undefined;
    if (answer === undefined) throw new TypeError('There is no such host.');
    return answer;
  };
  return Object.assign(fetch, { asked });
}

/** The claims of a token, unverified. */
export function claimsOf(token: string): Record<string, unknown> {
  return partOf(token, 1);
}

/** The header of a token. */
export function headerOf(token: string): Record<string, unknown> {
  return partOf(token, 0);
}

function partOf(token: string, index: number): Record<string, unknown> {
  return JSON.parse(Buffer.from(token.split('.')[index] ?? '', 'base64url').toString());
}
