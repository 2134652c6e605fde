/**
 * The bytes of blocks that this and every later version reads. A file is never changed: a new version of the format
 * gets files of its own beside them.
 */
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { createBlockBuilder, openBlock } from '../../src/blocks/index.ts';
import { GOLDEN } from './golden.ts';
import { inOrder } from './records.ts';

function bytesOf(file: string): Uint8Array {
  return new Uint8Array(readFileSync(new URL(`golden/${file}`, import.meta.url)));
}

describe.each(Object.entries(GOLDEN))('the block "%s"', (name, { records, drops }) => {
  test('is read from its bytes', () => {
    const view = openBlock(bytesOf(`${name}.block`));
    const read = Array.from({ length: view.length }, (_, place) => ({
      record: view.record(place),
      bucket: view.latencies[place],
    }));
    expect(read).toEqual(inOrder(records));
    expect(view.drops).toEqual(drops);
  });

  test('is written as these bytes', () => {
    const builder = createBlockBuilder();
    for (const { record, bucket } of records) expect(builder.push(record, bucket)).toBe(true);
    const { data, filter } = builder.seal(drops);
    expect(Buffer.from(data).toString('hex')).toBe(Buffer.from(bytesOf(`${name}.block`)).toString('hex'));
    expect(Buffer.from(filter).toString('hex')).toBe(Buffer.from(bytesOf(`${name}.filter`)).toString('hex'));
  });
});
