/** Finds the API keys of token requests, and the agents for which keys with the scope `token` get tokens. */
import { parseAgentId } from '../base/values/agent-id.ts';
import type { Core } from '../core/capabilities/capability.ts';
import type { KeyCaller } from '../core/shared/callers.ts';
import type { PublicPlaces } from '../core/storage/public-reads.ts';
import type { FoundAgent } from '../core/verification/ancestries.ts';
import { IdentityError } from '../errors.ts';
import type { Scope } from '../records.ts';
import type { Issue } from './issue.ts';
import { invalidClient } from './read-request.ts';

export interface GivenKey {
  readonly apiKey: string;
  readonly request_id: string | null;
}

/** Finds the caller of a key with this scope; throws `invalid_client` for any other key. */
export type FindKey = (key: GivenKey, scope: Scope) => Promise<KeyCaller>;

/**
 * Creates the look-up of API keys. The caller of a key outside the cache is unknown. The look-up therefore counts
 * against the limit of concurrent anonymous reads.
 */
export function createKeyLookup(core: Pick<Core, 'demanded' | 'caches'>, places: PublicPlaces): FindKey {
  const { monotonic } = core.caches;
  const callers = core.demanded('callers');

  async function find({ apiKey, request_id }: GivenKey): Promise<KeyCaller> {
    const atMs = monotonic();
    try {
      return (
        callers.peek(apiKey, atMs) ?? (await places.take(() => callers.find(apiKey, { request_id }, atMs)))
      );
    } catch (error) {
      if (error instanceof IdentityError && error.code === 'unauthenticated') throw invalidClient();
      throw error;
    }
  }

  return async (key, scope) => {
    const caller = await find(key);
    if (!caller.scopes.includes(scope)) throw invalidClient();
    return caller;
  };
}

export interface AgentOfKey {
  readonly agent: FoundAgent;
  readonly key: KeyCaller;
}

export interface NamedAgent extends GivenKey {
  readonly agent_id: string;
  readonly domain: string;
}

/**
 * Creates the authentication of agents by API keys. A key for all agents gets no token. If the passport requires proofs
 * of possession (its `proof` is not `optional`), an API key is not enough. The agent then needs a signed assertion.
 */
export function createKeyAuthentication(
  issue: Pick<Issue, 'find'>,
  findKey: FindKey,
): (namedAgent: NamedAgent) => Promise<AgentOfKey> {
  return async ({ agent_id, domain, ...input }) => {
    const key = await findKey(input, 'token');
    const isNamed = key.agent_ids?.includes(agent_id) === true;
    if (!isNamed || parseAgentId(agent_id, { allowLocalhost: true })?.domain !== domain)
      throw invalidClient();
    const agent = await issue.find(agent_id);
    const passport = agent.found;
    if (passport?.account_id !== key.account_id) throw invalidClient();
    if ((passport.prepared.passport.proof ?? 'optional') !== 'optional') throw invalidClient();
    return { agent, key };
  };
}
