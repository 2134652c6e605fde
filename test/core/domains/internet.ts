import { nodeDomainProver } from '../../../adapters/node/index.ts';
import type { IdentityServiceOptions } from '../../../src/core.ts';
import type { PassportInput } from '../../../src/index.ts';
import type { DomainProver } from '../../../src/ports/index.ts';
import type { DomainClaim } from '../../../src/types.ts';
import { PASSPORT } from '../../support/api.ts';
import { type DnsServer, openDnsServer } from '../../support/dns-server.ts';
import { HOUR, type Opened, openService, PASSWORD } from '../../support/service.ts';
import { openTlsServer, type TlsServer } from '../../support/tls-server.ts';

export const HOST = 'shop.example';
export const GLOBAL = '93.184.216.34';
export const DAY: number = 24 * HOUR;

/** The Internet of the test: a name server, and a web server that answers `pages` by their path. */
interface Internet {
  readonly dns: DnsServer;
  readonly web: TlsServer;
  readonly pages: Map<string, string>;
  readonly domainProver: DomainProver;
}

async function openInternet(): Promise<Internet> {
  const pages = new Map<string, string>();
  const dns = await openDnsServer();
  const web = await openTlsServer([HOST], ({ url = '' }, response) => {
    const page = pages.get(url);
    response.writeHead(page === undefined ? 404 : 200).end(page);
  });
  dns.set(HOST, { a: [GLOBAL] });
  const { ca, dial } = web;
  return { dns, web, pages, domainProver: nodeDomainProver({ ca, dial, resolver: dns.resolver }) };
}

/** A service, the Internet around it, and two accounts. */
export interface DomainStage extends Opened, Internet {
  readonly ann: { readonly account_id: string };
  readonly bob: { readonly account_id: string };
  /** Makes the TXT record of the claim. */
  publish(claim: DomainClaim): void;
}

export async function openDomains(options: Partial<IdentityServiceOptions> = {}): Promise<DomainStage> {
  const internet = await openInternet();
  const opened = openService({ domainProver: internet.domainProver, ...options });
  const { service } = opened;
  const account = async (email: string) => ({
    account_id: (await service.accounts.create({ email, password: PASSWORD })).id,
  });
  const [ann, bob] = [await account('ann@example.com'), await account('bob@example.com')];
  const publish = ({ dns }: DomainClaim) =>
    internet.dns.set(dns?.name ?? '', { txt: ['v=spf1 -all', dns?.value ?? ''] });
  return { ...opened, ...internet, ann, bob, publish };
}

export const PAGE = '/.well-known/agent-identity';
export const input: PassportInput = { ...PASSPORT, domain: HOST };
