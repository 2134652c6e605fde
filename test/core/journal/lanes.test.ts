import { describe, expect, test } from 'vitest';
import { createLanes, type Lanes, type WaitingBlock } from '../../../src/core/journal/write/lanes.ts';
import { MAX_RECORDS } from '../../../src/journal-format/format.ts';
import { openBlock } from '../../../src/journal-format/index.ts';
import { recordOf } from '../../journal-format/records.ts';

const MOST_BLOCKS = 3;
const LOST = new Error('lost');

function opened(): { readonly lanes: Lanes; readonly dropped: number[] } {
  const dropped: number[] = [];
  const lanes = createLanes(MOST_BLOCKS, { onDrop: (records) => dropped.push(records), lost: () => LOST });
  return { lanes, dropped };
}

let count = 0;
function push(lanes: Lanes, account_id: string, size = 0): boolean {
  count += 1;
  return lanes.push(recordOf(count, { action: `${count}`.padEnd(size, 'x') }), account_id, 1);
}

const accountsOf = (blocks: readonly WaitingBlock[]): readonly string[] =>
  blocks.map(({ account_id }) => account_id);

describe('the lanes of accounts', () => {
  test('give a flush the first block of each account, and serve next those that were not served', () => {
    const { lanes } = opened();
    for (let round = 0; round < 2; round += 1) {
      for (const account of ['a', 'b', 'c', 'd']) push(lanes, account);
      lanes.seal();
    }
    expect(lanes.records()).toBe(8);
    expect(accountsOf(lanes.take())).toEqual(['a', 'b', 'c']);
    expect(accountsOf(lanes.take())).toEqual(['d', 'a', 'b']);
    expect([lanes.isEmpty(), lanes.firstOf('a'), lanes.firstOf('c')]).toEqual([false, undefined, 7]);
    expect(accountsOf(lanes.take())).toEqual(['c', 'd']);
    expect([lanes.isEmpty(), lanes.records(), lanes.hasSealed()]).toEqual([true, 0, false]);
    expect(lanes.take()).toEqual([]);
  });

  test('give a flush no more than a megabyte, unless a single block has more', () => {
    const { lanes } = opened();
    for (const account of ['a', 'b', 'c']) for (let n = 0; n < 600; n += 1) push(lanes, account, 1_000);
    lanes.seal();
    expect(accountsOf(lanes.take())).toEqual(['a']);
    expect(accountsOf(lanes.take())).toEqual(['b']);
    expect(accountsOf(lanes.take())).toEqual(['c']);
  });

  test('seal one account when asked for it, and number the blocks', () => {
    const { lanes } = opened();
    push(lanes, 'a');
    push(lanes, 'b');
    expect(lanes.seal('b')).toBe(1);
    expect([lanes.firstOf('a'), lanes.firstOf('b'), lanes.hasSealed()]).toEqual([undefined, 1, true]);
    expect(lanes.seal('nobody')).toBe(1);
    expect(lanes.seal()).toBe(2);
  });

  test('seal what waits, but not the block that follows a full one: it has its own time', () => {
    const { lanes } = opened();
    for (let n = 0; n <= MAX_RECORDS; n += 1) push(lanes, 'busy');
    push(lanes, 'calm');
    const leftMs = lanes.sealDue(1_000_000);
    expect(leftMs).toBeGreaterThan(0);
    expect(leftMs).toBeLessThanOrEqual(1_000_000);
    expect(accountsOf([...lanes.take(), ...lanes.take()])).toEqual(['busy', 'calm']);
    expect([lanes.records(), lanes.hasSealed()]).toEqual([1, false]);
    // It has filled no other since.
    expect(lanes.sealDue(1_000_000)).toBe(undefined);
    expect(accountsOf(lanes.take())).toEqual(['busy']);
  });

  test('seal the block that follows a full one when its time is over', () => {
    const { lanes } = opened();
    for (let n = 0; n <= MAX_RECORDS; n += 1) push(lanes, 'busy');
    expect(lanes.sealDue(0)).toBe(undefined);
    expect(lanes.records()).toBe(MAX_RECORDS + 1);
    expect(accountsOf([...lanes.take(), ...lanes.take()])).toEqual(['busy', 'busy']);
    expect(lanes.isEmpty()).toBe(true);
  });

  test('drop the latest blocks of the account with most waiting, and record that in its next block', () => {
    const { lanes, dropped } = opened();
    let flooded = 0;
    push(lanes, 'quiet');
    lanes.seal();
    while (dropped.length === 0) {
      push(lanes, 'loud', 2_000);
      flooded += 1;
    }
    const lost = dropped.reduce((sum, records) => sum + records, 0);
    expect(lanes.records()).toBe(1 + flooded - lost);
    expect([lanes.firstOf('quiet'), lanes.hasRoom()]).toEqual([1, false]);
    lanes.seal('loud');
    const blocks: WaitingBlock[] = [];
    while (lanes.hasSealed()) blocks.push(...lanes.take());
    const told = blocks.flatMap(({ data }) => openBlock(data).drops);
    const filed = blocks.reduce((sum, { records }) => sum + records, 0);
    expect(told.reduce((sum, drop) => sum + drop.count, 0)).toBe(1 + flooded - filed);
    expect(blocks.filter(({ account_id }) => account_id === 'quiet')).toHaveLength(1);
  });

  test('reject the callers of a block that is dropped, and count no drop: the verdict was not answered', () => {
    const { lanes } = opened();
    const heard: unknown[] = [];
    const waiter = { resolve: () => heard.push('stored'), reject: (error: unknown) => heard.push(error) };
    lanes.push(recordOf(1), 'a', 1, undefined, waiter);
    lanes.seal();
    for (const block of lanes.take()) lanes.drop(block, LOST);
    expect(heard).toEqual([LOST]);
    expect(lanes.isEmpty()).toBe(true);
  });
});
