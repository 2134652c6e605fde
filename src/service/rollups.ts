/** From filed verdicts to what they add to the rollups, with a bound on how many names a rollup can hold. */
import type { JournalEntry, RollupDelta, RollupKind } from '../ports.ts';
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

/** How many names one process lets into the rollups of an agent and a day, per kind. */
const MOST_NAMES = 100;
/** How many of them an agent can fill with actions it is denied: it can invent those without end. */
const MOST_DENIED_NAMES = 50;
/** How many agents and days it remembers, and how many names in all; a forgotten one starts to let names in again. */
const MOST_GROUPS = 10_000;
const MOST_ADMITTED = 100_000;

interface Group {
  readonly account_id: string;
  readonly environment: JournalEntry['environment'];
  readonly agent_id: string;
  /** A minute; the coarser rollups get the same counts. */
  readonly minute: number;
  readonly counts: Map<RollupKind, Map<string, number>>;
  /** The actions among them that were allowed. */
  readonly allowed: Set<string>;
}

/** The rollups of one process. */
export function createRollupWriter(): RollupWriter {
  /** The longest unused first. */
  const admitted = new Map<string, Set<string>>();
  let remembered = 0;

  /** Counts by name, the rare newcomers among them summed up as `OTHER` once there is no place. */
  function bounded(group: Group, kind: RollupKind, counts: ReadonlyMap<string, number>): Map<string, number> {
    if (kind !== 'action' && kind !== 'agent' && kind !== 'reason') return new Map(counts);
    const day = startOf('day', group.minute);
    const names = placesOf([group.account_id, group.environment, group.agent_id, day, kind].join('\n'));
    const kept = new Map<string, number>();
    for (const [name, count] of [...counts].sort(([, a], [, b]) => b - a)) {
      const places = kind === 'action' && !group.allowed.has(name) ? MOST_DENIED_NAMES : MOST_NAMES;
      if (names.size < places && !names.has(name)) {
        names.add(name);
        remembered += 1;
      }
      const key = names.has(name) ? name : OTHER;
      kept.set(key, (kept.get(key) ?? 0) + count);
    }
    return kept;
  }

  function placesOf(id: string): Set<string> {
    const names = admitted.get(id) ?? new Set<string>();
    admitted.delete(id);
    admitted.set(id, names);
    for (const [oldest, forgotten] of admitted) {
      const fits = admitted.size <= MOST_GROUPS && remembered <= MOST_ADMITTED - MOST_NAMES;
      if (fits || oldest === id) break;
      admitted.delete(oldest);
      remembered -= forgotten.size;
    }
    return names;
  }

  return {
    size: () => ({ groups: admitted.size, names: remembered }),
    deltas(batch, scale) {
      const groups = new Map<string, Group>();
      for (const { entry, latencyUs } of batch) {
        if (entry.dry_run) continue;
        const known = entry.passport_version !== null;
        for (const agent_id of known ? ['', entry.agent_id] : ['']) {
          const { counts, allowed } = groupOf(groups, entry, agent_id);
          if (entry.verdict === 'ALLOW') allowed.add(entry.action);
          add(counts, 'verdict', entry.verdict);
          add(counts, 'action', entry.action);
          // There are many agents: each fine bucket would be a row of each of them for every minute.
          const bucket = agent_id === '' ? scale.bucketOf(latencyUs) : scale.coarseBucketOf(latencyUs);
          add(counts, 'latency', `${bucket}`);
          for (const { code } of entry.reasons) add(counts, 'reason', code);
          // Names of agents that do not exist are anybody's to invent.
          if (agent_id === '') add(counts, 'agent', known ? entry.agent_id : OTHER);
        }
      }
      return [...groups.values()].flatMap((group) => {
        const kept = [...group.counts].map(([kind, counts]) => [kind, bounded(group, kind, counts)] as const);
        const { account_id, environment, agent_id, minute } = group;
        return RESOLUTIONS.flatMap((resolution) => {
          const start = startOf(resolution, minute);
          return kept.flatMap(([kind, counts]) =>
            [...counts].map(([key, count]) => {
              return { account_id, environment, resolution, start, agent_id, kind, key, count };
            }),
          );
        });
      });
    },
  };
}

function groupOf(groups: Map<string, Group>, entry: JournalEntry, agent_id: string): Group {
  const { account_id, environment, created_at } = entry;
  const minute = created_at.slice(0, 16);
  const id = `${account_id}\n${environment}\n${minute}\n${agent_id}`;
  const found = groups.get(id);
  if (found !== undefined) return found;
  const at = Date.parse(created_at);
  const group = {
    account_id,
    environment,
    agent_id,
    minute: at,
    counts: new Map(),
    allowed: new Set<string>(),
  };
  groups.set(id, group);
  return group;
}

function add(counts: Group['counts'], kind: RollupKind, key: string): void {
  const byKey = counts.get(kind) ?? new Map<string, number>();
  counts.set(kind, byKey.set(key, (byKey.get(key) ?? 0) + 1));
}
