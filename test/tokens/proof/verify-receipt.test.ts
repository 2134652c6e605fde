/** Receipts: the record of a verdict is in a log. */
import { createHash } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import { openBlock, packRecords, withDigests } from '../../../src/journal-format/index.ts';
import { type LogReceipt, verifyReceipt } from '../../../src/tokens/proof/index.ts';
import { NOON, recordOf } from '../../journal-format/records.ts';
import { auditFiles, blockFrom, digestOf, type History, historyOf } from '../../transparency-log/history.ts';
import { createMemoryLog, type LogKey, newLogKey, ORIGIN } from '../../transparency-log/memory-log.ts';

let key: LogKey;
let history: History;
let record: LogReceipt;
let block: LogReceipt;
beforeAll(async () => {
  key = await newLogKey();
  history = await historyOf([key]);
  const { log } = history;
  const receiptOf = async (part: string) => {
    const index = log.entries.findIndex((entry) => entry.includes(part));
    return { entry: log.entries[index] ?? '', proof: await log.proof(index) };
  };
  const { data } = blockFrom(0, 1);
  record = { kind: 'record', ...(await receiptOf('"kind":"verdict",')) };
  block = {
    kind: 'block',
    ...(await receiptOf(digestOf(data))),
    block: Buffer.from(data).toString('base64'),
    place: 3,
  };
});

const problemOf = (receipt: unknown, keys = [key.text]) =>
  verifyReceipt(receipt as LogReceipt, { keys, openBlock }).then(
    () => 'none',
    (error) => `${error.code} ${error.details.problem}`,
  );

test('a receipt of a verdict with a permit gives its record and the tree', async () => {
  const verified = await verifyReceipt(record, { keys: [key.text] });
  const { budgets, key_id, request_id, trace_id, ...logged } = recordOf(4);
  expect(verified.record).toEqual({ ...logged, permit_audience: 'https://pay.example' });
  const [, size, root] = (await history.log.checkpoint()).split('\n');
  expect(verified.log).toEqual({ origin: ORIGIN, size: Number(size), root });
  expect(history.log.entries[verified.index]).toBe(record.entry);
});

test('a receipt with a block gives the record that the block has', async () => {
  const { record: found } = await verifyReceipt(block, { keys: [key.text], openBlock });
  expect(found).toEqual(recordOf(3));
  await expect(verifyReceipt(block, { keys: [key.text] })).rejects.toMatchObject({
    code: 'invalid_configuration',
  });
});

test('a receipt finds a past that was made anew, as the checkpoint in it was kept', async () => {
  const remade = await historyOf([key]);
  const checkpoint = record.proof.slice(record.proof.indexOf('\n\n') + 2);
  const audit = async ({ log, blocks }: History) =>
    (await auditFiles(await log.files(blocks), { keys: [key.key], older: [checkpoint] })).findings;
  expect(await audit(history)).toEqual([]);
  expect(await audit(remade)).toEqual([{ code: 'history', detail: history.log.size }]);
});

describe('a receipt is refused', () => {
  const swapped = (part: Partial<Record<keyof LogReceipt, unknown>>, of = record) => ({ ...of, ...part });

  test('with another entry, proof, place in the log, checkpoint or key', async () => {
    const strange = await newLogKey();
    const elsewhere = await newLogKey('other.example');
    const tampered: readonly (readonly [string, unknown, string[]?])[] = [
      ['proof', swapped({ entry: record.entry.replace('19.99', '19.98') })],
      ['proof', swapped({ entry: `${record.entry} ` })],
      ['proof', swapped({ entry: block.entry })],
      [
        'proof',
        swapped({ proof: record.proof.replace(/index (\d+)/, (_, at) => `index ${Number(at) + 1}`) }),
      ],
      ['proof', swapped({ proof: record.proof.replace(/index \d+/, 'index 9007199254740991') })],
      ['proof', swapped({ proof: record.proof.replace(/\n[\w+/=]{44}\n/, '\n') })],
      ['proof', swapped({ proof: record.proof.replace(/\n([\w+/=]{44})\n/, '\n$1\n$1\n') })],
      ['proof', swapped({ proof: record.proof.replace(/\n[\w+/]{43}=\n/, `\n${'A'.repeat(43)}=\n`) })],
      ['signature', swapped({ proof: record.proof.replace(/\n(\d+)\n/, '\n5$1\n') })],
      ['unsigned', record, [strange.text]],
      ['unsigned', record, [elsewhere.text]],
      ['malformed', swapped({ proof: record.proof.replace('@v1', '@v2') })],
      ['malformed', swapped({ proof: '' })],
      ['malformed', swapped({ proof: record.proof.trimEnd() })],
    ];
    for (const [problem, receipt, keys] of tampered) {
      expect([problem, await problemOf(receipt, keys)]).toEqual([problem, `invalid_token ${problem}`]);
    }
  });

  test('with a key of the log that signed the checkpoint of another log', async () => {
    const foreign = await newLogKey('other.example');
    const log = createMemoryLog([foreign]);
    for (const entry of history.log.entries) log.appendText(entry);
    const index = log.entries.indexOf(record.entry);
    expect(await problemOf(swapped({ proof: await log.proof(index) }), [foreign.text])).toBe(
      'invalid_token origin',
    );
  });

  test('with another block or place, or of another kind', async () => {
    const bytes = Buffer.from(block.block ?? '', 'base64');
    bytes[9] = (bytes[9] ?? 0) ^ 1;
    const wrong: readonly (readonly [string, unknown])[] = [
      ['block', swapped({ block: bytes.toString('base64') }, block)],
      ['block', swapped({ block: Buffer.from(blockFrom(10, 2).data).toString('base64') }, block)],
      ['block', swapped({ block: '!' }, block)],
      ['block', swapped({ block: undefined }, block)],
      ...[10, -1, 0.5, undefined, '3', Number.NaN].map(
        (place) => ['place', swapped({ place }, block)] as const,
      ),
      ['entry', swapped({ kind: 'record' }, block)],
      ['entry', swapped({ kind: 'block' })],
      ['malformed', swapped({ kind: 'other' })],
      ['malformed', swapped({ entry: 1 })],
      ...[null, undefined, '', [], 5].map((receipt) => ['malformed', receipt] as const),
    ];
    for (const [problem, receipt] of wrong) {
      expect([problem, receipt, await problemOf(receipt)]).toEqual([
        problem,
        receipt,
        `invalid_token ${problem}`,
      ]);
    }
  });

  test('with a subject that its record does not have', async () => {
    const at = new Date(NOON).toISOString();
    const subjects = ['user-1', 'user-2', null];
    const records = subjects.map((subject, number) => recordOf(number, { subject, evaluated_at: at }));
    const [packed] = packRecords(records.map((record) => ({ record, bucket: 1 })));
    const salts = new Uint8Array(32).map((_, place) => place);
    const hashes = subjects.slice(0, 2).map((text, number) => {
      const salt = salts.subarray(number * 16, (number + 1) * 16);
      return createHash('sha256').update(salt).update(String(text)).digest();
    });
    const sealed = { data: packed?.data ?? new Uint8Array(), erasable: packed?.erasable ?? new Uint8Array() };
    const { data } = withDigests(sealed, { salts, digests: new Uint8Array(Buffer.concat(hashes)) });
    const log = createMemoryLog([key]);
    const entry = block.entry.replace(/"digest":"\w+"/, `"digest":"${digestOf(data)}"`);
    log.appendText(entry);
    const base64 = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64');
    const receipt = { ...block, entry, proof: await log.proof(0), block: base64(data) };
    const subject = { salt: base64(salts.subarray(0, 16)), text: 'user-1' };
    const good = { ...receipt, place: 0, subject };
    const shown = async (one: LogReceipt) =>
      (await verifyReceipt(one, { keys: [key.text], openBlock })).record.subject;
    expect(await shown(good)).toBe('user-1');
    const { subject: _, ...without } = good;
    expect(await shown(without)).toBeNull();
    const wrong: readonly unknown[] = [
      ...[{ place: 1 }, { place: 2 }].map((other) => ({ ...good, ...other })),
      ...[{ text: 'user-2' }, { text: '' }, { text: 1 }, { text: undefined }].map((other) => ({
        ...good,
        subject: { ...subject, ...other },
      })),
      ...[base64(salts.subarray(16)), base64(salts), '', '!', undefined, 1].map((salt) => ({
        ...good,
        subject: { ...subject, salt },
      })),
      ...[null, 'user-1', [], 1].map((other) => ({ ...good, subject: other })),
    ];
    for (const one of wrong) expect([one, await problemOf(one)]).toEqual([one, 'invalid_token subject']);
    // A block without digests shows no subject, by any reader.
    expect(await problemOf({ ...block, subject })).toBe('invalid_token subject');
    const plain = (bytes: Uint8Array) => ({ length: 3, record: openBlock(bytes).record });
    await expect(verifyReceipt(good, { keys: [key.text], openBlock: plain })).rejects.toMatchObject({
      details: { problem: 'subject' },
    });
  });

  test('with bytes that are the ones of the entry, and no block', async () => {
    const log = createMemoryLog([key]);
    const data = Buffer.from('no block');
    const entry = block.entry.replace(/"digest":"\w+"/, `"digest":"${digestOf(data)}"`);
    log.appendText(entry);
    const receipt = { ...block, entry, proof: await log.proof(0), block: data.toString('base64') };
    expect(await problemOf(receipt)).toBe('invalid_token block');
  });

  test('with an entry that two readers could read differently, or of a later version', async () => {
    const log = createMemoryLog([key]);
    const texts = [
      record.entry.replace('{', '{"record":{},'),
      record.entry.replace('"v":1', '"v":2'),
      ...['x', '[]', 'null', '"text"'],
    ];
    for (const text of texts) log.appendText(text);
    for (const [index, entry] of texts.entries()) {
      expect(await problemOf({ kind: 'record', entry, proof: await log.proof(index) })).toBe(
        'invalid_token entry',
      );
    }
  });
});

test.each([[[]], [['x']], [undefined], ['text'], [[1]]])(
  'keys that are none are a wrong configuration (%#)',
  async (keys) => {
    const options = { keys } as never;
    await expect(verifyReceipt(record, options)).rejects.toMatchObject({ code: 'invalid_configuration' });
    const misspelt = { keys: [key.text], openblock: openBlock } as never;
    await expect(verifyReceipt(record, misspelt)).rejects.toMatchObject({ code: 'invalid_configuration' });
  },
);
