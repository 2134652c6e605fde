/** Divides agents into requests. Each request contains the whole chain of an agent. */

import { createBoundedMap } from '../base/bounded-map.ts';
import { MAX_ANCESTORS } from '../base/values/field-limits.ts';
import type { KnownPassport } from '../core/storage/caches.ts';
import type { Confirmed } from '../core/storage/record-cache.ts';
import type { Passport } from '../records.ts';
import type { Dated, Named } from './channel.ts';

/** The part of the memory from which requests are made. */
export interface PlanSource {
  /** Returns the agent and its ancestors, as far as they are in memory. */
  chainOf(agentId: string): readonly string[];
  parentOf(agentId: string): string | undefined;
  /**
   * Returns the lowest known descendant of this agent. An API key that sees the descendant also sees this agent, even
   * if it does not see this agent otherwise.
   */
  below(agentId: string): string | undefined;
  /**
   * Returns the version of an agent that the verifier knows: `''` if the agent does not exist, and `null` if nothing is
   * known. With `isDirect`, also returns `''` for an agent that the API key did not see in an earlier answer.
   */
  named(agentId: string, isDirect: boolean): string | null;
}

/** The agents of one request. */
export interface ConfirmPlan {
  readonly agents: Named;
  /** The parents of the named agents, from memory at the time of the request. */
  readonly parents: ReadonlyMap<string, string>;
  /**
   * The agents for which the answer shows whether the API key sees them. The request contains no known descendant of
   * these agents.
   */
  readonly direct: ReadonlySet<string>;
}

/** The maximum number of agents in a request. */
const MAX_AGENTS = 200;

interface Draft {
  readonly names: Set<string>;
  readonly direct: Set<string>;
  readonly above: Set<string>;
}

/**
 * Creates requests for two kinds of agents. For `direct` agents, the answer shows whether the API key sees them. Agents
 * in `idsAbove` are read only as ancestors. An agent and its descendant are in separate requests if both are `direct`.
 * In the same request, the answer would contain the ancestor even if the API key may not see it.
 */
export function plansFor(
  memory: PlanSource,
  direct: readonly string[],
  idsAbove: readonly string[] = [],
): readonly ConfirmPlan[] {
  const drafts: Draft[] = [];
  for (const id of direct) {
    const chain = memory.chainOf(id);
    const draft = draftFor(drafts, ({ names, direct: otherNames, above: higher }) => {
      const isApart = !higher.has(id) && !chain.slice(1).some((id) => otherNames.has(id));
      return isApart && names.size + chain.length <= MAX_AGENTS;
    });
    draft.direct.add(id);
    add(draft, chain);
  }
  for (const id of idsAbove) {
    const chain = memory.chainOf(memory.below(id) ?? id);
    const names = chain.includes(id) ? chain : [...chain, id];
    const draft = draftFor(drafts, ({ names: otherNames, direct: ownNames }) => {
      return !names.some((name) => ownNames.has(name)) && otherNames.size + names.length <= MAX_AGENTS;
    });
    add(draft, names);
  }
  return drafts.map(({ names, direct: ownNames }) => planOf(memory, names, ownNames));
}

function draftFor(drafts: Draft[], fits: (draft: Draft) => boolean): Draft {
  const foundDraft = drafts.find(fits);
  if (foundDraft !== undefined) return foundDraft;
  const draft: Draft = { names: new Set(), direct: new Set(), above: new Set() };
  drafts.push(draft);
  return draft;
}

function add({ names, above }: Draft, chain: readonly string[]): void {
  for (const [place, id] of chain.entries()) {
    names.add(id);
    if (place > 0) above.add(id);
  }
}

function planOf(memory: PlanSource, names: ReadonlySet<string>, direct: ReadonlySet<string>): ConfirmPlan {
  const agents: Record<string, string | null> = Object.create(null);
  const parents = new Map<string, string>();
  for (const id of names) {
    agents[id] = memory.named(id, direct.has(id));
    const parent = memory.parentOf(id);
    if (parent !== undefined) parents.set(id, parent);
  }
  return { agents, parents, direct };
}

// Finds the chain of an agent (the agent and its ancestors) in memory.

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
