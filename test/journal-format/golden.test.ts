/**
 * The bytes of blocks that this and every later version reads. A file is never changed: a new version of the format
 * gets files of its own beside them.
 */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import {
  createBlockBuilder,
  eraseSubject,
  openBlock,
  packOutcomes,
  packRecords,
  SALT_BYTES,
  saltedAt,
  withDigests,
} from '../../src/journal-format/index.ts';
import { BEFORE, ERASED_SUBJECT, GOLDEN, REPORTS } from './golden.ts';
import { inOrder } from './records.ts';

const FOLDER = new URL('golden/', import.meta.url);
const FILES = readdirSync(FOLDER, { recursive: true }).map(String);

function bytesOf(file: string): Uint8Array {
  return new Uint8Array(readFileSync(new URL(file, FOLDER)));
}

/** The bytes of a block, with those beside it where it has any. */
function blockOf(name: string): { readonly data: Uint8Array; readonly erasable?: Uint8Array } {
  const data = bytesOf(`${name}.block`);
  return FILES.includes(`${name}.erasable`) ? { data, erasable: bytesOf(`${name}.erasable`) } : { data };
}

function read(name: string) {
  const { data, erasable } = blockOf(name);
  const view = openBlock(data, erasable);
  const records = Array.from({ length: view.length }, (_, place) => ({
    record: view.record(place),
    bucket: view.latencies[place],
  }));
  return { view, records };
}

const hex = (bytes: Uint8Array | undefined): string => Buffer.from(bytes ?? []).toString('hex');

test.each(Object.entries(BEFORE))('the block "%s" of the release before is read', (name, block) => {
  const { view, records } = read(name);
  expect(records).toEqual(inOrder(block.records));
  expect(view.drops).toEqual(block.drops);
  expect([view.hasApprovals, view.isCarried]).toEqual([false, true]);
});

describe.each(Object.entries(GOLDEN))('the block "%s"', (name, { records, drops }) => {
  const file = `approvals/${name}`;

  test('is read from its bytes', () => {
    const found = read(file);
    expect(found.records).toEqual(inOrder(records));
    expect(found.view.drops).toEqual(drops);
    expect([found.view.hasApprovals, found.view.isCarried]).toEqual([true, true]);
  });

  test('is written as these bytes', () => {
    const builder = createBlockBuilder();
    for (const { record, bucket } of records) expect(builder.push(record, bucket)).toBe(true);
    const { data, filter, erasable } = builder.seal(drops);
    expect(hex(data)).toBe(hex(bytesOf(`${file}.block`)));
    // What is packed again after an erasure has no trace of the subject in its filter.
    if (name !== 'erased') expect(hex(filter)).toBe(hex(bytesOf(`${file}.filter`)));
    expect(hex(erasable)).toBe(hex(blockOf(file).erasable));
  });
});

test('the block "erased" is the block "subjects" without one text, and with the same data', () => {
  const [before, after] = [blockOf('approvals/subjects'), blockOf('approvals/erased')];
  expect(hex(after.data)).toBe(hex(before.data));
  const erased = eraseSubject(before, ERASED_SUBJECT);
  expect(erased?.records).toBe(2);
  expect(hex(erased?.erasable)).toBe(hex(after.erasable));
});

describe('the block "digested", which is the block "subjects" with a leaf', () => {
  const [before, after] = [blockOf('approvals/subjects'), blockOf('approvals/digested')];
  const { subjects } = openBlock(before.data, before.erasable);
  const texts = subjects.texts.slice(1).map(String);
  const salted = texts.map((text, at) => {
    const salt = new Uint8Array(SALT_BYTES).fill(at + 1);
    return { salt, digest: createHash('sha256').update(salt).update(text).digest() };
  });
  const salts = new Uint8Array(Buffer.concat(salted.map(({ salt }) => salt)));
  const digests = new Uint8Array(Buffer.concat(salted.map(({ digest }) => digest)));

  test('is read as before, and has the digest of each subject and its salt', () => {
    const { view, records } = read('approvals/digested');
    expect(records).toEqual(read('approvals/subjects').records);
    expect(view.isCarried).toBe(false);
    for (const [place, { record }] of records.entries()) {
      const at = texts.indexOf(String(record.subject));
      expect(hex(view.subjectDigest(place))).toBe(hex(salted[at]?.digest));
      const shown = at < 0 ? undefined : { salt: salted[at]?.salt, text: texts[at] };
      expect(saltedAt(view.subjects, place)).toEqual(shown);
      expect(saltedAt(read('approvals/subjects').view.subjects, place)).toBeUndefined();
    }
    expect(records.some(({ record }) => record.subject === null)).toBe(true);
  });

  test('is written as these bytes', () => {
    const erasable = before.erasable ?? new Uint8Array();
    const made = withDigests({ data: before.data, erasable }, { salts, digests });
    expect(hex(made.data)).toBe(hex(after.data));
    expect(hex(made.erasable)).toBe(hex(after.erasable));
  });

  test('loses the salt of a subject with its text, and those of others stay', () => {
    const { erasable } = eraseSubject(after, ERASED_SUBJECT) ?? {};
    const at = texts.indexOf(ERASED_SUBJECT);
    expect(Buffer.from(after.erasable ?? []).includes(Buffer.from(salted[at]?.salt ?? []))).toBe(true);
    expect(Buffer.from(erasable ?? []).includes(Buffer.from(salted[at]?.salt ?? []))).toBe(false);
    const view = openBlock(after.data, erasable);
    const shown = Array.from({ length: view.length }, (_, place) => saltedAt(view.subjects, place)?.text);
    const others = read('approvals/subjects').records.map(({ record }) => record.subject ?? undefined);
    expect(shown).toEqual(others.map((subject) => (subject === ERASED_SUBJECT ? undefined : subject)));
  });
});

describe('the block "outcomes"', () => {
  const file = 'approvals/outcomes';

  test('is read from its bytes', () => {
    const { outcomes, length } = openBlock(bytesOf(`${file}.block`));
    expect(length).toBe(0);
    expect(REPORTS.map((_, place) => outcomes.report(place))).toEqual(REPORTS);
    expect(outcomes.length).toBe(REPORTS.length);
  });

  test('is written as these bytes', () => {
    const [packed, ...more] = packOutcomes(REPORTS);
    expect(more).toEqual([]);
    expect(hex(packed?.block.data)).toBe(hex(bytesOf(`${file}.block`)));
    expect(hex(packed?.block.filter)).toBe(hex(bytesOf(`${file}.filter`)));
  });
});

test('a block without the new fields is one byte, and its place in the directory, longer than before', () => {
  for (const [name, { records, drops }] of Object.entries(BEFORE)) {
    const [block] = packRecords(inOrder(records), drops);
    expect([name, block?.data.length]).toEqual([name, bytesOf(`${name}.block`).length + 3]);
    expect(block?.erasable).toBeUndefined();
  }
});
