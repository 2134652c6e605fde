/** Finds the ancestors of an agent. The passports of the ancestors are as fresh as the passport of the agent. */

import { createBoundedMap } from '../../base/bounded-map.ts';
import { MAX_ANCESTORS } from '../../base/values/field-limits.ts';
import { formatInstant } from '../../base/values/instant.ts';
import { statusAt } from '../../base/values/passport-status.ts';
import type { Intent, Passport } from '../../records.ts';
import { isCounted, readsParameters, wantsApproval } from '../../verdict/takings.ts';
import type { PassportState } from '../passports/collections.ts';
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
   * Returns the ancestors from memory for a request that began at `atMs`. Returns `undefined` if the storage must be
   * read.
   */
  peek(child: KnownPassport, atMs: number): Ancestry | undefined;
  /** Finds an agent for a request that began at `atMs`. Uses cached passports if they are fresh enough. */
  find(agentId: string, atMs: number): Promise<FoundAgent>;
  /**
   * Finds the agents of all intents for a request that began at `atMs`. Uses cached passports if they are fresh enough.
   * Looks up each agent once, and all at the same time.
   */
  findAll(intents: readonly Intent[], atMs: number): Promise<readonly FoundAgent[]>;
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

  const look = async (id: string, atMs: number): Promise<KnownPassport | undefined> =>
    (passports.peek(id, atMs) ?? (await passports.load(id, atMs))).value;

  function beginAbove(agentId: string, atMs: number): Looks {
    const knownIds = ids.get(agentId);
    if (knownIds === undefined) return NO_LOOKS;
    const passportPromises = new Map(knownIds.map((id) => [id, look(id, atMs)]));
    // The error appears where the passport is awaited.
    for (const passportPromise of passportPromises.values()) passportPromise.catch(() => undefined);
    return passportPromises;
  }

  /**
   * Returns `true` if the cache still has the same passports of all ancestors above the parent. The parent's
   * own passport is not compared, because the list of ancestors is stored with it.
   */
  function isCurrent({ known }: Ancestry, atMs: number): boolean {
    if (known[known.length - 1]?.parent_agent_id !== undefined) return false;
    for (let place = 1; place < known.length; place += 1) {
      const passport = known[place] as KnownPassport;
      if (passports.peek(passport.agent_id, atMs)?.value !== passport) return false;
    }
    return true;
  }

  async function find(agentId: string, atMs: number): Promise<FoundAgent> {
    const looks = beginAbove(agentId, atMs);
    const passport = await look(agentId, atMs);
    if (passport?.parent_agent_id === undefined) return { found: passport, ancestry: undefined };
    const passportsAbove: KnownPassport[] = [];
    for (let next: string | undefined = passport.parent_agent_id; next !== undefined; ) {
      const passport: KnownPassport | undefined =
        passportsAbove.length < MAX_ANCESTORS ? await (looks.get(next) ?? look(next, atMs)) : undefined;
      if (passport === undefined) break;
      passportsAbove.push(passport);
      next = passport.parent_agent_id;
    }
    if (looks.size !== passportsAbove.length)
      ids.set(
        agentId,
        passportsAbove.map(({ agent_id }) => agent_id),
      );
    return { found: passport, ancestry: remembered(passportsAbove) };
  }

  return {
    find,

    findAll(intents, atMs) {
      const looks = new Map<string, Promise<FoundAgent>>();
      for (const { agent_id } of intents) {
        if (!looks.has(agent_id)) looks.set(agent_id, find(agent_id, atMs));
      }
      return Promise.all(intents.map(({ agent_id }) => looks.get(agent_id) ?? NOT_FOUND));
    },

    peek({ parent_agent_id = '' }, atMs) {
      const nearest = passports.peek(parent_agent_id, atMs);
      if (nearest === undefined) return undefined;
      const ancestryBefore = nearest.value?.ancestry;
      if (ancestryBefore !== undefined && isCurrent(ancestryBefore, atMs)) return ancestryBefore;
      const passportsAbove: KnownPassport[] = [];
      let entry: Known<KnownPassport> = nearest;
      while (entry.value !== undefined) {
        passportsAbove.push(entry.value);
        const next = entry.value.parent_agent_id;
        if (next === undefined || passportsAbove.length === MAX_ANCESTORS) break;
        const lookedEntry = passports.peek(next, atMs);
        if (lookedEntry === undefined) return undefined;
        entry = lookedEntry;
      }
      return remembered(passportsAbove);
    },
  };
}

/**
 * Stores the list of ancestors with the passport of the parent, so that the next request gets the same list. The list
 * has at most three other passports.
 */
function remembered(passports: readonly KnownPassport[]): Ancestry {
  const [nearest] = passports;
  if (nearest === undefined) return NONE;
  const { ancestry: ancestryBefore } = nearest;
  if (
    ancestryBefore?.known.length === passports.length &&
    passports.every((passport, place) => passport === ancestryBefore.known[place])
  )
    return ancestryBefore;
  nearest.ancestry = ancestryOf(passports);
  return nearest.ancestry;
}

/** Returns the passports of the ancestors, nearest first, in the form that a verdict needs. */
export function ancestryOf(passports: readonly KnownPassport[]): Ancestry {
  const preparedPassports = passports.map((passport) => passport.prepared);
  return Object.freeze({
    known: passports,
    prepared: preparedPassports,
    versions: Object.freeze(passports.map(({ version }) => version)),
    isCounted: preparedPassports.some(isCounted),
    wantsApproval: preparedPassports.some(wantsApproval),
    readsParameters: preparedPassports.some(readsParameters),
  });
}

export function isActiveAt({ found: passport, ancestry }: FoundAgent, atMs: number): boolean {
  if (passport === undefined) return false;
  const chain = [passport, ...(ancestry?.known ?? [])];
  // The list of those above ends before a passport that is missing.
  if (chain.at(-1)?.parent_agent_id !== undefined) return false;
  return chain.every(
    ({ prepared }) => publishedStateAt(prepared.passport as Passport & PassportState, atMs) === 'active',
  );
}

/** The public state; `inactive` is suspended, expired or not yet valid. */
export type PublishedState = 'active' | 'inactive' | 'revoked';

/** Returns the public state at `now`, in milliseconds since the Unix epoch. */
export function publishedStateAt(passport: Passport & PassportState, now: number): PublishedState {
  const instant = formatInstant(now);
  const status = statusAt(passport, instant);
  if (status === 'revoked') return 'revoked';
  const isEarly = passport.not_before !== undefined && instant < passport.not_before;
  return status === 'active' && !isEarly ? 'active' : 'inactive';
}
