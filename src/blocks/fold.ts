/** What a block adds to the sums: counts instead of records, of each minute and environment. */
import { RESOLUTION_MS } from '../base/time-buckets.ts';
import type { Environment } from '../records.ts';
import type { BlockView } from './block-view.ts';

/** So many records that are the same in all that is counted. */
export interface VerdictCount {
  readonly agent_id: string;
  /** Whether the agent has a passport: names of others can be invented. */
  readonly isKnown: boolean;
  readonly action: string;
  /** The codes of their reasons; none: they are `ALLOW`. */
  readonly codes: readonly string[];
  readonly count: number;
}

/** So many records of an agent whose latencies are in one bucket. */
export interface LatencyCount {
  readonly agent_id: string;
  readonly isKnown: boolean;
  readonly bucket: number;
  readonly count: number;
}

/** The records of one minute and environment, without dry runs. */
export interface FoldedMinute {
  readonly environment: Environment;
  /** The start of the minute, in milliseconds since the Unix epoch. */
  readonly minute_ms: number;
  readonly verdicts: readonly VerdictCount[];
  readonly latencies: readonly LatencyCount[];
}

const ENVIRONMENTS: readonly Environment[] = ['live', 'test'];
const BUCKETS = 256;

/** The minutes of a block in their order. */
export function foldBlock(view: BlockView): readonly FoldedMinute[] {
  const { times, length } = view;
  const minutes: FoldedMinute[] = [];
  for (let from = 0, to = 0; from < length; from = to) {
    const minute_ms = startOfMinute(times[from] as number);
    while (to < length && (times[to] as number) < minute_ms + RESOLUTION_MS.minute) to += 1;
    for (const environment of ENVIRONMENTS) {
      const folded = foldRows(view, environment, from, to);
      if (folded.verdicts.length > 0) minutes.push({ environment, minute_ms, ...folded });
    }
  }
  return minutes;
}

/** The start of the minute that holds an instant, both in milliseconds. */
export function startOfMinute(ms: number): number {
  return Math.floor(ms / RESOLUTION_MS.minute) * RESOLUTION_MS.minute;
}

function foldRows(
  { agents, actions, contexts, reasons, versions, latencies }: BlockView,
  environment: Environment,
  from: number,
  to: number,
): Pick<FoldedMinute, 'verdicts' | 'latencies'> {
  const isCounted = contexts.values.map((context) => context.environment === environment && !context.dry_run);
  // The numbers of a record in one: a text for each would cost more than all the rest.
  const verdicts = new Map<number, number>();
  const buckets = new Map<number, number>();
  for (let place = from; place < to; place += 1) {
    if (!isCounted[contexts.numbers[place] as number]) continue;
    const agent = (agents.numbers[place] as number) * 2 + (versions[place] === 0 ? 0 : 1);
    const action = agent * actions.texts.length + (actions.numbers[place] as number);
    addOne(verdicts, action * reasons.shapes.length + (reasons.numbers[place] as number));
    addOne(buckets, agent * BUCKETS + (latencies[place] as number));
  }
  const agentOf = (agent: number) => ({
    agent_id: agents.texts[agent >>> 1] as string,
    isKnown: agent % 2 === 1,
  });
  return {
    verdicts: Array.from(verdicts, ([key, count]) => {
      const action = Math.floor(key / reasons.shapes.length);
      return {
        ...agentOf(Math.floor(action / actions.texts.length)),
        action: actions.texts[action % actions.texts.length] as string,
        codes: reasons.shapes[key % reasons.shapes.length]?.codes ?? [],
        count,
      };
    }),
    latencies: Array.from(buckets, ([key, count]) => ({
      ...agentOf(Math.floor(key / BUCKETS)),
      bucket: key % BUCKETS,
      count,
    })),
  };
}

function addOne(counts: Map<number, number>, key: number): void {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}
