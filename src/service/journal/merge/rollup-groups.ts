/** What a process counts in, kept from batch to batch. */
import type { RollupKind } from '../../../ports/journal.ts';
import type { Environment } from '../../../records.ts';

/** The key under which names are counted that found no place. No agent, action or code is empty. */
export const OTHER = '';

/** How often a name was counted, of one agent or of all. */
export interface Count {
  readonly kind: NamedKind;
  /** The name, or the bucket that the key spells. */
  readonly name: string | number;
  readonly key: string;
  /** Since it was taken last. */
  count: number;
  /** Of an action: how many of them were allowed. */
  allowed: number;
  /** Whether it has a place of its own in the rollups. */
  isAdmitted: boolean;
}

/** The counts of one kind by name. Most agents have one name of each kind: it costs no Map. */
export interface Counts {
  readonly kind: NamedKind;
  first: Count | undefined;
  others: Map<string | number, Count> | undefined;
  /** How many names have been let in. */
  places: number;
}

/** Verdicts are the sum of the actions. */
export type NamedKind = Exclude<RollupKind, 'dropped' | 'verdict'>;

/** The kinds whose names callers can make up without end. */
const BOUNDED_KINDS: readonly NamedKind[] = ['action', 'agent', 'reason'];

/** The counts of one agent in an account and environment, or of all agents. */
export interface Group extends Readonly<Record<NamedKind, Counts>> {
  readonly account_id: string;
  readonly environment: Environment;
  /** `''` for all agents. */
  readonly agent_id: string;
  /** The minute that is being counted: the beginning of its instants, such as `2026-11-20T12:00`. */
  minute: string;
  /** The counts that have grown since they were taken last. */
  touched: Count[];
  /** How many counts it has. */
  size: number;
}

/** The groups of an account and environment, by agent. */
export interface Series {
  readonly account_id: string;
  readonly environment: Environment;
  readonly groups: Map<string, Group>;
}

/** What was used at about the same time. */
export interface Generation {
  readonly all: Map<string, Series>;
  groups: number;
  counts: number;
}

/** Nothing. */
export function newGeneration(): Generation {
  return { all: new Map(), groups: 0, counts: 0 };
}

/** A group that has counted nothing. */
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

/** A count of 0 among `counts`; a name that callers can make up is not admitted yet. */
export function newCount(counts: Counts, name: string | number): Count {
  const { kind } = counts;
  const needsPlace = BOUNDED_KINDS.includes(kind) && name !== OTHER;
  const count: Count = { kind, name, key: `${name}`, count: 0, allowed: 0, isAdmitted: !needsPlace };
  if (counts.first === undefined) counts.first = count;
  else counts.others = (counts.others ?? new Map()).set(name, count);
  return count;
}
