import {
  type Block,
  type BlockName,
  type BlocksQuery,
  type FiledQuery,
  type FlushResult,
  type JournalFlush,
  type JournalMerge,
  type JournalWriter,
  keepsCounts,
  type RollupDelta,
  type RollupSum,
  type SumsPart,
  type SumsQuery,
} from '../../src/ports/index.ts';

/** A rollup of the model: what is counted where, and how often. */
type Rollup = Omit<RollupDelta, 'minute'> & { readonly resolution: string; readonly start: string };

/** What a journal has to be like, as plain lists that are looked through from end to end. */
export interface JournalModel {
  readonly writers: JournalWriter[];
  blocks: Block[];
  /** By all that they are but their count. */
  rollups: Map<string, Rollup>;
  completeSince: string | undefined;
}

/** A journal without anything. */
export function emptyModel(): JournalModel {
  return { writers: [], blocks: [], rollups: new Map(), completeSince: undefined };
}

const RESOLUTIONS = { minute: 16, hour: 13, day: 10 };

/** The same calls as those of a `JournalStorage`, answered by the model. */
export const model = {
  open(state: JournalModel, id: string, at: string): boolean {
    if (state.writers.some((writer) => writer.id === id)) return false;
    state.writers.push({ id, flushed: 0, merged: 0, seen_at: at });
    return true;
  },
  /** `undefined` where the call has to reject. */
  file(state: JournalModel, { writer: id, seq, at, blocks }: JournalFlush): FlushResult | undefined {
    const writer = writerOf(state, id);
    if (writer === undefined) return 'unknown_writer';
    if (seq <= writer.flushed) return 'known';
    if (new Set(blocks.map(({ account_id }) => account_id)).size < blocks.length) return undefined;
    state.blocks.push(...blocks);
    setWriter(state, { ...writer, flushed: seq, seen_at: at });
    return 'filed';
  },
  /** `undefined` where the call has to reject. */
  merge(state: JournalModel, { writer: id, from, to, at, rollups }: JournalMerge): boolean | undefined {
    const writer = writerOf(state, id);
    if (writer?.merged !== from) return false;
    const added = new Map(state.rollups);
    for (const delta of rollups) addDelta(added, delta);
    if ([...added.values()].some(({ count }) => !Number.isSafeInteger(count))) return undefined;
    state.rollups = added;
    setWriter(state, { ...writer, merged: to, seen_at: at });
    return true;
  },
  blocks(state: JournalModel, query: BlocksQuery): readonly Block[] {
    return state.blocks
      .filter((block) => fits(block, query))
      .sort(byPlace)
      .slice(0, query.limit);
  },
  load(state: JournalModel, names: readonly BlockName[]): readonly (Block | undefined)[] {
    return names.map((name) => state.blocks.find((block) => isNamed(block, name)));
  },
  filed(state: JournalModel, { writer, from, to, after, limit }: FiledQuery): readonly Block[] {
    return state.blocks
      .filter((block) => block.writer === writer && block.seq > from && block.seq <= to)
      .filter((block) => after === undefined || byFlush(block, after) > 0)
      .sort(byFlush)
      .slice(0, limit);
  },
  unmerged(state: JournalModel, account_id: string): readonly Block[] {
    return state.blocks.filter((block) => block.account_id === account_id && !isMerged(state, block));
  },
  sum(state: JournalModel, of: Omit<SumsQuery, 'parts'>, part: SumsPart): readonly RollupSum[] {
    const sums = new Map<string, RollupSum>();
    for (const rollup of state.rollups.values()) {
      const isAsked =
        rollup.account_id === of.account_id &&
        rollup.environment === of.environment &&
        rollup.agent_id === of.agent_id &&
        rollup.resolution === part.resolution &&
        part.kinds.includes(rollup.kind) &&
        rollup.start >= part.from &&
        rollup.start < part.to;
      if (!isAsked) continue;
      const { kind, key, count } = rollup;
      const start = part.byStart ? rollup.start : null;
      const name = JSON.stringify([start, kind, key]);
      sums.set(name, { start, kind, key, count: count + (sums.get(name)?.count ?? 0) });
    }
    return [...sums.values()];
  },
  compact(state: JournalModel, names: readonly BlockName[], into: Block): boolean {
    const found = state.blocks.filter((block) => names.some((name) => isNamed(block, name)));
    const mayChange = keepsCounts(found, into) || found.every((block) => isMerged(state, block));
    const isWhole = found.length === names.length && mayChange;
    if (!isWhole || !found.some((block) => isNamed(block, into))) return false;
    state.blocks = [...state.blocks.filter((block) => !found.includes(block)), into];
    return true;
  },
  /** Removes all that is old, and gives back its number. */
  purge(state: JournalModel, what: 'verdicts' | 'rollups' | 'writers', before: string): number {
    if (what === 'writers') return purgeWriters(state, before);
    const removed = what === 'verdicts' ? purgeBlocks(state, before) : purgeRollups(state, before);
    if (removed > 0 && (state.completeSince === undefined || state.completeSince < before)) {
      state.completeSince = before;
    }
    return removed;
  },
};

function purgeBlocks(state: JournalModel, before: string): number {
  const isOld = (block: Block): boolean => isMerged(state, block) && block.to_ms < Date.parse(before);
  const old = state.blocks.filter(isOld);
  state.blocks = state.blocks.filter((block) => !old.includes(block));
  return old.reduce((sum, { records }) => sum + Math.max(1, records), 0);
}

function purgeWriters({ writers }: JournalModel, before: string): number {
  const left = writers.filter(({ seen_at, flushed, merged }) => seen_at >= before || merged < flushed);
  return writers.splice(0, writers.length, ...left).length - left.length;
}

function purgeRollups({ rollups }: JournalModel, before: string): number {
  const old = [...rollups].filter(([, { start }]) => start < before);
  for (const [name] of old) rollups.delete(name);
  return old.length;
}

function writerOf({ writers }: JournalModel, id: string): JournalWriter | undefined {
  return writers.find((writer) => writer.id === id);
}

function setWriter({ writers }: JournalModel, writer: JournalWriter): void {
  const at = writers.findIndex(({ id }) => id === writer.id);
  writers.splice(at, 1, writer);
}

function isMerged(state: JournalModel, { writer, seq }: BlockName): boolean {
  const known = writerOf(state, writer);
  return known === undefined || seq <= known.merged;
}

function isNamed(block: BlockName, name: BlockName): boolean {
  return block.writer === name.writer && block.seq === name.seq && block.account_id === name.account_id;
}

function addDelta(rollups: Map<string, Rollup>, { minute, count, ...of }: RollupDelta): void {
  for (const [resolution, length] of Object.entries(RESOLUTIONS)) {
    const start = `${minute.slice(0, length)}${'0000-00-00T00:00:00.000Z'.slice(length)}`;
    const { account_id, environment, agent_id, kind, key } = of;
    const name = JSON.stringify([resolution, start, account_id, environment, agent_id, kind, key]);
    rollups.set(name, { ...of, resolution, start, count: count + (rollups.get(name)?.count ?? 0) });
  }
}

function fits(block: Block, query: BlocksQuery): boolean {
  const { account_id, from_ms, upto_ms, verdict, flags, names = [], after } = query;
  if (block.account_id !== account_id) return false;
  if (from_ms !== undefined && block.to_ms < from_ms) return false;
  if (upto_ms !== undefined && block.from_ms > upto_ms) return false;
  if (verdict === 'DENY' && block.denied === 0) return false;
  if (verdict === 'ALLOW' && block.denied === block.records) return false;
  if (flags !== undefined && (block.flags & flags) === 0) return false;
  if (after !== undefined && byPlace(block, after) <= 0) return false;
  const bits = [...block.filter].flatMap((byte) => [...byte.toString(2).padStart(8, '0')].reverse());
  return names.flat().every((hash) => bits[hash % bits.length] === '1');
}

function byPlace(a: Pick<Block, 'to_ms' | 'writer' | 'seq'>, b: typeof a): number {
  return b.to_ms - a.to_ms || compareBytes(b.writer, a.writer) || b.seq - a.seq;
}

function byFlush(a: Pick<Block, 'seq' | 'account_id'>, b: typeof a): number {
  return a.seq - b.seq || compareBytes(a.account_id, b.account_id);
}

function compareBytes(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b));
}
