import type { Passport } from '../../../src/index.ts';
import type { Backend } from '../backend/methods.ts';

export interface Descendant {
  readonly agent_id: string;
  readonly parent_agent_id: string | undefined;
}

/**
 * The agents in generations by `agent_id`, parents before their children. `lost` has the agents that are their own
 * ancestors.
 */
export interface Generations<Agent> {
  readonly generations: readonly (readonly Agent[])[];
  readonly lost: readonly Agent[];
}

/** Sorts parents before their children. A parent that is not in the list is assumed to exist already. */
export function parentsFirst<Agent extends Descendant>(agents: readonly Agent[]): Generations<Agent> {
  const present = new Set(agents.map(({ agent_id }) => agent_id));
  const placedIds = new Set<string>();
  const generations: (readonly Agent[])[] = [];
  let waiting = [...agents].sort((a, b) => (a.agent_id < b.agent_id ? -1 : 1));
  for (;;) {
    const isReady = ({ parent_agent_id: parent }: Agent): boolean =>
      parent === undefined || !present.has(parent) || placedIds.has(parent);
    const next = waiting.filter(isReady);
    if (next.length === 0) return { generations, lost: waiting };
    waiting = waiting.filter((agent) => !isReady(agent));
    for (const { agent_id } of next) placedIds.add(agent_id);
    generations.push(next);
  }
}

/** Reads every passport of an account, parents first, then by `agent_id`. The order is the same in every storage. */
export async function allPassports(
  { passports }: { readonly passports: Pick<Backend['passports'], 'list'> },
  onRead: (count: number) => void,
): Promise<readonly Passport[]> {
  const foundPassports: Passport[] = [];
  for await (const { data } of passports.list({ limit: 100 })) {
    foundPassports.push(...data);
    onRead(foundPassports.length);
  }
  const { generations, lost } = parentsFirst(foundPassports.map(withParent));
  return [...generations.flat(), ...lost].map(({ passport }) => passport);
}

function withParent(passport: Passport & { readonly parent_agent_id?: string }) {
  const { agent_id, parent_agent_id } = passport;
  return { agent_id, parent_agent_id, passport };
}
