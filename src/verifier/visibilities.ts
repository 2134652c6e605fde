/** Tracks the agents in verify requests, and whether the API key sees each of them. */
import { FRESH_MS } from '../core/storage/record-cache.ts';

/** The answer to whether the API key sees an agent. `hidden`: the agent does not exist, or the key may not see it. */
export type Visibility = 'seen' | 'hidden';

/** The agents of one verifier, and whether the API key sees them. */
export interface Visibilities {
  size(): number;
  /**
   * Returns whether the API key sees an agent, for a request that began at `at`, and records the request. Returns
   * `undefined` if the last confirmation is too old.
   */
  of(agentId: string, atMs: number): Visibility | undefined;
  /** Stores whether the API key saw an agent at `asOf`. */
  note(agentId: string, isSeen: boolean, asOf: number): void;
  /** Returns `true` if the API key did not see the agent at the last confirmation. */
  isHidden(agentId: string): boolean;
  /**
   * Returns the agents that were requested after `since` and for which `isThere` is true, the latest first, at most
   * `MAX_IN_USE`.
   */
  inUse(sinceMs: number, isThere: (agentId: string) => boolean): readonly string[];
  /**
   * Forgets the agents that were last requested before `since`. If there are very many such agents, each call forgets
   * only some of them.
   */
  forgetUnused(sinceMs: number): void;
  clear(): void;
}

interface Agent {
  askedAt: number;
  /**
   * The instant of the request that set the agent's position in the list: at most `PLACED_MS` before the last request.
   */
  placedAt: number;
  asOf: number;
  /** `true` if the API key sees the agent. An agent that is known only as an ancestor may be hidden from the key. */
  isSeen: boolean;
}

const MAX_IN_USE = 1_000;
/**
 * The milliseconds within which a further request does not change the position of an agent. Most verdicts therefore do
 * not change the map.
 */
const PLACED_MS = 100;
/** The maximum number of agents that one call forgets. 100,000 in one call would block the event loop. */
const MAX_FORGOTTEN = 10_000;

/** Creates an empty list of agents. */
export function createVisibilities(): Visibilities {
  /** All agents, sorted by position, the oldest first. */
  const agents = new Map<string, Agent>();
  /** The agents with the latest positions. Without this map, all agents would be searched three times a second. */
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
    of(agentId, atMs) {
      const agent = agents.get(agentId);
      if (agent === undefined) {
        const never = Number.NEGATIVE_INFINITY;
        place(agentId, { askedAt: atMs, placedAt: atMs, asOf: never, isSeen: false });
        return undefined;
      }
      agent.askedAt = atMs;
      if (atMs - agent.placedAt >= PLACED_MS) place(agentId, agent);
      if (!(atMs - agent.asOf < FRESH_MS)) return undefined;
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
    inUse: (sinceMs, isThere) =>
      [...latest]
        .filter(([id, { askedAt }]) => askedAt >= sinceMs && isThere(id))
        .sort(([, agent], [, otherAgent]) => otherAgent.askedAt - agent.askedAt)
        .map(([id]) => id),
    forgetUnused(sinceMs) {
      let leftCount = MAX_FORGOTTEN;
      for (const [id, { askedAt, placedAt }] of agents) {
        if (placedAt >= sinceMs || leftCount === 0) return;
        if (askedAt >= sinceMs) continue;
        leftCount -= 1;
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
