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

/** How often a key was counted, of one agent or of all. */
interface Count {
  readonly agent_id: string;
  readonly kind: RollupKind;
  readonly key: string;
  count: number;
  /** Of an action: whether it was allowed. */
  isAllowed: boolean;
}

/** The counts of one kind by key. Most agents have one key of each kind: it costs no Map. */
interface Counts {
  first: Count | undefined;
  others: Map<string, Count> | undefined;
}

type CountedKind = Exclude<RollupKind, 'dropped'>;

/** What a batch says of one agent in a minute, or of all of them. */
interface Group extends Readonly<Record<CountedKind, Counts>> {
  readonly moment: Moment;
  readonly agent_id: string;
}

/** A minute of an account and environment; the coarser rollups get the same counts. */
interface Moment {
  readonly account_id: string;
  readonly environment: JournalEntry['environment'];
  readonly starts: readonly (readonly [resolution: Resolution, start: Instant])[];
  /** The day under which names are let in, by their kind. */
  readonly days: Readonly<Record<BoundedKind, string>>;
  /** By agent; that of all agents under `''`. */
  readonly groups: Map<string, Group>;
  /** The counts that go into the rollups. */
  readonly kept: Count[];
}

/** The rollups of one process. */
export function createRollupWriter(): RollupWriter {
  const admission = createAdmission();

  /** Keeps the counts, the rare newcomers among them summed up as `OTHER` once there is no place. */
  function keepBounded({ moment, agent_id }: Group, kind: BoundedKind, counts: Counts): void {
    if (counts.first === undefined) return;
    const places = admission.placesOf(moment.days[kind], agent_id);
    let other: Count | undefined;
    for (const count of byFrequency(counts)) {
      const most = kind === 'action' && !count.isAllowed ? MOST_DENIED_NAMES : MOST_NAMES;
      const isAdmitted = admission.admits(places, count.key, most);
      if (isAdmitted && count.key !== OTHER) moment.kept.push(count);
      else if (other === undefined) {
        other = { ...count, key: OTHER };
        moment.kept.push(other);
      } else other.count += count.count;
    }
  }

  return {
    size: admission.size,
    deltas(batch, scale) {
      const groups = groupsOf(batch, scale);
      for (const group of groups) {
        for (const count of listOf(group.verdict)) group.moment.kept.push(count);
        for (const count of listOf(group.latency)) group.moment.kept.push(count);
        keepBounded(group, 'action', group.action);
        keepBounded(group, 'reason', group.reason);
        keepBounded(group, 'agent', group.agent);
      }
      const deltas: RollupDelta[] = [];
      for (const { account_id, environment, starts, kept } of new Set(groups.map(({ moment }) => moment))) {
        for (const [resolution, start] of starts) {
          for (const { agent_id, kind, key, count } of kept) {
            deltas.push({ account_id, environment, resolution, start, agent_id, kind, key, count });
          }
        }
      }
      return deltas;
    },
  };
}

/** The groups of a batch in the order in which they are first met. */
function groupsOf(batch: readonly Filed[], scale: LatencyScale): readonly Group[] {
  const moments = new Map<string, Moment>();
  const groups: Group[] = [];
  let last: JournalEntry | undefined;
  let moment: Moment | undefined;
  for (const { entry, latencyUs } of batch) {
    if (entry.dry_run) continue;
    // Most verdicts of a batch follow each other within a millisecond: no name is put together for them.
    if (moment === undefined || last === undefined || !sharesMoment(last, entry))
      moment = momentOf(moments, entry);
    last = entry;
    const isKnown = entry.passport_version !== null;
    const all = groupOf(groups, moment, '');
    addEntry(all, entry, scale.bucketOf(latencyUs));
    // Names of agents that do not exist are anybody's to invent.
    addOne(all, 'agent', isKnown ? entry.agent_id : OTHER);
    // There are many agents: each fine bucket would be a row of each of them for every minute.
    if (isKnown) addEntry(groupOf(groups, moment, entry.agent_id), entry, scale.coarseBucketOf(latencyUs));
  }
  return groups;
}

function sharesMoment(a: JournalEntry, b: JournalEntry): boolean {
  return a.created_at === b.created_at && a.account_id === b.account_id && a.environment === b.environment;
}

function momentOf(moments: Map<string, Moment>, entry: JournalEntry): Moment {
  const { account_id, environment, created_at } = entry;
  const id = `${account_id}\n${environment}\n${created_at.slice(0, 16)}`;
  const found = moments.get(id);
  if (found !== undefined) return found;
  const at = Date.parse(created_at);
  const day = `${account_id}\n${environment}\n${startOf('day', at)}`;
  const moment: Moment = {
    account_id,
    environment,
    starts: RESOLUTIONS.map((resolution) => [resolution, startOf(resolution, at)]),
    days: { action: `${day}\naction`, agent: `${day}\nagent`, reason: `${day}\nreason` },
    groups: new Map(),
    kept: [],
  };
  moments.set(id, moment);
  return moment;
}

function groupOf(groups: Group[], moment: Moment, agent_id: string): Group {
  const found = moment.groups.get(agent_id);
  if (found !== undefined) return found;
  const group: Group = {
    moment,
    agent_id,
    verdict: noCounts(),
    action: noCounts(),
    latency: noCounts(),
    reason: noCounts(),
    agent: noCounts(),
  };
  moment.groups.set(agent_id, group);
  groups.push(group);
  return group;
}

function noCounts(): Counts {
  return { first: undefined, others: undefined };
}

function addEntry(group: Group, { verdict, action, reasons }: JournalEntry, bucket: number): void {
  addOne(group, 'verdict', verdict);
  const count = addOne(group, 'action', action);
  if (verdict === 'ALLOW') count.isAllowed = true;
  addOne(group, 'latency', `${bucket}`);
  for (const { code } of reasons) addOne(group, 'reason', code);
}

function addOne(group: Group, kind: CountedKind, key: string): Count {
  const counts = group[kind];
  const found = counts.first?.key === key ? counts.first : counts.others?.get(key);
  if (found !== undefined) {
    found.count += 1;
    return found;
  }
  const count: Count = { agent_id: group.agent_id, kind, key, count: 1, isAllowed: false };
  if (counts.first === undefined) counts.first = count;
  else counts.others = (counts.others ?? new Map()).set(key, count);
  return count;
}

function listOf({ first, others }: Counts): readonly Count[] {
  if (first === undefined) return [];
  return others === undefined ? [first] : [first, ...others.values()];
}

function byFrequency(counts: Counts): readonly Count[] {
  const list = listOf(counts);
  return list.length < 2 ? list : list.toSorted((a, b) => b.count - a.count);
}
