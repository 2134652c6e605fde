/** Finds the agents of an account under domains that it has lost. Their signed passports are invalid. */

import { turn } from '../../base/async/turns.ts';
import type { BoundedMap } from '../../base/bounded-map.ts';
import { hostOf } from '../../base/values/agent-id.ts';
import { claimedHost } from '../domains/record.ts';
import type { Context } from '../shared/context.ts';
import { everyPage, pageSize, recordsBy } from '../shared/record-lists.ts';

export type KnownLosses = BoundedMap<string, FoundAgents>;

interface FoundAgents {
  /** The losses with which they were found, as text. */
  readonly losses: string;
  readonly agents: readonly string[];
}

/** The number of records that are read at a time. */
const PAGE = 250;

/** The agents of one account that stay in memory; more are searched each time. */
const MAX_KEPT = 20_000;

/**
 * Returns the ids of the agents. It reads the passports of the account once for each loss, because no passport is
 * issued for a domain after its loss.
 */
export async function agentsOfLostDomains(
  { store }: Pick<Context, 'store'>,
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
