/** From filed verdicts to what they add to the rollups, with a bound on how many names a rollup can hold. */
import type { JournalEntry, Resolution, RollupDelta, RollupKind } from '../ports.ts';
import type { Instant } from '../records.ts';
import { type BoundedKind, createAdmission, MOST_NAMES } from './admission.ts';
import { RESOLUTIONS, startOf } from './calendar.ts';
import type { LatencyScale } from './latency.ts';

/** A verdict on its way into the journal. */
export interface Filed {
  readonly entry: JournalEntry;
  /** Microseconds from the question to the verdict. */
  readonly latencyUs: number;
}

/** Turns batches into deltas. Remembers the names it has let in today, and no more of them than fit. */
export interface RollupWriter {
  /** What the batch adds. Dry runs add nothing. */
  deltas(batch: readonly Filed[], scale: LatencyScale): readonly RollupDelta[];
  /** How much is remembered. */
  size(): { readonly groups: number; readonly names: number };
}

/** The key under which names are counted that found no place. No agent, action or code is empty. */
export const OTHER = '';

/** How many of the names of a day an agent can fill with actions it is denied: it can invent those without end. */
const MOST_DENIED_NAMES = 50;

/** How many counts are kept from batch to batch, about 150 bytes each with what is around them. */
const MOST_KEPT = 20_000;

/** How often a key was counted in a batch, of one agent or of all. */
interface Count {
  readonly kind: CountedKind;
  /** The key, or the bucket that it spells. */
  readonly name: string | number;
  readonly key: string;
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
}

type CountedKind = Exclude<RollupKind, 'dropped'>;

/** The kinds whose names need a place, in the order in which they are let in. */
const BOUNDED_KINDS: readonly BoundedKind[] = ['action', 'reason', 'agent'];

/** What is said of one agent in a minute, or of all of them. */
interface Group extends Readonly<Record<CountedKind, Counts>> {
  readonly moment: Moment;
  readonly agent_id: string;
  /** The counts of this batch. */
  touched: Count[];
}

/** A minute of an account and environment; the coarser rollups get the same counts. */
interface Moment {
  readonly account_id: string;
  readonly environment: JournalEntry['environment'];
  /** The beginning of its instants. */
  readonly minute: string;
  readonly starts: readonly { readonly resolution: Resolution; readonly start: Instant }[];
  /** The day under which names are let in, by their kind. */
  readonly days: Readonly<Record<BoundedKind, string>>;
  /** By agent; that of all agents under `''`. */
  readonly groups: Map<string, Group>;
}

/** The rollups of one process. */
export function createRollupWriter(): RollupWriter {
  const admission = createAdmission();
  /** Kept from batch to batch of a minute: to make them anew took 6 % of filing. */
  let moments = new Map<string, Moment>();
  let minute = '';
  let kept = 0;
  /** The groups of this batch in the order in which they are first met. */
  let groups: Group[] = [];

  function addBatch(batch: readonly Filed[], scale: LatencyScale): void {
    let moment: Moment | undefined;
    for (const { entry, latencyUs } of batch) {
      if (entry.dry_run) continue;
      if (moment === undefined || !isIn(entry, moment)) moment = momentOf(entry);
      const isKnown = entry.passport_version !== null;
      const all = groupOf(moment, '');
      addEntry(all, entry, scale.bucketOf(latencyUs));
      // Names of agents that do not exist are anybody's to invent.
      addOne(all, 'agent', isKnown ? entry.agent_id : OTHER);
      // There are many agents: each fine bucket would be a row of each of them for every minute.
      if (isKnown) addEntry(groupOf(moment, entry.agent_id), entry, scale.coarseBucketOf(latencyUs));
    }
  }

  function momentOf(entry: JournalEntry): Moment {
    const id = `${entry.account_id}\n${entry.environment}\n${minuteOf(entry)}`;
    const found = moments.get(id);
    if (found !== undefined) return found;
    const moment = createMoment(entry);
    moments.set(id, moment);
    return moment;
  }

  function addEntry(group: Group, { verdict, action, reasons }: JournalEntry, bucket: number): void {
    if (group.touched.length === 0) groups.push(group);
    addOne(group, 'verdict', verdict);
    const count = addOne(group, 'action', action);
    if (verdict === 'ALLOW') count.isAllowed = true;
    addOne(group, 'latency', bucket);
    for (const { code } of reasons) addOne(group, 'reason', code);
  }

  function addOne(group: Group, kind: CountedKind, name: string | number): Count {
    const counts = group[kind];
    let count = counts.first?.name === name ? counts.first : counts.others?.get(name);
    if (count === undefined) {
      count = createCount(counts, kind, name);
      kept += 1;
    }
    if (count.count === 0) group.touched.push(count);
    count.count += 1;
    return count;
  }

  /** Adds what a group counted in this batch: the rare newcomers summed up as `OTHER` once there is no place. */
  function pushGroup(deltas: RollupDelta[], group: Group): void {
    const newcomers: Count[] = [];
    for (const count of group.touched) {
      if (count.isAdmitted) pushCount(deltas, group, count);
      else newcomers.push(count);
    }
    group.touched = [];
    if (newcomers.length === 0) return;
    for (const kind of BOUNDED_KINDS) {
      const ofKind = newcomers.filter((count) => count.kind === kind);
      if (ofKind.length === 0) continue;
      for (const count of admit(group, kind, ofKind)) pushCount(deltas, group, count);
    }
  }

  function admit(group: Group, kind: BoundedKind, newcomers: readonly Count[]): readonly Count[] {
    const places = admission.placesOf(group.moment.days[kind], group.agent_id);
    const admitted: Count[] = [];
    let others = 0;
    for (const count of newcomers.toSorted((a, b) => b.count - a.count)) {
      const most = kind === 'action' && !count.isAllowed ? MOST_DENIED_NAMES : MOST_NAMES;
      count.isAdmitted = admission.admits(places, count.key, most) && count.key !== OTHER;
      if (count.isAdmitted) admitted.push(count);
      else {
        others += count.count;
        remove(group[kind], count);
        kept -= 1;
      }
    }
    if (others > 0) admitted.push({ ...createCount(noCounts(), kind, OTHER), count: others });
    return admitted;
  }

  return {
    size: admission.size,
    deltas(batch, scale) {
      const [first] = batch;
      if (first !== undefined && (minuteOf(first.entry) !== minute || kept > MOST_KEPT)) {
        minute = minuteOf(first.entry);
        moments = new Map();
        kept = 0;
      }
      addBatch(batch, scale);
      const deltas: RollupDelta[] = [];
      for (const group of groups) pushGroup(deltas, group);
      groups = [];
      return deltas;
    },
  };
}

/** Adds a count to each resolution, one after the other; it begins at 0 again. */
function pushCount(deltas: RollupDelta[], { moment, agent_id }: Group, counted: Count): void {
  const { account_id, environment, starts } = moment;
  const { kind, key, count } = counted;
  counted.count = 0;
  for (const { resolution, start } of starts) {
    deltas.push({ account_id, environment, resolution, start, agent_id, kind, key, count });
  }
}

function minuteOf({ created_at }: JournalEntry): string {
  return created_at.slice(0, 16);
}

function isIn({ created_at, account_id, environment }: JournalEntry, moment: Moment): boolean {
  return (
    created_at.startsWith(moment.minute) &&
    account_id === moment.account_id &&
    environment === moment.environment
  );
}

function createMoment(entry: JournalEntry): Moment {
  const { account_id, environment, created_at } = entry;
  const at = Date.parse(created_at);
  const day = `${account_id}\n${environment}\n${startOf('day', at)}`;
  return {
    account_id,
    environment,
    minute: minuteOf(entry),
    starts: RESOLUTIONS.map((resolution) => ({ resolution, start: startOf(resolution, at) })),
    days: { action: `${day}\naction`, agent: `${day}\nagent`, reason: `${day}\nreason` },
    groups: new Map(),
  };
}

function groupOf(moment: Moment, agent_id: string): Group {
  const found = moment.groups.get(agent_id);
  if (found !== undefined) return found;
  const group: Group = {
    moment,
    agent_id,
    touched: [],
    verdict: noCounts(),
    action: noCounts(),
    latency: noCounts(),
    reason: noCounts(),
    agent: noCounts(),
  };
  moment.groups.set(agent_id, group);
  return group;
}

function noCounts(): Counts {
  return { first: undefined, others: undefined };
}

function createCount(counts: Counts, kind: CountedKind, name: string | number): Count {
  const isBounded = BOUNDED_KINDS.some((bounded) => bounded === kind);
  const count: Count = { kind, name, key: `${name}`, count: 0, isAllowed: false, isAdmitted: !isBounded };
  if (counts.first === undefined) counts.first = count;
  else counts.others = (counts.others ?? new Map()).set(name, count);
  return count;
}

function remove(counts: Counts, count: Count): void {
  if (counts.first === count) counts.first = undefined;
  else counts.others?.delete(count.name);
}
