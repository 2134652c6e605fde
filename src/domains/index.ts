/** Domains: the claims of accounts on domains, and the proofs of these claims. */
import type { Capability, WholeCapability } from '../core/capabilities/capability.ts';
import type { CallOptions } from '../core/shared/callers.ts';
import { createDomains, type Domains, type HostDomains } from './domains.ts';
import { domainOperations } from './operations.ts';

export type { Capability } from '../core/capabilities/capability.ts';
export type { Actor, CallOptions } from '../core/shared/callers.ts';
export type { DomainClaim } from '../records/domain.ts';
export type { Domains, HostDomains, ReleaseOptions } from './domains.ts';
export type { DomainProofs, HostDomainProofs } from './proof.ts';

/** The methods for domains of one account, in `service.as(…)` and in the admin client. */
export interface DomainRooms<Options> {
  /** The claims of domains, and their proofs. */
  readonly domains: Domains<Options>;
}

/** The methods for domains of all accounts, in process. */
export interface HostDomainRooms {
  /** The claims of domains, and their proofs. */
  readonly domains: HostDomains;
}

/** The capability that `domains` returns. */
export type DomainCapability = Capability<HostDomainRooms, DomainRooms<CallOptions>>;

/**
 * Returns the capability that shows, verifies and releases the domains of accounts. Without it, an account still owns
 * each domain for which it issues a passport.
 *
 * @example
 * import { createIdentityService } from 'agent-identity-service';
 * import { domains } from 'agent-identity-service/domains';
 * import { memoryStorage } from 'agent-identity-service/storage/memory';
 *
 * const service = createIdentityService({ storage: memoryStorage(), capabilities: [domains()] });
 * const { status } = await service.domains.claim('example.com');
 * console.log(status); // pending
 */
export function domains(): DomainCapability {
  const capability: WholeCapability<HostDomainRooms, DomainRooms<CallOptions>> = {
    name: 'domains',
    operations: [domainOperations],
    open(core) {
      const room = createDomains(core);
      return {
        rooms: { domains: room },
        locals: [
          { room: 'domains', name: 'claim', ids: 0, place: 1, options: ['signal'], isOfAccounts: true },
          { room: 'domains', name: 'claimNow', ids: 0, place: 1, options: ['signal'] },
        ],
        offers: { claimDomain: room.claim },
        stop: async () => room.stop(),
      };
    },
  };
  return capability;
}
