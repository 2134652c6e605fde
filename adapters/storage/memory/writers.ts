import type {
  Block,
  BlockHeader,
  BlockName,
  FiledQuery,
  Instant,
  JournalWriter,
  UnmergedQuery,
} from '../../../src/ports/index.ts';
import { headerOf } from './block-search.ts';
import { compareFiled, compareText, placeOfFiled } from './text-order.ts';

export interface Writers {
  get(id: string): JournalWriter | undefined;
  all(): readonly JournalWriter[];
  unmerged(query: UnmergedQuery): readonly JournalWriter[];
  set(writer: JournalWriter): void;
  forget(cutoff: Instant, limit: number): number;
  block(name: BlockName): Block | undefined;
  /** Returns the blocks of a writer with `seq` in (`start`, `end`]. */
  between(writer: string, start: number, end: number): readonly Block[];
  filed(query: FiledQuery): readonly BlockHeader[];
  add(blocks: readonly Block[]): void;
  replace(block: Block): void;
  remove(block: Block): void;
  clear(): void;
}

export function createWriters(): Writers {
  const writers = new Map<string, JournalWriter>();
  const unmergedWriters = new Map<string, JournalWriter>();
  const filedBlocks = new Map<string, Block[]>();

  function placeOf({ writer, seq, account_id }: BlockName): { blocks: Block[]; at: number } | undefined {
    const blocks = filedBlocks.get(writer) ?? [];
    const place = placeOfFiled(blocks, { seq, account_id });
    const block = blocks[place];
    return block !== undefined && compareFiled(block, { seq, account_id }) === 0
      ? { blocks, at: place }
      : undefined;
  }

  function slice(writer: string, place: number, end: number): readonly Block[] {
    const blocks = filedBlocks.get(writer) ?? [];
    return blocks.slice(place, placeOfFiled(blocks, { seq: end + 1, account_id: '' }));
  }

  function startOf(writer: string, start: number): number {
    return placeOfFiled(filedBlocks.get(writer) ?? [], { seq: start + 1, account_id: '' });
  }

  return {
    get: (id) => writers.get(id),
    all: () => [...writers.values()],
    unmerged({ after = '', limit }) {
      const ids = [...unmergedWriters.keys()].filter((id) => compareText(id, after) > 0).sort(compareText);
      return ids.slice(0, limit).flatMap((id) => unmergedWriters.get(id) ?? []);
    },
    set(writer) {
      writers.set(writer.id, Object.freeze(writer));
      if (writer.merged < writer.flushed) unmergedWriters.set(writer.id, writer);
      else unmergedWriters.delete(writer.id);
    },
    forget(cutoff, limit) {
      let removedCount = 0;
      for (const { id, seen_at, flushed, merged } of writers.values()) {
        if (removedCount === limit) break;
        if (seen_at < cutoff && merged >= flushed && writers.delete(id)) removedCount += 1;
      }
      return removedCount;
    },
    block(name) {
      const place = placeOf(name);
      return place?.blocks[place.at];
    },
    between: (writer, start, end) => slice(writer, startOf(writer, start), end),
    filed({ writer, from, to, after, limit }) {
      const blocks = filedBlocks.get(writer) ?? [];
      let place = startOf(writer, from);
      if (after !== undefined) place = Math.max(place, behind(blocks, after));
      return slice(writer, place, to).slice(0, limit).map(headerOf);
    },
    add(blocks) {
      const [first] = blocks;
      if (first === undefined) return;
      const otherBlocks = filedBlocks.get(first.writer);
      if (otherBlocks === undefined) filedBlocks.set(first.writer, [...blocks]);
      else otherBlocks.push(...blocks);
    },
    replace(block) {
      const place = placeOf(block);
      if (place !== undefined) place.blocks[place.at] = block;
    },
    remove(block) {
      const place = placeOf(block);
      if (place === undefined) return;
      place.blocks.splice(place.at, 1);
      if (place.blocks.length === 0) filedBlocks.delete(block.writer);
    },
    clear() {
      writers.clear();
      unmergedWriters.clear();
      filedBlocks.clear();
    },
  };
}

function behind(blocks: readonly Block[], place: Pick<Block, 'seq' | 'account_id'>): number {
  const blockPlace = placeOfFiled(blocks, place);
  const block = blocks[blockPlace];
  return block !== undefined && compareFiled(block, place) === 0 ? blockPlace + 1 : blockPlace;
}
