/** Divides agents into requests. Each request contains the whole chain of an agent. */
import type { Named } from './channel.ts';

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
export const MAX_AGENTS = 200;

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
