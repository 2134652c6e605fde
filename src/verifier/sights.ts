/** The agents that questions name, and what the key sees of each. */
import { FRESH_MS } from '../core/storage/record-cache.ts';

/** The sight of the key: `hidden` is an agent that is not there, or that the key may not see. */
export type KeySight = 'seen' | 'hidden';

/** The sights of one verifier. */
export interface Sights {
  size(): number;
  /** Returns the sight of an agent for a question that began at `at`, and notes the question; `undefined` if too old. */
  of(agentId: string, at: number): KeySight | undefined;
  /** Notes that the key saw an agent so at `asOf`. */
  note(agentId: string, isSeen: boolean, asOf: number): void;
  /** Says whether the key did not see the agent when this was last recorded. */
  isHidden(agentId: string): boolean;
  /** Returns the agents asked about since `since` of which `isThere` holds, the latest first, at most `MAX_IN_USE`. */
  inUse(since: number, isThere: (agentId: string) => boolean): readonly string[];
  /** Forgets agents that no question named since `since`; of very many, some at each call. */
  forgetUnused(since: number): void;
  clear(): void;
}

interface Agent {
  /** The instant of the last question about it. */
  askedAt: number;
  /** The instant of a question by which it has its place among the others: at most `PLACED_MS` before the last. */
  placedAt: number;
  /** An instant at which the key saw it so. */
  asOf: number;
  /** True if the key sees it. An agent that is only above a second agent may be hidden from the key. */
  isSeen: boolean;
}

/** The most agents that are confirmed while they are in use. */
const MAX_IN_USE = 1_000;
/** A question within this time of the one before leaves an agent at its place: a verdict costs no change of a map. */
const PLACED_MS = 100;
/** The most agents that one call forgets: 100,000 at once would hold the event loop. */
const MAX_FORGOTTEN = 10_000;

/** Makes empty sights. */
export function createSights(): Sights {
  /** All agents, the oldest place first. */
  const agents = new Map<string, Agent>();
  /** The agents of the latest places, so that no one looks through all of them three times a second. */
  const latest = new Map<string, Agent>();

  function place(agentId: string, agent: Agent): void {
    agent.placedAt = agent.askedAt;
    for (const places of [agents, latest]) {
      places.delete(agentId);
      places.set(agentId, agent);
    }
    if (latest.size <= MAX_IN_USE) return;
    for (const oldest of latest.keys()) {
      latest.delete(oldest);
      return;
    }
  }

  return {
    size: () => agents.size,
    of(agentId, at) {
      const agent = agents.get(agentId);
      if (agent === undefined) {
        const never = Number.NEGATIVE_INFINITY;
        place(agentId, { askedAt: at, placedAt: at, asOf: never, isSeen: false });
        return undefined;
      }
      agent.askedAt = at;
      if (at - agent.placedAt >= PLACED_MS) place(agentId, agent);
      if (!(at - agent.asOf < FRESH_MS)) return undefined;
      return agent.isSeen ? 'seen' : 'hidden';
    },
    note(agentId, isSeen, asOf) {
      const agent = agents.get(agentId);
      if (agent === undefined || agent.asOf > asOf) return;
      agent.asOf = asOf;
      agent.isSeen = isSeen;
    },
    isHidden(agentId) {
      const agent = agents.get(agentId);
      return agent !== undefined && !agent.isSeen && agent.asOf !== Number.NEGATIVE_INFINITY;
    },
    inUse: (since, isThere) =>
      [...latest]
        .filter(([id, { askedAt }]) => askedAt >= since && isThere(id))
        .sort(([, one], [, other]) => other.askedAt - one.askedAt)
        .map(([id]) => id),
    forgetUnused(since) {
      let left = MAX_FORGOTTEN;
      for (const [id, { askedAt, placedAt }] of agents) {
        if (placedAt >= since || left === 0) return;
        if (askedAt >= since) continue;
        left -= 1;
        agents.delete(id);
        latest.delete(id);
      }
    },
    clear() {
      agents.clear();
      latest.clear();
    },
  };
}
