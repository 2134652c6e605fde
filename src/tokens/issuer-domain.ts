import { issuerDomain, resourceNamed } from '../base/values/access-token.ts';
import { isDomain } from '../base/values/agent-id.ts';

/** Returns the domain of an issuer; `undefined` for anything but an https URL that ends with a domain. */
export function domainOfIssuer(issuer: unknown): string | undefined {
  const [base, last] = typeof issuer === 'string' ? issuer.split(/\/issuers\/(?=[^/]+$)/) : [];
  if (base === undefined || last === undefined || resourceNamed(base) === undefined) return undefined;
  const domain = issuerDomain(last);
  return isDomain(domain, { allowLocalhost: true }) ? domain : undefined;
}
