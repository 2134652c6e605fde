/** Finds the API keys of requests for tokens, and the agents that keys with the scope `token` get tokens for. */
import { parseAgentId } from '../base/values/agent-id.ts';
import type { Core } from '../core/capabilities/capability.ts';
import type { KeyCaller } from '../core/shared/callers.ts';
import type { PublicPlaces } from '../core/storage/public-reads.ts';
import type { FoundAgent } from '../core/verification/lineages.ts';
import { IdentityError } from '../errors.ts';
import type { Scope } from '../records.ts';
import { invalidClient } from './read-request.ts';

/** An API key that is not checked yet. */
export interface GivenKey {
  readonly apiKey: string;
  readonly request_id: string | null;
}

/** Finds the caller of a key with this scope; `invalid_client` for any other key. */
export type FindKey = (given: GivenKey, scope: Scope) => Promise<KeyCaller>;

/** Makes the look-up of keys. Reads for unknown keys share the limit of anonymous reads. */
export function createKeyLookup(core: Pick<Core, 'demanded' | 'caches'>, places: PublicPlaces): FindKey {
  const { monotonic } = core.caches;
  const callers = core.demanded('callers');

  async function find({ apiKey, request_id }: GivenKey): Promise<KeyCaller> {
    const at = monotonic();
    try {
      return callers.peek(apiKey, at) ?? (await places.take(() => callers.find(apiKey, { request_id }, at)));
    } catch (error) {
      if (error instanceof IdentityError && error.code === 'unauthenticated') throw invalidClient();
      throw error;
    }
  }

  return async (given, scope) => {
    const caller = await find(given);
    if (!caller.scopes.includes(scope)) throw invalidClient();
    return caller;
  };
}

/** An agent, and the key that gets a token for it. */
export interface AgentOfKey {
  readonly agent: FoundAgent;
  readonly key: KeyCaller;
}

/** The agent, the domain of its issuer, and the key. */
export interface NamedAgent extends GivenKey {
  readonly agent_id: string;
  readonly domain: string;
}

/**
 * Makes the authentication of agents by keys. A key for all agents gets no token, and a passport with `proof` other than
 * `optional` needs a signed assertion.
 */
export function createKeyAuthentication(
  core: Pick<Core, 'offered'>,
  findKey: FindKey,
): (named: NamedAgent) => Promise<AgentOfKey> {
  return async ({ agent_id, domain, ...given }) => {
    const key = await findKey(given, 'token');
    const isNamed = key.agent_ids?.includes(agent_id) === true;
    if (!isNamed || parseAgentId(agent_id, { allowLocalhost: true })?.domain !== domain)
      throw invalidClient();
    const agent = await core.offered('issue')?.find(agent_id);
    const found = agent?.found;
    if (agent === undefined || found?.account_id !== key.account_id) throw invalidClient();
    if ((found.prepared.passport.proof ?? 'optional') !== 'optional') throw invalidClient();
    return { agent, key };
  };
}
