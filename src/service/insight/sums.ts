/** Rollups together with the blocks that they do not count yet: exact at any moment. */

import { formatInstant } from '../../base/instant.ts';
import { floorTo, type Stretch } from '../../base/time-buckets.ts';
import { turn } from '../../base/turns.ts';
import { type BlockView, foldBlock, openBlock, startOfMinute } from '../../blocks/index.ts';
import {
  BLOCK_FLAGS,
  type Block,
  type RollupKind,
  type RollupSum,
  type SumsPart,
  type SumsQuery,
} from '../../ports/journal.ts';
import type { ReadBlock } from '../journal/damage.ts';
import { bucketStart, coarseLatency } from '../journal/latency.ts';
import { OTHER } from '../journal/rollup-groups.ts';
import type { Store } from '../storage/store.ts';

/** The sums of each part of a query; several of one part may have the same start, kind and key. */
export type AskSums = (query: SumsQuery) => Promise<readonly (readonly RollupSum[])[]>;

/** What a minute of a block adds to a sum. */
interface Addition {
  readonly minute_ms: number;
  readonly kind: RollupKind;
  readonly key: string;
  readonly count: number;
}

/** Sums of what `store` holds. */
export function createSums(store: Pick<Store, 'journal'>, readBlock: ReadBlock): AskSums {
  return async (query) => {
    const { parts, unmerged } = await store.journal.sums(query);
    const sums = parts.map((part) => [...part]);
    for (const block of unmerged) {
      if (!concerns(block, query)) continue;
      await turn();
      const additions = readBlock(block, () => additionsOf(openBlock(block.data), query)) ?? [];
      for (const addition of additions) addTo(sums, query, addition);
    }
    return sums;
  };
}

/** Whether a block may add to any part. */
function concerns({ flags, from_ms, to_ms }: Block, { environment, parts }: SumsQuery): boolean {
  // The times of a block are those of its records.
  if ((flags & BLOCK_FLAGS.drops) !== 0) return true;
  if ((flags & BLOCK_FLAGS[environment]) === 0) return false;
  return parts.some(({ from, to }) => to_ms >= Date.parse(from) && from_ms < Date.parse(to));
}

function addTo(sums: RollupSum[][], { parts }: SumsQuery, { minute_ms, kind, key, count }: Addition): void {
  for (const [index, { resolution, kinds, from, to, byStart }] of parts.entries()) {
    const start = formatInstant(floorTo(resolution, minute_ms));
    if (!kinds.includes(kind) || start < from || start >= to) continue;
    sums[index]?.push({ start: byStart ? start : null, kind, key, count });
  }
}

/** What a block counts of the environment, of one agent or of all. */
function additionsOf(view: BlockView, { environment, agent_id }: SumsQuery): readonly Addition[] {
  const additions: Addition[] = [];
  const isOfAll = agent_id === '';
  for (const { minute_ms, ...minute } of foldBlock(view)) {
    if (minute.environment !== environment) continue;
    const add = (kind: RollupKind, key: string, count: number): void => {
      additions.push({ minute_ms, kind, key, count });
    };
    for (const { agent_id: agent, isKnown, action, codes, count } of minute.verdicts) {
      if (!isOfAll && (agent !== agent_id || !isKnown)) continue;
      add('verdict', codes.length === 0 ? 'ALLOW' : 'DENY', count);
      add('action', action, count);
      for (const code of codes) add('reason', code, count);
      if (isOfAll) add('agent', isKnown ? agent : OTHER, count);
    }
    for (const { agent_id: agent, isKnown, bucket, count } of minute.latencies) {
      if (!isOfAll && (agent !== agent_id || !isKnown)) continue;
      add('latency', `${isOfAll ? bucketStart(bucket) : coarseLatency(bucket)}`, count);
    }
  }
  for (const drop of isOfAll ? view.drops : []) {
    if (drop.environment !== environment) continue;
    additions.push({ minute_ms: startOfMinute(drop.at_ms), kind: 'dropped', key: '', count: drop.count });
  }
  return additions;
}

/** A part of the sums for each stretch. */
export function partsOf(
  stretches: readonly Stretch[],
  kinds: readonly RollupKind[],
  byStart: boolean,
): readonly SumsPart[] {
  return stretches.map(({ resolution, from, to }) => {
    return { resolution, kinds, from: formatInstant(from), to: formatInstant(to), byStart };
  });
}
