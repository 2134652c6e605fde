/** Finds the chain of an agent (the agent and its ancestors) in memory. */
import { createBoundedMap } from '../base/bounded-map.ts';
import { MAX_ANCESTORS } from '../base/values/field-limits.ts';
import type { KnownPassport } from '../core/storage/caches.ts';
import type { Confirmed } from '../core/storage/record-cache.ts';
import type { Passport } from '../records.ts';
import type { Dated } from './channel.ts';
import type { ConfirmPlan } from './plans.ts';

export interface Chains {
  /** Returns the agent and its ancestors, as far as they are in memory. */
  chainOf(agentId: string): readonly string[];
  parentOf(agentId: string): string | undefined;
  /** Returns the lowest known descendant of this agent. Returns `undefined` if none is known. */
  below(agentId: string): string | undefined;
  note(agentId: string, parentId: string): void;
  /**
   * Returns `true` if the answer contains a child agent of this agent. An API key that sees a child agent also sees the
   * parent. A parent that is missing in the answer therefore does not exist.
   */
  isAboveShown(id: string, plan: ConfirmPlan, answer: Dated): boolean;
  aboveIn(plan: ConfirmPlan, answer: Dated): ReadonlySet<string>;
}

const LEAST_PARENTS = 10_000;

export function createChains(passports: {
  readonly held: (id: string) => Confirmed<KnownPassport> | undefined;
}): Chains {
  const children = createBoundedMap<string, string>(LEAST_PARENTS);
  const parentOf = (id: string): string | undefined => passports.held(id)?.value?.parent_agent_id;

  return {
    parentOf,
    below(id) {
      let lowest = children.get(id);
      for (let depth = 1; depth < MAX_ANCESTORS && lowest !== undefined; depth += 1) {
        const next = children.get(lowest);
        if (next === undefined) break;
        lowest = next;
      }
      return lowest;
    },
    note: (id, parentId) => children.set(parentId, id),
    chainOf(agentId) {
      const chain = [agentId];
      let next = parentOf(agentId);
      while (next !== undefined && chain.length <= MAX_ANCESTORS) {
        chain.push(next);
        next = parentOf(next);
      }
      return chain;
    },
    isAboveShown(id, { agents: namedAgents, parents }, { passports: foundPassports, unread }) {
      const isParentOf = (child: string): boolean => {
        if (Object.hasOwn(foundPassports, child)) return foundPassports[child]?.parent_agent_id === id;
        return Boolean(namedAgents[child]) && parents.get(child) === id && !unread.includes(child);
      };
      return Object.keys(namedAgents).some(isParentOf) || Object.keys(foundPassports).some(isParentOf);
    },
    aboveIn({ agents: namedAgents, parents }, { passports: foundPassports }) {
      const idsAbove = new Set<string>();
      for (const id of Object.keys(namedAgents)) {
        let next: unknown = id;
        for (let depth = 0; depth <= MAX_ANCESTORS && typeof next === 'string'; depth += 1) {
          const shownPassport: Passport | null | undefined = Object.hasOwn(foundPassports, next)
            ? foundPassports[next]
            : undefined;
          next = shownPassport?.parent_agent_id ?? parents.get(next) ?? parentOf(next);
          if (typeof next === 'string') idsAbove.add(next);
        }
      }
      return idsAbove;
    },
  };
}
