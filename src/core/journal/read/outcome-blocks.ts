/** Loads blocks of outcomes. Their headers do not contain the number of reports, so the blocks must be decoded. */
import { turn } from '../../../base/async/turns.ts';
import { filterHashes, type OutcomeColumns, openBlock } from '../../../journal-format/index.ts';
import {
  BLOCK_FLAGS,
  type Block,
  type BlockHeader,
  type BlockPlace,
  type JournalStorage,
} from '../../../ports/journal.ts';
import type { Outcome } from '../../../records/outcome.ts';
import { loadedBlocks } from '../../shared/loaded-blocks.ts';
import type { ReadBlock } from '../damage.ts';

/** The verdicts for which reports are needed. Times are milliseconds since the Unix epoch. */
export interface OutcomeRange {
  readonly account_id: string;
  readonly from_ms?: number;
  readonly upto_ms?: number;
  readonly agent_id?: string | undefined;
  readonly outcome?: Outcome | undefined;
}

export interface OutcomeBlocks {
  list(range: OutcomeRange, limit: number, placeAfter?: BlockPlace): Promise<readonly BlockHeader[]>;
  open(headers: readonly BlockHeader[]): Promise<readonly OutcomeColumns[] | undefined>;
}

interface Decoded {
  readonly data: Uint8Array;
  readonly outcomes: OutcomeColumns;
}

/** The number of decoded blocks to keep, about 250 kB each. */
const MAX_KEPT = 16;

export function createOutcomeBlocks(journal: JournalStorage, readBlock: ReadBlock): OutcomeBlocks {
  const keptMap = new Map<string, Decoded>();

  function decode(block: Block): OutcomeColumns | undefined {
    const { writer, seq, account_id, data } = block;
    const key = `${writer}.${seq}.${account_id}`;
    const content = keptMap.get(key);
    if (content !== undefined && isSame(content.data, data)) return content.outcomes;
    const outcomes = readBlock(block, () => openBlock(data).outcomes);
    keptMap.delete(key);
    if (outcomes !== undefined) keptMap.set(key, { data, outcomes });
    for (const oldest of keptMap.keys()) {
      if (keptMap.size <= MAX_KEPT) break;
      keptMap.delete(oldest);
    }
    return outcomes;
  }

  return {
    list({ account_id, from_ms, upto_ms, agent_id, outcome }, limit, placeAfter) {
      const names = [
        ...(agent_id === undefined ? [] : [filterHashes('agent', agent_id)]),
        ...(outcome === undefined ? [] : [filterHashes('outcome', outcome)]),
      ];
      return journal.blocks({
        account_id,
        flags: BLOCK_FLAGS.outcomes,
        limit,
        ...(from_ms !== undefined && { from_ms }),
        ...(upto_ms !== undefined && { upto_ms }),
        ...(names.length > 0 && { names }),
        ...(placeAfter && { after: placeAfter }),
      });
    },
    async open(headers) {
      const columns: OutcomeColumns[] = [];
      for await (const block of loadedBlocks(journal, headers)) {
        if (block === undefined) return undefined;
        const outcomes = decode(block);
        if (outcomes !== undefined) columns.push(outcomes);
        await turn();
      }
      return columns;
    },
  };
}

function isSame(a: Uint8Array, b: Uint8Array): boolean {
  if (a === b) return true;
  if (a.length !== b.length) return false;
  for (let index = a.length - 1; index >= 0; index -= 1) if (a[index] !== b[index]) return false;
  return true;
}
