/**
 * Finds the agents of an account under domains with the status `lost`: another account has verified the domain, or an
 * operator has taken it away. The signed passports of these agents are invalid.
 */

import { turn } from '../base/async/turns.ts';
import type { BoundedMap } from '../base/bounded-map.ts';
import { hostOf } from '../base/values/agent-id.ts';
import { claimedHost } from '../core/domains/owner.ts';
import type { Context } from '../core/shared/context.ts';
import { everyPage, pageSize, recordsBy } from '../core/shared/record-lists.ts';

export type KnownLosses = BoundedMap<string, FoundAgents>;

interface FoundAgents {
  /** The lost domains at the time of the search, as JSON text. If they change, the search is repeated. */
  readonly losses: string;
  readonly agents: readonly string[];
}

const AGENT_PAGE = 250;

/** The maximum number of agents of one account that are cached. If there are more, every call searches again. */
const MAX_KEPT = 20_000;

/**
 * Returns the ids of the agents under lost domains. Reads the passports again only after a further loss, because no
 * passport is issued for a lost domain.
 */
export async function agentsOfLostDomains(
  { store }: Pick<Context, 'store'>,
  account_id: string,
  knownLosses: KnownLosses,
): Promise<readonly string[]> {
  const lostMap = new Map<string, string | null>();
  for await (const page of everyPage(recordsBy(store, 'domains', { account_id }), pageSize(AGENT_PAGE))) {
    for (const record of page) {
      if (record.status === 'lost') lostMap.set(claimedHost(record), record.changed_at);
    }
    await turn();
  }
  if (lostMap.size === 0) return [];
  const losses = JSON.stringify([...lostMap]);
  const agentsBefore = knownLosses.get(account_id);
  if (agentsBefore?.losses === losses) return agentsBefore.agents;
  const agents: string[] = [];
  for await (const page of everyPage(recordsBy(store, 'passports', { account_id }), pageSize(AGENT_PAGE))) {
    for (const { id, domain } of page) if (lostMap.has(hostOf(domain))) agents.push(id);
    await turn();
  }
  if (agents.length <= MAX_KEPT) knownLosses.set(account_id, { losses, agents });
  return agents;
}
