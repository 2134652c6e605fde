/** Divides agents into requests, each with the whole chain of an agent. */
import type { Named } from './channel.ts';

/** The knowledge of the memory by which requests are made. */
export interface PlanSource {
  /** Returns the agent and its parent agents, as far as they are in memory. */
  chainOf(agentId: string): readonly string[];
  parentOf(agentId: string): string | undefined;
  /** Returns the lowest known agent below this one, if one is known: without it the key may not see this one. */
  below(agentId: string): string | undefined;
  /** Returns the known version of an agent. With `isDirect`, `''` means that the key did not see the agent. */
  named(agentId: string, isDirect: boolean): string | null;
}

/** The agents of one request. */
export interface ConfirmPlan {
  readonly agents: Named;
  /** The parents of the named agents, as memory had them. */
  readonly parents: ReadonlyMap<string, string>;
  /** The agents whose sight the answer shows: no other agent of the request is known to be below one. */
  readonly direct: ReadonlySet<string>;
}

/** The most agents of a request. */
export const MAX_AGENTS = 200;

interface Draft {
  readonly names: Set<string>;
  readonly direct: Set<string>;
  /** The agents above the agents of `direct`. */
  readonly above: Set<string>;
}

/**
 * Makes the requests that show whether the key sees the `direct` agents, and the requests for agents that are only
 * looked up as `above` others. An agent above a second agent is named in a separate request. In the same request, the
 * answer would show it even if the key may not see it.
 */
export function plansFor(
  memory: PlanSource,
  direct: readonly string[],
  above: readonly string[] = [],
): readonly ConfirmPlan[] {
  const drafts: Draft[] = [];
  for (const id of direct) {
    const chain = memory.chainOf(id);
    const draft = draftFor(drafts, ({ names, direct: others, above: higher }) => {
      const isApart = !higher.has(id) && !chain.slice(1).some((one) => others.has(one));
      return isApart && names.size + chain.length <= MAX_AGENTS;
    });
    draft.direct.add(id);
    add(draft, chain);
  }
  for (const id of above) {
    const chain = memory.chainOf(memory.below(id) ?? id);
    const names = chain.includes(id) ? chain : [...chain, id];
    const draft = draftFor(drafts, ({ names: others, direct: own }) => {
      return !names.some((one) => own.has(one)) && others.size + names.length <= MAX_AGENTS;
    });
    add(draft, names);
  }
  return drafts.map(({ names, direct: own }) => planOf(memory, names, own));
}

function draftFor(drafts: Draft[], fits: (draft: Draft) => boolean): Draft {
  const found = drafts.find(fits);
  if (found !== undefined) return found;
  const draft: Draft = { names: new Set(), direct: new Set(), above: new Set() };
  drafts.push(draft);
  return draft;
}

function add({ names, above }: Draft, chain: readonly string[]): void {
  for (const [place, one] of chain.entries()) {
    names.add(one);
    if (place > 0) above.add(one);
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
