/** Finds the ancestors of an agent. The passports of the ancestors are as fresh as the passport of the agent. */
import { createBoundedMap } from '../../base/bounded-map.ts';
import { MAX_ANCESTORS } from '../../base/values/field-limits.ts';
import type { Intent } from '../../records.ts';
import { isCounted, readsParameters, wantsApproval } from '../../verdict/takings.ts';
import type { Ancestry, Caches, KnownPassport } from '../storage/caches.ts';
import type { Known } from '../storage/record-cache.ts';

/** A found agent and its ancestors. */
export interface FoundAgent {
  /** The passport; `undefined` if the agent does not exist. */
  readonly found: KnownPassport | undefined;
  /** The passports of the ancestors; `undefined` for an agent without a parent. */
  readonly ancestry: Ancestry | undefined;
}

/** Finds passports and their ancestors. */
export interface Ancestries {
  /**
   * Returns the ancestors from memory for a request that began at `at`. Returns `undefined` if the storage must be
   * read.
   */
  peek(child: KnownPassport, at: number): Ancestry | undefined;
  /** Finds an agent for a request that began at `at`. Uses cached passports if they are fresh enough. */
  find(agentId: string, at: number): Promise<FoundAgent>;
  /**
   * Finds the agents of all intents for a request that began at `at`. Uses cached passports if they are fresh enough.
   * Looks up each agent once, and all at the same time.
   */
  findAll(intents: readonly Intent[], at: number): Promise<readonly FoundAgent[]>;
}

/** The result for an agent that does not exist. */
export const NOT_FOUND: FoundAgent = { found: undefined, ancestry: undefined };

type Looks = ReadonlyMap<string, Promise<KnownPassport | undefined>>;

const NO_LOOKS: Looks = new Map();

/** The maximum number of agents with remembered ancestor ids. The ancestors of an agent never change. */
const WORKLOAD_AGENTS = 10_000;

const NONE: Ancestry = ancestryOf([]);

export function createAncestries({ passports }: Pick<Caches, 'passports'>): Ancestries {
  const ids = createBoundedMap<string, readonly string[]>(WORKLOAD_AGENTS);

  const look = async (id: string, at: number): Promise<KnownPassport | undefined> =>
    (passports.peek(id, at) ?? (await passports.load(id, at))).value;

  function beginAbove(agentId: string, at: number): Looks {
    const known = ids.get(agentId);
    if (known === undefined) return NO_LOOKS;
    const begun = new Map(known.map((id) => [id, look(id, at)]));
    // The error appears where the passport is awaited.
    for (const looked of begun.values()) looked.catch(() => undefined);
    return begun;
  }

  /**
   * Returns `true` if the cache still has the same passports of all ancestors above the parent. The parent's
   * own passport is not compared, because the list of ancestors is stored with it.
   */
  function isCurrent({ known }: Ancestry, at: number): boolean {
    if (known[known.length - 1]?.parent_agent_id !== undefined) return false;
    for (let place = 1; place < known.length; place += 1) {
      const one = known[place] as KnownPassport;
      if (passports.peek(one.agent_id, at)?.value !== one) return false;
    }
    return true;
  }

  async function find(agentId: string, at: number): Promise<FoundAgent> {
    const begun = beginAbove(agentId, at);
    const passport = await look(agentId, at);
    if (passport?.parent_agent_id === undefined) return { found: passport, ancestry: undefined };
    const above: KnownPassport[] = [];
    for (let next: string | undefined = passport.parent_agent_id; next !== undefined; ) {
      const one: KnownPassport | undefined =
        above.length < MAX_ANCESTORS ? await (begun.get(next) ?? look(next, at)) : undefined;
      if (one === undefined) break;
      above.push(one);
      next = one.parent_agent_id;
    }
    if (begun.size !== above.length)
      ids.set(
        agentId,
        above.map(({ agent_id }) => agent_id),
      );
    return { found: passport, ancestry: remembered(above) };
  }

  return {
    find,

    findAll(intents, at) {
      const looks = new Map<string, Promise<FoundAgent>>();
      for (const { agent_id } of intents) {
        if (!looks.has(agent_id)) looks.set(agent_id, find(agent_id, at));
      }
      return Promise.all(intents.map(({ agent_id }) => looks.get(agent_id) ?? NOT_FOUND));
    },

    peek({ parent_agent_id = '' }, at) {
      const nearest = passports.peek(parent_agent_id, at);
      if (nearest === undefined) return undefined;
      const before = nearest.value?.ancestry;
      if (before !== undefined && isCurrent(before, at)) return before;
      const above: KnownPassport[] = [];
      let known: Known<KnownPassport> = nearest;
      while (known.value !== undefined) {
        above.push(known.value);
        const next = known.value.parent_agent_id;
        if (next === undefined || above.length === MAX_ANCESTORS) break;
        const looked = passports.peek(next, at);
        if (looked === undefined) return undefined;
        known = looked;
      }
      return remembered(above);
    },
  };
}

/**
 * Stores the list of ancestors with the passport of the parent, so that the next request gets the same list. The list
 * has at most three other passports.
 */
function remembered(passport: readonly KnownPassport[]): Ancestry {
  const [nearest] = passport;
  if (nearest === undefined) return NONE;
  const { ancestry: before } = nearest;
  if (before?.known.length === passport.length && passport.every((one, place) => one === before.known[place]))
    return before;
  nearest.ancestry = ancestryOf(passport);
  return nearest.ancestry;
}

/** Returns the passports of the ancestors, nearest first, in the form that a verdict needs. */
export function ancestryOf(passport: readonly KnownPassport[]): Ancestry {
  const prepared = passport.map((one) => one.prepared);
  return Object.freeze({
    known: passport,
    prepared,
    versions: Object.freeze(passport.map(({ version }) => version)),
    isCounted: prepared.some(isCounted),
    wantsApproval: prepared.some(wantsApproval),
    readsParameters: prepared.some(readsParameters),
  });
}
