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
  list(range: OutcomeRange, limit: number, after?: BlockPlace): Promise<readonly BlockHeader[]>;
  open(headers: readonly BlockHeader[]): Promise<readonly OutcomeColumns[] | undefined>;
}

interface Decoded {
  readonly data: Uint8Array;
  readonly outcomes: OutcomeColumns;
}

/** The number of decoded blocks to keep, about 250 kB each. */
const MAX_KEPT = 16;

export function createOutcomeBlocks(journal: JournalStorage, readBlock: ReadBlock): OutcomeBlocks {
  const kept = new Map<string, Decoded>();

  function decode(block: Block): OutcomeColumns | undefined {
    const { writer, seq, account_id, data } = block;
    const key = `${writer}.${seq}.${account_id}`;
    const known = kept.get(key);
    if (known !== undefined && isSame(known.data, data)) return known.outcomes;
    const outcomes = readBlock(block, () => openBlock(data).outcomes);
    kept.delete(key);
    if (outcomes !== undefined) kept.set(key, { data, outcomes });
    for (const oldest of kept.keys()) {
      if (kept.size <= MAX_KEPT) break;
      kept.delete(oldest);
    }
    return outcomes;
  }

  return {
    list({ account_id, from_ms, upto_ms, agent_id, outcome }, limit, after) {
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
        ...(after && { after }),
      });
    },
    async open(headers) {
      const opened: OutcomeColumns[] = [];
      for await (const block of loadedBlocks(journal, headers)) {
        if (block === undefined) return undefined;
        const outcomes = decode(block);
        if (outcomes !== undefined) opened.push(outcomes);
        await turn();
      }
      return opened;
    },
  };
}

function isSame(a: Uint8Array, b: Uint8Array): boolean {
  if (a === b) return true;
  if (a.length !== b.length) return false;
  for (let at = a.length - 1; at >= 0; at -= 1) if (a[at] !== b[at]) return false;
  return true;
}
