import type {
  Block,
  BlockHeader,
  BlockName,
  FiledQuery,
  Instant,
  JournalWriter,
  UnmergedQuery,
} from '../../../src/ports/index.ts';
import { compareFiled, placeOfFiled } from './block-order.ts';
import { headerOf } from './block-search.ts';
import { compareText } from './text-order.ts';

export interface Writers {
  get(id: string): JournalWriter | undefined;
  all(): readonly JournalWriter[];
  unmerged(query: UnmergedQuery): readonly JournalWriter[];
  set(writer: JournalWriter): void;
  forget(before: Instant, limit: number): number;
  block(name: BlockName): Block | undefined;
  /** Returns the blocks of a writer with `seq` in (`from`, `to`]. */
  between(writer: string, from: number, to: number): readonly Block[];
  filed(query: FiledQuery): readonly BlockHeader[];
  add(blocks: readonly Block[]): void;
  replace(block: Block): void;
  remove(block: Block): void;
  clear(): void;
}

export function createWriters(): Writers {
  const known = new Map<string, JournalWriter>();
  const unmerged = new Map<string, JournalWriter>();
  const filed = new Map<string, Block[]>();

  function placeOf({ writer, seq, account_id }: BlockName): { blocks: Block[]; at: number } | undefined {
    const blocks = filed.get(writer) ?? [];
    const at = placeOfFiled(blocks, { seq, account_id });
    const found = blocks[at];
    return found !== undefined && compareFiled(found, { seq, account_id }) === 0 ? { blocks, at } : undefined;
  }

  function slice(writer: string, place: number, to: number): readonly Block[] {
    const blocks = filed.get(writer) ?? [];
    return blocks.slice(place, placeOfFiled(blocks, { seq: to + 1, account_id: '' }));
  }

  function startOf(writer: string, from: number): number {
    return placeOfFiled(filed.get(writer) ?? [], { seq: from + 1, account_id: '' });
  }

  return {
    get: (id) => known.get(id),
    all: () => [...known.values()],
    unmerged({ after = '', limit }) {
      const ids = [...unmerged.keys()].filter((id) => compareText(id, after) > 0).sort(compareText);
      return ids.slice(0, limit).flatMap((id) => unmerged.get(id) ?? []);
    },
    set(writer) {
      known.set(writer.id, Object.freeze(writer));
      if (writer.merged < writer.flushed) unmerged.set(writer.id, writer);
      else unmerged.delete(writer.id);
    },
    forget(before, limit) {
      let removed = 0;
      for (const { id, seen_at, flushed, merged } of known.values()) {
        if (removed === limit) break;
        if (seen_at < before && merged >= flushed && known.delete(id)) removed += 1;
      }
      return removed;
    },
    block(name) {
      const found = placeOf(name);
      return found?.blocks[found.at];
    },
    between: (writer, from, to) => slice(writer, startOf(writer, from), to),
    filed({ writer, from, to, after, limit }) {
      const blocks = filed.get(writer) ?? [];
      let place = startOf(writer, from);
      if (after !== undefined) place = Math.max(place, behind(blocks, after));
      return slice(writer, place, to).slice(0, limit).map(headerOf);
    },
    add(blocks) {
      const [first] = blocks;
      if (first === undefined) return;
      const others = filed.get(first.writer);
      if (others === undefined) filed.set(first.writer, [...blocks]);
      else others.push(...blocks);
    },
    replace(block) {
      const found = placeOf(block);
      if (found !== undefined) found.blocks[found.at] = block;
    },
    remove(block) {
      const found = placeOf(block);
      if (found === undefined) return;
      found.blocks.splice(found.at, 1);
      if (found.blocks.length === 0) filed.delete(block.writer);
    },
    clear() {
      known.clear();
      unmerged.clear();
      filed.clear();
    },
  };
}

function behind(blocks: readonly Block[], place: Pick<Block, 'seq' | 'account_id'>): number {
  const at = placeOfFiled(blocks, place);
  const found = blocks[at];
  return found !== undefined && compareFiled(found, place) === 0 ? at + 1 : at;
}
