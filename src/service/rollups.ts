/** From filed verdicts to what they add to the rollups, with a bound on how many names a rollup can hold. */
import type { JournalEntry, RollupDelta, RollupKind } from '../ports.ts';
import type { Environment } from '../records.ts';
import { rollupStarts } from '../resolutions.ts';
import type { LatencyScale } from './latency.ts';

/** Verdicts on their way into the journal, and how many microseconds each took from its question. */
export interface FiledBatch {
  readonly entries: readonly JournalEntry[];
  readonly latenciesUs: ArrayLike<number>;
}

/** Turns batches into deltas. Remembers the names it has let in today, and no more of them than fit. */
export interface RollupWriter {
  /** What the batch adds. Dry runs add nothing. */
  deltas(batch: FiledBatch, scale: LatencyScale): readonly RollupDelta[];
  /** How much is remembered. */
  size(): { readonly groups: number; readonly counts: number };
}

/** The key under which names are counted that found no place. No agent, action or code is empty. */
export const OTHER = '';

/** How many names of a kind an agent has a day, or all agents together; and of actions it was only ever denied: it can invent those without end. */
const MOST_NAMES = 100;
const MOST_DENIED_NAMES = 50;

/** How many counts, about 100 bytes each, and agents are remembered at least, and about twice as many at most. */
const MOST_COUNTS = 45_000;
const MOST_GROUPS = 4_500;

/** How often a name was counted, of one agent or of all. */
interface Count {
  readonly kind: CountedKind;
  /** The name, or the bucket that the key spells. */
  readonly name: string | number;
  readonly key: string;
  /** Of this batch. */
  count: number;
  /** Of an action: whether it was allowed. */
  isAllowed: boolean;
  /** Whether it has a place of its own in the rollups. */
  isAdmitted: boolean;
}

/** The counts of one kind by name. Most agents have one name of each kind: it costs no Map. */
interface Counts {
  first: Count | undefined;
  others: Map<string | number, Count> | undefined;
  /** How many names have been let in. */
  places: number;
}

type CountedKind = Exclude<RollupKind, 'dropped'>;

/** The kinds whose names anybody can make more of. */
const BOUNDED_KINDS: readonly CountedKind[] = ['action', 'agent', 'reason'];

/** What is said of one agent in an account and environment, or of all of them. */
interface Group extends Readonly<Record<CountedKind, Counts>> {
  readonly account_id: string;
  readonly environment: Environment;
  /** `''` for all agents. */
  readonly agent_id: string;
  /** The counts of this batch. */
  touched: Count[];
  /** How many counts it has. */
  size: number;
}

/** The groups of an account and environment, by agent. */
interface Series {
  readonly account_id: string;
  readonly environment: Environment;
  readonly groups: Map<string, Group>;
}

/** What was used at about the same time. */
interface Generation {
  readonly all: Map<string, Series>;
  groups: number;
  counts: number;
}

/**
 * The rollups of one process. What it counts in is kept from batch to batch, in two generations: what is not used
 * while the younger one fills up is forgotten, and starts to let names in again.
 */
export function createRollupWriter(): RollupWriter {
  let recent = newGeneration();
  let earlier = newGeneration();
  /** The beginning of the instants that are being counted. */
  let minute = 'none';
  /** The groups of this batch in the order in which they are first met. */
  let touched: Group[] = [];

  /** Names are let in by the day. */
  function beginMinute({ created_at }: JournalEntry): void {
    if (!created_at.startsWith(minute.slice(0, 10))) {
      recent = newGeneration();
      earlier = newGeneration();
    }
    minute = created_at.slice(0, 16);
  }

  function seriesOf({ account_id, environment }: JournalEntry): Series {
    const name = `${environment} ${account_id}`;
    const known = recent.all.get(name);
    if (known !== undefined) return known;
    const series = { account_id, environment, groups: new Map() };
    recent.all.set(name, series);
    return series;
  }

  function groupOf(series: Series, agent_id: string): Group {
    return series.groups.get(agent_id) ?? adoptGroup(series, agent_id);
  }

  /** Takes it over from the earlier generation, or makes it. */
  function adoptGroup(series: Series, agent_id: string): Group {
    const before = earlier.all.get(`${series.environment} ${series.account_id}`)?.groups;
    const group = before?.get(agent_id) ?? newGroup(series, agent_id);
    if (before?.delete(agent_id)) {
      earlier.groups -= 1;
      earlier.counts -= group.size;
    }
    series.groups.set(agent_id, group);
    recent.groups += 1;
    recent.counts += group.size;
    return group;
  }

  function addEntry(group: Group, { verdict, action, reasons }: JournalEntry, bucket: number): void {
    if (group.touched.length === 0) touched.push(group);
    add(group, 'verdict', verdict, 1);
    const count = add(group, 'action', action, 1);
    if (verdict === 'ALLOW') count.isAllowed = true;
    add(group, 'latency', bucket, 1);
    for (const { code } of reasons) add(group, 'reason', code, 1);
  }

  function add(group: Group, kind: CountedKind, name: string | number, number: number): Count {
    const counts = group[kind];
    const known = counts.first?.name === name ? counts.first : counts.others?.get(name);
    // Where no place is left nobody needs to come and ask for one: of a thousand agents nine hundred would each time.
    if (known === undefined && counts.places === MOST_NAMES && name !== OTHER) {
      return add(group, kind, OTHER, number);
    }
    const count = known ?? newCount(counts, kind, name);
    if (known === undefined) resize(group, 1);
    if (count.count === 0) group.touched.push(count);
    count.count += number;
    return count;
  }

  function resize(group: Group, by: number): void {
    group.size += by;
    recent.counts += by;
  }

  /** Gives newcomers the places that are left, the most frequent first; the others are summed up as `OTHER`. */
  function admitNewcomers(group: Group): void {
    const newcomers = group.touched.filter((count) => !count.isAdmitted);
    for (const count of newcomers.sort((a, b) => b.count - a.count)) {
      const { kind, name, isAllowed } = count;
      const counts = group[kind];
      count.isAdmitted = counts.places < (kind === 'action' && !isAllowed ? MOST_DENIED_NAMES : MOST_NAMES);
      if (count.isAdmitted) {
        counts.places += 1;
        continue;
      }
      if (counts.first === count) counts.first = undefined;
      else counts.others?.delete(name);
      resize(group, -1);
      add(group, kind, OTHER, count.count);
    }
  }

  /** Adds what has been counted since the last flush; all begins at 0 again. */
  function flush(deltas: RollupDelta[]): void {
    const { minute: start } = rollupStarts(minute);
    for (const group of touched) {
      const { account_id, environment, agent_id } = group;
      // Hardly ever is one of them new.
      if (!group.touched.every(isAdmitted)) admitNewcomers(group);
      for (const count of group.touched) {
        const { kind, key } = count;
        if (count.isAdmitted) {
          deltas.push({ account_id, environment, minute: start, agent_id, kind, key, count: count.count });
        }
        count.count = 0;
      }
      group.touched = [];
    }
    touched = [];
  }

  return {
    size: () => ({ groups: recent.groups + earlier.groups, counts: recent.counts + earlier.counts }),

    deltas({ entries, latenciesUs }, scale) {
      if (recent.counts > MOST_COUNTS || recent.groups > MOST_GROUPS) {
        earlier = recent;
        recent = newGeneration();
      }
      const deltas: RollupDelta[] = [];
      let series: Series | undefined;
      for (const [index, entry] of entries.entries()) {
        if (entry.dry_run) continue;
        if (!entry.created_at.startsWith(minute)) {
          flush(deltas);
          beginMinute(entry);
          series = undefined;
        }
        if (series?.account_id !== entry.account_id || series.environment !== entry.environment) {
          series = seriesOf(entry);
        }
        const latencyUs = latenciesUs[index] ?? 0;
        const isKnown = entry.passport_version !== null;
        const all = groupOf(series, '');
        addEntry(all, entry, scale.bucketOf(latencyUs));
        // Names of agents that do not exist are anybody's to invent.
        add(all, 'agent', isKnown ? entry.agent_id : OTHER, 1);
        // There are many agents: each fine bucket would be a row of each of them for every minute.
        if (isKnown) addEntry(groupOf(series, entry.agent_id), entry, scale.coarseBucketOf(latencyUs));
      }
      flush(deltas);
      return deltas;
    },
  };
}

function isAdmitted(count: Count): boolean {
  return count.isAdmitted;
}

function newGeneration(): Generation {
  return { all: new Map(), groups: 0, counts: 0 };
}

function newGroup({ account_id, environment }: Series, agent_id: string): Group {
  return {
    account_id,
    environment,
    agent_id,
    touched: [],
    size: 0,
    verdict: noCounts(),
    action: noCounts(),
    latency: noCounts(),
    reason: noCounts(),
    agent: noCounts(),
  };
}

function noCounts(): Counts {
  return { first: undefined, others: undefined, places: 0 };
}

function newCount(counts: Counts, kind: CountedKind, name: string | number): Count {
  const needsPlace = BOUNDED_KINDS.includes(kind) && name !== OTHER;
  const count: Count = { kind, name, key: `${name}`, count: 0, isAllowed: false, isAdmitted: !needsPlace };
  if (counts.first === undefined) counts.first = count;
  else counts.others = (counts.others ?? new Map()).set(name, count);
  return count;
}
