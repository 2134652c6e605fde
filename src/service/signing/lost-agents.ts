/** The agents of an account for domains that it has lost: what was signed for them counts no longer. */
import { hostOf } from '../../base/agent-id.ts';
import type { BoundedMap } from '../../base/bounded-map.ts';
import { turn } from '../../base/turns.ts';
import { claimedHost } from '../passports/domain-record.ts';
import type { Context } from '../shared/context.ts';
import { everyPage, pageSize, recordsBy } from '../shared/record-lists.ts';

/** The agents that were found, by account. */
export type KnownLosses = BoundedMap<string, FoundAgents>;

interface FoundAgents {
  /** The losses that they were looked for with, as text. */
  readonly losses: string;
  readonly agents: readonly string[];
}

/** Records that are read at a time. */
const PAGE = 250;

/** Agents of one account that stay in memory; where there are more they are looked for each time. */
const MAX_KEPT = 20_000;

/**
 * Their ids. The passports of the account are read once for each loss: for a domain that is lost no passport is issued
 * any more.
 */
export async function agentsOfLostDomains(
  { store }: Context,
  account_id: string,
  known: KnownLosses,
): Promise<readonly string[]> {
  const lost = new Map<string, string | null>();
  for await (const page of everyPage(recordsBy(store, 'domains', { account_id }), pageSize(PAGE))) {
    for (const record of page) {
      if (record.status === 'lost') lost.set(claimedHost(record), record.changed_at);
    }
    await turn();
  }
  if (lost.size === 0) return [];
  const losses = JSON.stringify([...lost]);
  const before = known.get(account_id);
  if (before?.losses === losses) return before.agents;
  const agents: string[] = [];
  for await (const page of everyPage(recordsBy(store, 'passports', { account_id }), pageSize(PAGE))) {
    for (const { id, domain } of page) if (lost.has(hostOf(domain))) agents.push(id);
    await turn();
  }
  if (agents.length <= MAX_KEPT) known.set(account_id, { losses, agents });
  return agents;
}
