/** The agents that questions name, and what the key sees of each. */
import { FRESH_MS } from '../service/storage/record-cache.ts';

/** The sight of the key: `hidden` is an agent that is not there, or that the key may not see. */
export type KeySight = 'seen' | 'hidden';

/** The sights of one verifier. */
export interface Sights {
  readonly size: number;
  /** Returns the sight of an agent for a question that began at `at`, and notes the question; `undefined` if too old. */
  of(agentId: string, at: number): KeySight | undefined;
  /** Notes that the key saw an agent so at `asOf`. */
  note(agentId: string, isSeen: boolean, asOf: number): void;
  /** Returns the agents asked about since `since` of which `isThere` holds, the latest first, at most `limit`. */
  inUse(since: number, limit: number, isThere: (agentId: string) => boolean): readonly string[];
  /** Forgets the agents that no question named since `since`. */
  forgetUnused(since: number): void;
  clear(): void;
}

interface Agent {
  /** The instant of the last question about it. */
  askedAt: number;
  /** An instant at which the key saw it so. */
  asOf: number;
  /** True if the key sees it; one that is only above another agent may be hidden from the key. */
  isSeen: boolean;
}

/** Makes empty sights. */
export function createSights(): Sights {
  const agents = new Map<string, Agent>();

  return {
    get size() {
      return agents.size;
    },
    of(agentId, at) {
      const agent = agents.get(agentId);
      if (agent === undefined) {
        agents.set(agentId, { askedAt: at, asOf: Number.NEGATIVE_INFINITY, isSeen: false });
        return undefined;
      }
      agent.askedAt = at;
      if (!(at - agent.asOf < FRESH_MS)) return undefined;
      return agent.isSeen ? 'seen' : 'hidden';
    },
    note(agentId, isSeen, asOf) {
      const agent = agents.get(agentId);
      if (agent === undefined || agent.asOf > asOf) return;
      agent.asOf = asOf;
      agent.isSeen = isSeen;
    },
    inUse: (since, limit, isThere) =>
      [...agents]
        .filter(([id, { askedAt }]) => askedAt >= since && isThere(id))
        .sort(([, one], [, other]) => other.askedAt - one.askedAt)
        .slice(0, limit)
        .map(([id]) => id),
    forgetUnused(since) {
      for (const [id, { askedAt }] of agents) if (askedAt < since) agents.delete(id);
    },
    clear: () => agents.clear(),
  };
}
