/** Defines the counters of a process, which stay in memory between merges. */
import type { RollupKind } from '../../../ports/journal.ts';
import type { Environment } from '../../../records.ts';

/** The key for all names without their own count. No agent, action or code has an empty name. */
export const OTHER = '';

export interface Count {
  readonly kind: NamedKind;
  /** The name, or the number of a latency bucket. `key` is the same value as a text. */
  readonly name: string | number;
  readonly key: string;
  /** The count since the last flush. */
  count: number;
  allowed: number;
  /** True if the rollups count this name separately. */
  isAdmitted: boolean;
}

/** The counts of one kind by name. Most agents have one name of each kind, and then need no Map. */
export interface Counts {
  readonly kind: NamedKind;
  first: Count | undefined;
  others: Map<string | number, Count> | undefined;
  /** The number of admitted names. */
  places: number;
}

/** The kinds that have counts by name. Counts of verdicts are sums of counts of actions. */
export type NamedKind = Exclude<RollupKind, 'dropped' | 'verdict' | 'outcome'>;

const BOUNDED_KINDS: readonly NamedKind[] = ['action', 'agent', 'reason'];

export interface Group extends Readonly<Record<NamedKind, Counts>> {
  readonly account_id: string;
  readonly environment: Environment;
  /** The agent; `''` for all agents together. */
  readonly agent_id: string;
  /** The minute that is counted: a common prefix of its instants, such as `2026-11-20T12:00`. */
  minute: string;
  touched: Count[];
  size: number;
}

export interface Series {
  readonly account_id: string;
  readonly environment: Environment;
  readonly groups: Map<string, Group>;
}

export interface Generation {
  readonly all: Map<string, Series>;
  groups: number;
  counts: number;
}

export function newGeneration(): Generation {
  return { all: new Map(), groups: 0, counts: 0 };
}

export function newGroup({ account_id, environment }: Series, agent_id: string): Group {
  return {
    account_id,
    environment,
    agent_id,
    minute: '',
    touched: [],
    size: 0,
    action: noCounts('action'),
    latency: noCounts('latency'),
    reason: noCounts('reason'),
    agent: noCounts('agent'),
  };
}

function noCounts(kind: NamedKind): Counts {
  return { kind, first: undefined, others: undefined, places: 0 };
}

export function newCount(counts: Counts, name: string | number): Count {
  const { kind } = counts;
  const needsPlace = BOUNDED_KINDS.includes(kind) && name !== OTHER;
  const count: Count = { kind, name, key: `${name}`, count: 0, allowed: 0, isAdmitted: !needsPlace };
  if (counts.first === undefined) counts.first = count;
  else counts.others = (counts.others ?? new Map()).set(name, count);
  return count;
}
