/** The memory of a verifier: the passports, whether its API key sees them, and when both were confirmed. */

import { type ActionSet, matchesAction } from '../base/values/action.ts';
import type { PassportRecord } from '../core/passports/collections.ts';
import type { KnownPassport } from '../core/storage/caches.ts';
import { type ConfirmedCache, FRESH_MS } from '../core/storage/record-cache.ts';
import type { Policy } from '../verdict/policy.ts';
import { preparationOf } from '../verdict/prepare.ts';
import type { Dated } from './channel.ts';
import {
  type Blocks,
  createBlocks,
  createConfirmations,
  type HeldPassports,
  knowledgeOf,
} from './confirmations.ts';
import { type Chains, type ConfirmPlan, createChains, type PlanSource } from './plans.ts';

/** The memory of one verifier. */
export interface Memory extends PlanSource {
  /** Returns the number of agents that verify requests have named. */
  size(): number;
  /** Returns the instant of the latest answer that confirmed something, and the storage's time at that instant. */
  anchor(): { readonly asOf: number; readonly storeMs: number };
  /** Returns the storage's time at an instant of the verifier's own clock. */
  presentOf(elapsedMs: number): number;
  /**
   * Returns whether the API key sees an agent, for a request that began at `at`, and records the request. Returns
   * `undefined` if the last confirmation is too old.
   */
  visibility(agentId: string, atMs: number): Visibility | undefined;
  /** Returns `true` if the service must be asked about an agent. */
  isBlocked(agentId: string): boolean;
  /**
   * Returns the agents for which every allowed intent must go to the service. Only agents that were requested after
   * `since`, at most 1,000.
   */
  alwaysAsked(sinceMs: number): readonly AlwaysAsked[];
  /** Returns the agents in memory that were requested after `since`, the latest first, at most 1,000. */
  inUse(sinceMs: number): readonly string[];
  /** Returns `true` if the answer contains agents that are neither in the request nor ancestors of its agents. */
  hasOtherAgents(plan: ConfirmPlan, answer: Dated): boolean;
  /** Stores the answer to a request. Returns `true` if it changed anything. */
  apply(plan: ConfirmPlan, answer: Dated): boolean;
  /** Forgets the agents that were last requested before `since`. */
  forgetUnused(sinceMs: number): void;
  forgetAll(): void;
}

const MAX_NAMED = 1_000;

export function createMemory(
  passports: ConfirmedCache<PassportRecord, KnownPassport>,
  elapsedTime: () => number,
): Memory {
  const visibilities = createVisibilities();
  const chains = createChains(passports);
  const blocks = createBlocks(passports, elapsedTime);
  const confirmations = createConfirmations(passports, chains, blocks.block);
  const { isBlocked } = blocks;
  const isThere = (id: string): boolean =>
    (passports.held(id) || visibilities.isHidden(id)) && !isBlocked(id);
  let anchor = { asOf: Number.NEGATIVE_INFINITY, storeMs: Number.NaN };

  /** Confirms the agents of the request that the answer leaves out, because nothing has changed. */
  function confirmNamed(plan: ConfirmPlan, answer: Dated, idsAbove: ReadonlySet<string>): void {
    const { asOf, passports: foundPassports } = answer;
    const knownNames = new Set([...Object.keys(foundPassports), ...answer.unread]);
    for (const [id, knowledge] of Object.entries(plan.agents)) {
      if (knownNames.has(id)) continue;
      const isHidden = knowledge === '';
      if (!isHidden || chains.isAboveShown(id, plan, answer)) confirmations.named(id, knowledge, asOf);
      const isCertain = knowledge !== null && (isHidden || !idsAbove.has(id));
      if (isCertain && plan.direct.has(id)) visibilities.note(id, !isHidden, asOf);
    }
  }

  return {
    size: () => visibilities.size(),
    anchor: () => anchor,
    presentOf: (elapsedMs) => anchor.storeMs + (elapsedMs - anchor.asOf),
    visibility: visibilities.of,
    isBlocked,
    chainOf: chains.chainOf,
    parentOf: chains.parentOf,
    below: chains.below,
    named(agentId, isDirect) {
      if (isDirect && visibilities.isHidden(agentId)) return '';
      const confirmation = passports.held(agentId);
      return confirmation === undefined ? null : knowledgeOf(confirmation.value);
    },
    alwaysAsked: (sinceMs) => alwaysAskedOf({ passports, visibilities, chains, blocks }, sinceMs),
    inUse: (sinceMs) => visibilities.inUse(sinceMs, isThere),
    hasOtherAgents(plan, answer) {
      const idsAbove = chains.aboveIn(plan, answer);
      const isNamed = (id: string) => Object.hasOwn(plan.agents, id);
      return (
        Object.keys(answer.passports).some((id) => !isNamed(id) && !idsAbove.has(id)) ||
        !answer.unread.every(isNamed)
      );
    },
    apply(plan, answer) {
      const { passports: foundPassports, asOf, storeMs } = answer;
      const idsAbove = chains.aboveIn(plan, answer);
      let hasNews = answer.unread.length > 0;
      for (const [id, passport] of Object.entries(foundPassports)) {
        let isNews: boolean;
        if (passport !== null) isNews = confirmations.found(id, passport, ownOf(plan.agents, id), answer);
        else if (chains.isAboveShown(id, plan, answer)) isNews = confirmations.absent(id, asOf);
        else isNews = confirmations.hidden(id);
        hasNews ||= isNews;
      }
      confirmNamed(plan, answer, idsAbove);
      for (const [id, passport] of Object.entries(foundPassports)) {
        const isDirect = plan.direct.has(id) && !idsAbove.has(id);
        if (passport === null || isDirect) visibilities.note(id, passport !== null, asOf);
      }
      if (asOf > anchor.asOf) anchor = { asOf, storeMs };
      return hasNews;
    },
    forgetUnused: visibilities.forgetUnused,
    forgetAll() {
      visibilities.clear();
      passports.forgetAll();
    },
  };
}

interface Parts {
  readonly passports: Pick<HeldPassports, 'held'>;
  readonly visibilities: Visibilities;
  readonly chains: Chains;
  readonly blocks: Blocks;
}

function alwaysAskedOf(
  { passports, visibilities, chains, blocks }: Parts,
  sinceMs: number,
): readonly AlwaysAsked[] {
  const ids = new Set([...blocks.list(), ...visibilities.inUse(sinceMs, (id) => !visibilities.isHidden(id))]);
  return [...ids]
    .flatMap((agent_id) => {
      const chain = chains.chainOf(agent_id);
      const knownPassports = chain.flatMap((id) => passports.held(id)?.value ?? []);
      const cause = chain.some(blocks.isBlocked) ? 'passport' : causeIn(knownPassports);
      return cause ? { agent_id, cause } : [];
    })
    .slice(0, MAX_NAMED);
}

function ownOf(agents: ConfirmPlan['agents'], id: string): string | null | undefined {
  return Object.hasOwn(agents, id) ? agents[id] : undefined;
}

/**
 * The reason why the verifier always asks the service about an agent. The reason is in the passport of the agent or of
 * an ancestor.
 *
 * - `passport`: the passport contains something that this version cannot read, or is older than before.
 * - `proof`: the passport requires a proof of possession.
 * - `order`: a rule of order applies to every allowed action.
 * - `pace`, `budget`: a pace or a budget counts every allowed action.
 * - `approval`: a person must approve every allowed action.
 */
export type AskedCause = 'passport' | 'proof' | 'order' | 'pace' | 'budget' | 'approval';

/** An agent for which every intent goes to the service before it can be allowed. */
export interface AlwaysAsked {
  /** The `agent_id`. */
  readonly agent_id: string;
  /** The cause. */
  readonly cause: AskedCause;
}

function causeIn(passports: readonly KnownPassport[]): AskedCause | undefined {
  const policies = passports.flatMap(({ prepared }) => preparationOf(prepared).policy ?? []);
  const allowedSet = policies[0]?.allowed;
  if (allowedSet === undefined) return undefined;
  if (policies.some(({ proof }) => proof > 0)) return 'proof';
  if (policies.some(({ orders = [] }) => orders.some((order) => concernsAll(order, allowedSet))))
    return 'order';
  if (policies.some(({ paces = [] }) => paces.some(({ actions }) => coversAll(actions, allowedSet))))
    return 'pace';
  if (policies.some((policy) => policy.budgets?.some((budget) => countsAll(budget, policy, allowedSet)))) {
    return 'budget';
  }
  return policies.some(({ approval }) => covers(approval?.actions, allowedSet)) ? 'approval' : undefined;
}

function concernsAll({ actions, earlier }: PolicyOrder, allowedSet: ActionSet): boolean {
  return covers(actions, allowedSet) || covers(earlier, allowedSet);
}

function coversAll(actions: ActionSet | undefined, allowedSet: ActionSet): boolean {
  return actions === undefined || covers(actions, allowedSet);
}

type PolicyBudget = NonNullable<Policy['budgets']>[number];
type PolicyOrder = NonNullable<Policy['orders']>[number];

/** Returns `true` if a budget counts every allowed action. A limit only counts intents with an amount. */
function countsAll(
  { actions, currency }: PolicyBudget,
  { monetary }: Policy,
  allowedSet: ActionSet,
): boolean {
  if (actions === undefined && currency === null) return true;
  return covers(actions ?? monetary, allowedSet);
}

function covers(set: ActionSet | undefined, { exact, patterns = [] }: ActionSet): boolean {
  return (
    exact.every((action) => matchesAction(set, action)) &&
    patterns.every((prefix) => set?.patterns?.some((otherPattern) => prefix.startsWith(otherPattern)))
  );
}

// Tracks the agents in verify requests, and whether the API key sees each of them.

/** The answer to whether the API key sees an agent. `hidden`: the agent does not exist, or the key may not see it. */
export type Visibility = 'seen' | 'hidden';

/** The agents of one verifier, and whether the API key sees them. */
interface Visibilities {
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
