/** Reads the public data of agents and domains: keys, and the state of the agent. */
import { formatAgentId, hostOf, isAgentName, isDomain } from '../base/values/agent-id.ts';
import type { DomainRecord } from '../core/domains/collections.ts';
import { besideId, isProven } from '../core/domains/owner.ts';
import type { PassportState } from '../core/passports/collections.ts';
import type { Context } from '../core/shared/context.ts';
import type { KnownPassport } from '../core/storage/caches.ts';
import type { PublicPlaces } from '../core/storage/public-reads.ts';
import { createPublicReads } from '../core/storage/public-reads.ts';
import { type PublishedState, publishedStateAt } from '../core/verification/ancestries.ts';
import type { AgentKey } from '../records/key.ts';
import type { Passport } from '../records.ts';

/** The public data of an agent. Calls return the same object until a field of it changes. */
export interface PublishedAgent {
  readonly agent_id: string;
  readonly domain: string;
  /** The version of its passport. */
  readonly version: number;
  /** The state at the time of the call. */
  readonly state: PublishedState;
  /** The keys; empty for an agent without keys. */
  readonly public_keys: readonly AgentKey[];
}

/** Limits a public read to one account. */
export interface PublishedOptions {
  /** Limits the result to the agents and domains of this account; default: all accounts. */
  readonly account_id?: string | undefined;
}

/** Reads public data. Uses a copy in memory that is less than a second old. */
export interface Published {
  /** The public address of the API. */
  readonly publicUrl: string | undefined;
  /** The seconds for which a DID document may be cached. */
  readonly maxAgeSeconds: number;
  /**
   * Returns the agent. Returns `undefined` if there is no such agent, or if its passport and its domain belong to
   * different accounts.
   *
   * @throws {IdentityError} `overloaded` if too many reads run at once.
   */
  agent(domain: string, agent_name: string, options?: PublishedOptions): Promise<PublishedAgent | undefined>;
  /**
   * Returns the keys that sign for a domain; `undefined` for a domain that no account has claimed.
   *
   * @throws {IdentityError} `overloaded` if too many reads run at once.
   */
  domain(domain: string, options?: PublishedOptions): Promise<readonly AgentKey[] | undefined>;
  /**
   * Returns the token with which the account proves that it controls the domain. Returns `undefined` if the account has
   * asked for none.
   *
   * @throws {IdentityError} `overloaded` if too many reads run at once.
   */
  token(domain: string, account_id: string): Promise<string | undefined>;
}

/** The parts that `createPublished` uses. */
export interface PublishedParts extends Pick<Published, 'publicUrl' | 'maxAgeSeconds'> {
  readonly jwks: () => Promise<{ readonly keys: readonly AgentKey[] }>;
  readonly places: PublicPlaces;
}

/** Creates the functions that read public data. */
export function createPublished(
  context: Pick<Context, 'caches' | 'clock' | 'allowLocalhost' | 'claimsDomains' | 'provesDomains'>,
  { publicUrl, maxAgeSeconds, jwks, places }: PublishedParts,
): Published {
  const { allowLocalhost, caches, clock } = context;
  const passports = createPublicReads(caches.passports, places, caches.monotonic);
  const domains = createPublicReads(caches.domains, places, caches.monotonic);
  const shownAgents = new WeakMap<KnownPassport, Map<PublishedState, PublishedAgent>>();

  function toPublished(knownPassport: KnownPassport): PublishedAgent {
    const passport = knownPassport.prepared.passport as Passport & PassportState;
    const state = publishedStateAt(passport, clock.now());
    const states = shownAgents.get(knownPassport) ?? new Map<PublishedState, PublishedAgent>();
    const agentBefore = states.get(state);
    if (agentBefore !== undefined) return agentBefore;
    const { agent_id, domain, version, public_keys = [] } = passport;
    const result = { agent_id, domain, version, state, public_keys };
    shownAgents.set(knownPassport, states.set(state, result));
    return result;
  }

  return {
    publicUrl,
    maxAgeSeconds,
    async agent(domain, agent_name, { account_id } = {}) {
      if (!isDomain(domain, { allowLocalhost }) || !isAgentName(agent_name)) return undefined;
      const passport = await passports.get(formatAgentId({ domain, agent_name }));
      if (passport === undefined) return undefined;
      if (account_id !== undefined && passport.account_id !== account_id) return undefined;
      // The present owner of the domain has not issued this passport.
      const claim = context.claimsDomains ? await domains.get(hostOf(domain)) : undefined;
      return claim === undefined || claim.account_id === passport.account_id
        ? toPublished(passport)
        : undefined;
    },
    async domain(domain, { account_id } = {}) {
      if (!context.claimsDomains || !isDomain(domain, { allowLocalhost })) return undefined;
      const host = hostOf(domain);
      const claim: DomainRecord | undefined = await domains.get(host);
      if (claim === undefined || (account_id !== undefined && claim.account_id !== account_id))
        return undefined;
      if (context.provesDomains && host !== 'localhost' && !isProven(claim)) return undefined;
      return (await jwks()).keys;
    },
    async token(domain, account_id) {
      if (!context.claimsDomains || !isDomain(domain, { allowLocalhost })) return undefined;
      const owner = await domains.get(domain);
      if (owner?.account_id === account_id) return owner.token;
      return (await domains.get(besideId(domain, account_id)))?.token;
    },
  };
}
