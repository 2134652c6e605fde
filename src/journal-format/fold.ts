import { RESOLUTION_MS } from '../base/values/time-buckets.ts';
import type { Environment } from '../records.ts';
import type { BlockView } from './block-view.ts';
import type { AskContext } from './context.ts';
import { createPairs, type Pair } from './pairs.ts';

/** A count of records that have the same agent, action and codes, and the same `isKnown`. */
export interface VerdictCount {
  readonly agent_id: string;
  /**
   * `true` if the agent has a passport. An agent without a passport may not exist, because a caller can send any name.
   */
  readonly isKnown: boolean;
  readonly action: string;
  /** The codes of the reasons. An empty list means `ALLOW`. */
  readonly codes: readonly string[];
  readonly count: number;
}

/** The number of records of an agent with a latency in this bucket. */
export interface LatencyCount {
  readonly agent_id: string;
  readonly isKnown: boolean;
  readonly bucket: number;
  readonly count: number;
}

/** The counts of one minute and one environment, without dry runs. */
export interface FoldedMinute {
  readonly environment: Environment;
  /** The start of the minute, in milliseconds since the Unix epoch. */
  readonly minute_ms: number;
  readonly verdicts: readonly VerdictCount[];
  readonly latencies: readonly LatencyCount[];
}

/** Counts the records of many blocks together, because most records have the same few agents, actions and reasons. */
export interface Fold {
  /** Returns a measure of the used memory: the number of counts, plus `MINUTE_SIZE` for each minute of an account. */
  size(): number;
  /** Counts all records of a block of an account. If the block is damaged, counts none and throws a block error. */
  add(account_id: string, view: BlockView): void;
  /** Returns all counts in pieces of about `MAX_PIECE`, and resets them to 0. */
  take(): readonly FoldedPiece[];
}

/** The counts of an account for a part of a minute. */
export interface FoldedPiece extends FoldedMinute {
  readonly account_id: string;
}

interface Minute {
  readonly account_id: string;
  readonly environment: Environment;
  readonly minute_ms: number;
  /**
   * The counts of verdicts. The first number of a pair stands for the agent. The second stands for the action with its
   * reasons.
   */
  readonly verdicts: CountTable;
  readonly latencies: CountTable;
}

interface Counted extends Pick<BlockView, 'length' | 'times' | 'contexts' | 'versions' | 'latencies'> {
  readonly agents: Int32Array;
  readonly agentNumbers: ArrayLike<number>;
  readonly pairs: Int32Array;
}

const ENVIRONMENTS: readonly Environment[] = ['live', 'test'];
const MAX_PIECE = 2_000;
const MINUTE_SIZE = 16;

/** Creates an empty fold. */
export function createFold(): Fold {
  let minutes = new Map<string, Minute>();
  let pairs = createPairs();
  let agents = new Map<string, number>();
  let size = 0;

  function minuteOf(account_id: string, environment: Environment, minute_ms: number): Minute {
    const name = `${environment} ${minute_ms} ${account_id}`;
    const knownMinute = minutes.get(name);
    if (knownMinute !== undefined) return knownMinute;
    const counts = { verdicts: createCountTable(), latencies: createCountTable() };
    const minute = { account_id, environment, minute_ms, ...counts };
    minutes.set(name, minute);
    size += MINUTE_SIZE;
    return minute;
  }

  function numberOfAgent(agent_id: string): number {
    const agent = agents.get(agent_id);
    if (agent !== undefined) return agent;
    agents.set(agent_id, agents.size);
    return agents.size - 1;
  }

  /** Reads all counted columns. Throws for a damaged block before anything is counted. */
  function countedOf(view: BlockView): Counted {
    const { length, times, contexts, versions, latencies, agents } = view;
    return {
      length,
      times,
      contexts,
      versions,
      latencies,
      pairs: pairs.of(view),
      agentNumbers: agents.numbers,
      agents: Int32Array.from(agents.texts, numberOfAgent),
    };
  }

  return {
    size: () => size,
    add(account_id, view) {
      const counts = countedOf(view);
      const { length, times, contexts } = counts;
      for (let start = 0, end = 0; start < length; start = end) {
        const minute_ms = startOfMinute(times[start] as number);
        while (end < length && (times[end] as number) < minute_ms + RESOLUTION_MS.minute) end += 1;
        for (const environment of ENVIRONMENTS) {
          if (!contexts.values.some((context) => isCounted(context, environment))) continue;
          size += addRows(counts, minuteOf(account_id, environment, minute_ms), start, end);
        }
      }
    },
    take() {
      const names = [...agents.keys()];
      const takenPieces = [...minutes.values()].flatMap((minute) => piecesOf(minute, names, pairs.pair));
      minutes = new Map();
      pairs = createPairs();
      agents = new Map();
      size = 0;
      return takenPieces;
    },
  };
}

function isCounted({ environment, dry_run }: AskContext, wantedEnvironment: Environment): boolean {
  return environment === wantedEnvironment && !dry_run;
}

function addRows(
  counts: Counted,
  { environment, verdicts, latencies }: Minute,
  start: number,
  end: number,
): number {
  const previous = verdicts.size() + latencies.size();
  const { agents, agentNumbers, contexts, versions, pairs } = counts;
  const isWanted = contexts.values.map((context) => isCounted(context, environment));
  for (let index = start; index < end; index += 1) {
    if (!isWanted[contexts.numbers[index] as number]) continue;
    const agent = 2 * (agents[agentNumbers[index] as number] as number) + (versions[index] === 0 ? 0 : 1);
    verdicts.add(agent, pairs[index] as number);
    latencies.add(agent, counts.latencies[index] as number);
  }
  return verdicts.size() + latencies.size() - previous;
}

/** Returns the minutes of one block. */
export function foldBlock(view: BlockView): readonly FoldedMinute[] {
  const fold = createFold();
  fold.add('', view);
  return fold.take();
}

/** Returns the start of the minute that contains an instant, both in milliseconds. */
export function startOfMinute(ms: number): number {
  return Math.floor(ms / RESOLUTION_MS.minute) * RESOLUTION_MS.minute;
}

function piecesOf(
  { verdicts, latencies, ...query }: Minute,
  agents: readonly string[],
  pairOf: (number: number) => Pair,
): readonly FoldedPiece[] {
  const agentOf = (agent: number) => ({ agent_id: agents[agent >>> 1] as string, isKnown: agent % 2 === 1 });
  const verdictCounts: VerdictCount[] = [];
  verdicts.forEach((agent, pair, count) => {
    const { action, codes } = pairOf(pair);
    verdictCounts.push({ action, codes, count, ...agentOf(agent) });
  });
  const latencyCounts: LatencyCount[] = [];
  latencies.forEach((agent, bucket, count) => {
    latencyCounts.push({ bucket, count, ...agentOf(agent) });
  });
  return [
    ...inPieces(verdictCounts).map((piece) => ({ verdicts: piece, latencies: [], ...query })),
    ...inPieces(latencyCounts).map((piece) => ({ verdicts: [], latencies: piece, ...query })),
  ];
}

function inPieces<Item>(items: readonly Item[]): readonly (readonly Item[])[] {
  return Array.from({ length: Math.ceil(items.length / MAX_PIECE) }, (_, piece) =>
    items.slice(piece * MAX_PIECE, (piece + 1) * MAX_PIECE),
  );
}

// Counts pairs of whole numbers in a hash table of typed arrays. A Map would take three times as long.

interface CountTable {
  size(): number;
  /** Adds 1 to the count of a pair. Both numbers are from 0 to 2^31 - 1. */
  add(first: number, second: number): void;
  forEach(see: (first: number, second: number, count: number) => void): void;
}

const FIRST_CAPACITY = 16;

function createCountTable(): CountTable {
  let capacity = FIRST_CAPACITY;
  let firsts = new Int32Array(capacity);
  let seconds = new Int32Array(capacity);
  let counts = new Float64Array(capacity);
  let size = 0;

  function placeOf(first: number, second: number): number {
    const mixedHash = Math.imul(first, 0x9e3779b1) ^ Math.imul(second, 0x85ebca6b);
    let place = (mixedHash ^ (mixedHash >>> 15)) & (capacity - 1);
    while (counts[place] !== 0 && (firsts[place] !== first || seconds[place] !== second)) {
      place = (place + 1) & (capacity - 1);
    }
    return place;
  }

  function put(first: number, second: number, count: number): void {
    const place = placeOf(first, second);
    if (counts[place] === 0) size += 1;
    firsts[place] = first;
    seconds[place] = second;
    counts[place] = (counts[place] as number) + count;
  }

  function grow(): void {
    const previous = { firsts, seconds, counts };
    capacity *= 2;
    firsts = new Int32Array(capacity);
    seconds = new Int32Array(capacity);
    counts = new Float64Array(capacity);
    size = 0;
    for (let place = 0; place < previous.counts.length; place += 1) {
      const count = previous.counts[place] as number;
      if (count > 0) put(previous.firsts[place] as number, previous.seconds[place] as number, count);
    }
  }

  return {
    size: () => size,
    add(first, second) {
      if (size * 2 >= capacity) grow();
      put(first, second, 1);
    },
    forEach(see) {
      for (let place = 0; place < capacity; place += 1) {
        const count = counts[place] as number;
        if (count > 0) see(firsts[place] as number, seconds[place] as number, count);
      }
    },
  };
}
