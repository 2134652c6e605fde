/** The passports above that of an agent, as a question finds them: each as fresh as the agent's own. */
import { createBoundedMap } from '../../base/bounded-map.ts';
import { MAX_ANCESTORS } from '../../base/values/field-limits.ts';
import type { Intent } from '../../records.ts';
import { hasBudgets, wantsApproval } from '../../verdict/takings.ts';
import type { Caches, KnownPassport, Lineage } from '../storage/caches.ts';
import type { Known } from '../storage/record-cache.ts';

/** An agent as it was found. */
export interface FoundAgent {
  /** `undefined` where there is no such passport. */
  readonly found: KnownPassport | undefined;
  /** `undefined` for an agent without a parent. */
  readonly lineage: Lineage | undefined;
}

/** Finds passports with those above them. */
export interface Lineages {
  /** What memory says of those above to a question that began at `at`; `undefined` where the storage has to be asked. */
  peek(child: KnownPassport, at: number): Lineage | undefined;
  /**
   * Finds the agent of each intent for a question that began at `at`, from memory as far as it may answer. Each agent is
   * looked for once, and all at the same time.
   */
  findAll(intents: readonly Intent[], at: number): Promise<readonly FoundAgent[]>;
}

/** There is no such agent. */
export const NOT_FOUND: FoundAgent = { found: undefined, lineage: undefined };

/** Looks that have begun, by the `agent_id`. */
type Looks = ReadonlyMap<string, Promise<KnownPassport | undefined>>;

const NO_LOOKS: Looks = new Map();

/** The agents whose ancestors are remembered by their ids: an agent never gets others. */
const MAX_AGENTS = 10_000;

/** No passport was found. */
const NONE: Lineage = lineageOf([]);

/** The lineages over a cache of passports. */
export function createLineages({ passports }: Pick<Caches, 'passports'>): Lineages {
  const ids = createBoundedMap<string, readonly string[]>(MAX_AGENTS);

  const look = async (id: string, at: number): Promise<KnownPassport | undefined> =>
    (passports.peek(id, at) ?? (await passports.load(id, at))).value;

  /** Looks for those above an agent while its own passport is looked for, as far as they were found before. */
  function beginAbove(agentId: string, at: number): Looks {
    const known = ids.get(agentId);
    if (known === undefined) return NO_LOOKS;
    const begun = new Map(known.map((id) => [id, look(id, at)]));
    // A failure shows where the passport is needed.
    for (const looked of begun.values()) looked.catch(() => undefined);
    return begun;
  }

  /** Whether those behind the nearest are still what memory answers, and none is missing: a parent never changes. */
  function isCurrent({ known }: Lineage, at: number): boolean {
    if (known[known.length - 1]?.parent_agent_id !== undefined) return false;
    for (let place = 1; place < known.length; place += 1) {
      const one = known[place] as KnownPassport;
      if (passports.peek(one.agent_id, at)?.value !== one) return false;
    }
    return true;
  }

  async function find(agentId: string, at: number): Promise<FoundAgent> {
    const begun = beginAbove(agentId, at);
    const found = await look(agentId, at);
    if (found?.parent_agent_id === undefined) return { found, lineage: undefined };
    const above: KnownPassport[] = [];
    for (let next: string | undefined = found.parent_agent_id; next !== undefined; ) {
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
    return { found, lineage: remembered(above) };
  }

  return {
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
      const before = nearest.value?.lineage;
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

/** Kept with the nearest: so one that is asked for again is the same list. It holds at most three other passports. */
function remembered(found: readonly KnownPassport[]): Lineage {
  const [nearest] = found;
  if (nearest === undefined) return NONE;
  const { lineage: before } = nearest;
  if (before?.known.length === found.length && found.every((one, place) => one === before.known[place]))
    return before;
  nearest.lineage = lineageOf(found);
  return nearest.lineage;
}

function lineageOf(found: readonly KnownPassport[]): Lineage {
  const prepared = found.map((one) => one.prepared);
  return Object.freeze({
    known: found,
    prepared,
    versions: Object.freeze(found.map(({ version }) => version)),
    hasBudgets: prepared.some(hasBudgets),
    wantsApproval: prepared.some(wantsApproval),
  });
}
