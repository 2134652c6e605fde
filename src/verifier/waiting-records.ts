/**
 * Collects the records that a verifier must send, and packs them into numbered blocks. Each block is sent with the same
 * bytes until the service answers.
 */

import { toBase64Url } from '../base/bytes/base64url.ts';
import { idCount, idPrefix, idSpeller } from '../base/bytes/counted-ids.ts';
import { toHex } from '../base/bytes/hex.ts';
import { jsonText } from '../base/values/json-data.ts';
import { OLDEST_SENT_MS } from '../base/values/time-buckets.ts';
import { latencyBucket } from '../core/journal/latency.ts';
import { createIntake } from '../core/journal/write/drains.ts';
import { createLanes, type Lanes, type WaitingBlock } from '../core/journal/write/lanes.ts';
import { sentWriter } from '../core/shared/sent-writer.ts';
import { IdentityError } from '../errors.ts';
import { mergedRecords, openBlock, packRecords, type SealedBlock } from '../journal-format/index.ts';
import type { Clock, RandomSource } from '../ports/host.ts';
import type { VerdictRecord } from '../records.ts';

/** A block with its number, which is the counter in the id of its last record. */
export interface NumberedRecords {
  readonly seq: number;
  readonly body: string;
  readonly block: WaitingBlock;
}

/** The maximum size in bytes, so that the base64url text has at most 1 MiB. */
const MAX_BYTES = 3 * 256 * 1_024;
const WRITER_BYTES = 16;

/** The records that wait to be sent. */
export interface WaitingRecords {
  unsent(): number;
  dropped(): number;
  /** Gives a record its id and adds the record. Returns `true` if the record has finished a block. */
  push: (record: VerdictRecord, account_id: string, latencyUs: number) => boolean;
  seal(): void;
  /** Returns the block to send now. The block stays the same until it is ended. */
  current(): NumberedRecords | undefined;
  /** Ends the current block after it was answered. */
  end(): void;
  /**
   * Ends the current block, and counts its records as dropped. A later block reports them. Returns the number of
   * records.
   */
  refuse(): number;
  /** Drops all records. Returns their number. */
  lose(): number;
}

/** Creates the list of one verifier. `clock` must be the clock of the storage. */
export function createWaitingRecords({
  random,
  clock,
}: {
  readonly random: RandomSource;
  readonly clock: Clock;
}): WaitingRecords {
  const writer = toHex(random.bytes(WRITER_BYTES));
  const ids = createRecordIds(writer);
  let droppedCount = 0;
  const onDrop = (records: number): void => {
    droppedCount += records;
  };
  const lanes = createLanes(1, { onDrop, lost: () => new IdentityError('overloaded', 'No room.') });
  const intake = createIntake(lanes);
  /** The parts of a block that was too large for a request. They are sent before other blocks. */
  const first: WaitingBlock[] = [];
  let pending: NumberedRecords | undefined;
  /**
   * The counter after the records of each group of blocks, by the number of the last block of the group. A
   * block without records only reports dropped records, and gets this counter as its number.
   */
  const sealedAt = new Map<number, number>();

  function countAsDrops(block: WaitingBlock): void {
    onDrop(block.records);
    lanes.drop(block, undefined);
  }

  function next(): NumberedRecords | undefined {
    const block = drawBlock(first, lanes);
    if (block === undefined) return undefined;
    if (block.records > 0 && clock.now() - block.to_ms > OLDEST_SENT_MS) {
      countAsDrops(block);
      return next();
    }
    const seq = numberOf(block, sealedAt);
    for (const number of sealedAt.keys()) if (number <= block.number) sealedAt.delete(number);
    return { seq, block, body: bodyOf(writer, seq, block) };
  }

  const underWay = () => [...first, ...(pending === undefined ? [] : [pending.block])];

  return {
    unsent: () => intake.length() + lanes.records() + sumOf(underWay()),
    dropped: () => droppedCount,
    push(record, account_id, latencyUs) {
      ids.give(record);
      return intake.push(record, account_id, latencyBucket(latencyUs));
    },
    seal() {
      intake.empty();
      const count = ids.next();
      sealedAt.set(lanes.seal(), count);
    },
    current() {
      pending ??= next();
      return pending;
    },
    end() {
      pending = undefined;
    },
    refuse() {
      if (pending === undefined) return 0;
      const { block } = pending;
      countAsDrops(block);
      pending = undefined;
      return block.records;
    },
    lose() {
      intake.empty();
      const lostCount = sumOf([...underWay(), ...lanes.clear()]);
      first.length = 0;
      pending = undefined;
      onDrop(lostCount);
      return lostCount;
    },
  };
}

/** Creates the ids of the records of one start. The service stores the records with exactly these ids. */
interface RecordIds {
  next(): number;
  /**
   * Gives the record its id when the record is added. The counters therefore ascend from block to block, however long a
   * verdict had to wait.
   */
  give(record: { decision_id: string; readonly key_id: string | null }): void;
}

function createRecordIds(writer: string): RecordIds {
  let count = 0;
  let key: string | null = null;
  let spell = idSpeller('');
  const next = (): number => {
    count += 1;
    return count;
  };
  return {
    next,
    give(record) {
      if (record.key_id !== key) {
        key = record.key_id;
        spell = idSpeller(`dec_${sentWriter(key ?? '', writer)}`);
      }
      record.decision_id = spell(next());
    },
  };
}

/**
 * Returns the number of a block, which is the highest counter in its ids. For a block without records, it is the
 * counter of its group.
 */
function numberOf({ data, records, number }: WaitingBlock, sealedAt: ReadonlyMap<number, number>): number {
  if (records === 0) return sealedAt.get(number) as number;
  const { length, decisionId } = openBlock(data);
  const last = Array.from({ length }, (_, place) => decisionId(place)).reduce((first, second) =>
    first > second ? first : second,
  );
  return idCount(last, idPrefix(last).length);
}

function partsOf(block: WaitingBlock): readonly WaitingBlock[] {
  const { data, erasable, records } = block;
  if (data.length <= MAX_BYTES || records < 2) return [block];
  const view = openBlock(data, erasable);
  // By their ids: the numbers of the parts are those of their last records.
  const allRecords = [...mergedRecords([view])].sort((a, b) =>
    a.record.decision_id < b.record.decision_id ? -1 : 1,
  );
  const half = Math.ceil(allRecords.length / 2);
  const halves = [
    ...packRecords(allRecords.slice(0, half)),
    ...packRecords(allRecords.slice(half), view.drops),
  ];
  return halves.map((part: SealedBlock) => ({ ...block, ...part }));
}

function bodyOf(writer: string, seq: number, { data, erasable }: WaitingBlock): string {
  const subjects = erasable === undefined ? {} : { erasable: toBase64Url(erasable) };
  return jsonText({ writer, seq, block: toBase64Url(data), ...subjects });
}

function sumOf(blocks: readonly WaitingBlock[]): number {
  return blocks.reduce((sum, { records }) => sum + records, 0);
}

function drawBlock(first: WaitingBlock[], lanes: Lanes): WaitingBlock | undefined {
  const block = first.shift() ?? lanes.take()[0];
  const parts = block === undefined ? [] : partsOf(block);
  if (parts.length < 2) return block;
  first.unshift(...parts);
  return drawBlock(first, lanes);
}
