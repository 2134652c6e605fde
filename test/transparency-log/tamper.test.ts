/** Each way to change the past of a log is found: by anyone, or by those who kept something of it. */
import { beforeAll, describe, expect, test } from 'vitest';
import { secureRandom } from '../../src/platform/index.ts';
import { readCheckpointText } from '../../src/transparency-log/checkpoint.ts';
import type { EntryContent } from '../../src/transparency-log/entries.ts';
import { entryText } from '../../src/transparency-log/entries.ts';
import {
  auditFiles,
  begin,
  blockFrom,
  change,
  contentsOf,
  digestOf,
  type History,
  historyOf,
} from './history.ts';
import { createMemoryLog, type LogFiles, type LogKey, newLogKey, utf8 } from './memory-log.ts';

let key: LogKey;
let strange: LogKey;
let history: History;
let files: LogFiles;
beforeAll(async () => {
  [key, strange] = (await Promise.all([newLogKey(), newLogKey()])) as [LogKey, LogKey];
  history = await historyOf([key]);
  files = await history.log.files(history.blocks);
});

const codes = async (changed: LogFiles, older: readonly string[] = [], keys = [key]) => {
  const { findings } = await auditFiles(changed, { keys: keys.map((one) => one.key), older });
  return [...new Set(findings.map(({ code }) => code))];
};

test('a log that is good has no findings, with and without what was kept, and with removed texts', async () => {
  const audit = await auditFiles(files, { keys: [key.key], older: history.kept });
  expect(audit).toEqual({ head: expect.objectContaining({ size: history.log.size }), findings: [] });
  expect(await codes(files)).toEqual([]);
  const lines = history.log.entries.map((entry, index) => (index < 256 ? 'null' : entry));
  const old = new Map([...files, ['entries.jsonl', utf8(`${lines.join('\n')}\n`)]]);
  // Retention removes the oldest blocks first.
  for (const digest of history.blocks.keys()) {
    old.delete(`blocks/${digest}`);
    expect(await codes(old, history.kept)).toEqual([]);
  }
});

/** What someone changes who has the stored bytes, and not the key. */
type Change = (at: { readonly lines: string[]; readonly files: Map<string, Uint8Array> }) => void;
const tileAt = (changed: Map<string, Uint8Array>, path: string) => changed.get(path) ?? new Uint8Array();
const flip = (bytes: Uint8Array, place: number) => bytes.with(place, (bytes[place] ?? 0) ^ 1);
const leaves = (bytes: Uint8Array) =>
  Array.from({ length: bytes.length / 32 }, (_, at) => bytes.slice(at * 32, at * 32 + 32));
const joined = (hashes: readonly Uint8Array[]) => new Uint8Array(Buffer.concat(hashes));
const onLeaves =
  (path: string, edit: (hashes: Uint8Array[]) => Uint8Array[]): Change =>
  ({ files: changed }) =>
    changed.set(path, joined(edit(leaves(tileAt(changed, path)))));

const STORED: Readonly<Record<string, readonly [found: string, change: Change]>> = {
  'an entry is edited': [
    'leaf',
    ({ lines }) => lines.splice(7, 1, (lines[7] ?? '').replace('"number":6', '"number":9')),
  ],
  'an entry is deleted': ['leaf', ({ lines }) => lines.splice(7, 1)],
  'an entry is inserted': [
    'leaf',
    ({ lines }) => lines.splice(7, 0, entryText(change(999), 'acc_1', secureRandom)),
  ],
  'two entries are swapped': ['leaf', ({ lines }) => lines.splice(7, 2, lines[8] ?? '', lines[7] ?? '')],
  'an entry is repeated': ['leaf', ({ lines }) => lines.splice(7, 0, lines[7] ?? '')],
  'the last entry is cut': ['entries', ({ lines }) => lines.pop()],
  'an entry is appended': ['entries', ({ lines }) => lines.push(lines[7] ?? '')],
  'a leaf is edited': [
    'root',
    ({ files: changed }) => changed.set('tile/0/000', flip(tileAt(changed, 'tile/0/000'), 40)),
  ],
  'a leaf is deleted': ['tile', onLeaves('tile/0/000', (hashes) => hashes.toSpliced(3, 1))],
  'a leaf is inserted': [
    'tile',
    onLeaves('tile/0/000', (hashes) => hashes.toSpliced(3, 0, new Uint8Array(32))),
  ],
  'two leaves are swapped': [
    'root',
    onLeaves('tile/0/000', ([a, b, ...rest]) => [b, a, ...rest] as Uint8Array[]),
  ],
  'a leaf is repeated': ['root', onLeaves('tile/0/000', ([a, , ...rest]) => [a, a, ...rest] as Uint8Array[])],
  'a tile is deleted': ['tile', ({ files: changed }) => changed.delete('tile/0/000')],
  'two tiles are swapped': [
    'tile',
    ({ files: changed }) => {
      const [one, two] = ['tile/0/000', 'tile/1/000.p/1'].map((path) => tileAt(changed, path)) as [
        Uint8Array,
        Uint8Array,
      ];
      changed.set('tile/0/000', two).set('tile/1/000.p/1', one);
    },
  ],
  'a tile above the leaves is edited': [
    'tile',
    ({ files: changed }) => changed.set('tile/1/000.p/1', new Uint8Array(32)),
  ],
  'a tile above the leaves is deleted': ['tile', ({ files: changed }) => changed.delete('tile/1/000.p/1')],
  'a block is edited': [
    'block',
    ({ files: changed }) => {
      const [path = ''] = [...changed.keys()].filter((name) => name.startsWith('blocks/'));
      changed.set(path, flip(tileAt(changed, path), 20));
    },
  ],
  'the younger of two blocks is deleted': [
    'removed',
    ({ files: changed }) => changed.delete(`blocks/${[...history.blocks.keys()][1]}`),
  ],
  'two blocks are swapped': [
    'block',
    ({ files: changed }) => {
      const [one = '', two = ''] = [...changed.keys()].filter((name) => name.startsWith('blocks/'));
      const [first, second] = [tileAt(changed, one), tileAt(changed, two)];
      changed.set(one, second).set(two, first);
    },
  ],
  'the size of the checkpoint is edited': [
    'checkpoint',
    ({ files: changed }) => {
      const note = new TextDecoder().decode(changed.get('checkpoint'));
      changed.set('checkpoint', utf8(note.replace(/\n\d+\n/, '\n5\n')));
    },
  ],
  'the checkpoint is deleted': ['checkpoint', ({ files: changed }) => changed.delete('checkpoint')],
  'the checkpoint is an older one': [
    'entries',
    ({ files: changed }) => {
      changed.set('checkpoint', utf8(history.kept[0] ?? ''));
      changed.set('tile/0/000.p/100', tileAt(changed, 'tile/0/000').slice(0, 3_200));
    },
  ],
};

describe('without the key', () => {
  test.each(Object.entries(STORED))('%s: found', async (_, [found, edit]) => {
    const changed = new Map(files);
    const lines = [...history.log.entries];
    edit({ lines, files: changed });
    changed.set('entries.jsonl', utf8(`${lines.join('\n')}\n`));
    expect((await codes(changed))[0] === found || (await codes(changed)).includes(found as never)).toBe(true);
    expect(await codes(changed)).not.toEqual([]);
  });

  test('another key signs: found', async () => {
    const other = await historyOf([strange]);
    expect(await codes(await other.log.files(other.blocks))).toEqual(['checkpoint']);
  });
});

/** What the operator changes who makes all hashes and signatures anew: the content, edited. */
const REMADE: Readonly<Record<string, (contents: EntryContent[]) => EntryContent[]>> = {
  'an entry is edited': (contents) => contents.with(7, change(999)),
  'an entry is deleted': (contents) => contents.toSpliced(7, 1),
  'an entry is inserted': (contents) => contents.toSpliced(7, 0, change(999)),
  'two entries are swapped': (contents) =>
    contents.toSpliced(7, 2, contents[8] as EntryContent, contents[7] as EntryContent),
  'an entry is repeated': (contents) => contents.toSpliced(7, 0, contents[7] as EntryContent),
  'the same entries are salted anew': (contents) => contents,
  'the tail is cut': (contents) => contents.slice(0, 99),
  'the blocks of two entries are exchanged': (contents) => {
    const [one = '', two = ''] = contents.flatMap((each) => (each.kind === 'verdicts' ? [each.digest] : []));
    const other = new Map([
      [one, two],
      [two, one],
    ]);
    return contents.map((each) =>
      each.kind === 'verdicts' ? { ...each, digest: other.get(each.digest) ?? '' } : each,
    );
  },
};

describe('with the key, all hashes and signatures made anew', () => {
  test.each(Object.entries(REMADE))('%s: found by an older checkpoint alone', async (_, edit) => {
    const blocks = new Map<string, Uint8Array>();
    const remade = await historyOf([key], edit(contentsOf(blocks)));
    const changed = await remade.log.files(blocks);
    for (const kept of history.kept) expect(await codes(changed, [kept])).toContain('history');
  });

  test('the tail is cut and nothing was kept: not found', async () => {
    const blocks = new Map<string, Uint8Array>();
    const remade = await historyOf([key], contentsOf(blocks).slice(0, 99));
    expect(await codes(await remade.log.files(blocks))).toEqual([]);
  });

  test('two histories have one prefix: each finds the other', async () => {
    const [one, two] = [createMemoryLog([key]), createMemoryLog([key])];
    one.append(begin, ...Array.from({ length: 99 }, (_, number) => change(number)));
    for (const entry of one.entries) two.appendText(entry);
    const common = await one.checkpoint();
    one.append(change(100));
    two.append(change(101), change(102));
    const [first, second] = [await one.checkpoint(), await two.checkpoint()];
    expect(await codes(await one.files(), [common])).toEqual([]);
    expect(await codes(await two.files(), [common])).toEqual([]);
    expect(await codes(await one.files(), [second])).toEqual(['history']);
    expect(await codes(await two.files(), [first])).toEqual(['history']);
  });

  test('the tree that a permit names is no part of it: found', async () => {
    const remade = await historyOf([key]);
    const [note = ''] = history.kept;
    const head = readCheckpointText(`${note.split('\n\n')[0]}\n`);
    if (head === undefined) throw new Error('The checkpoint is malformed.');
    const options = { keys: [key.key], olderHeads: [head] };
    expect((await auditFiles(files, options)).findings).toEqual([]);
    const { findings } = await auditFiles(await remade.log.files(remade.blocks), options);
    expect(findings).toEqual([{ code: 'history', detail: 100 }]);
  });

  test('an older checkpoint of another key, or of another log, proves nothing and is named', async () => {
    const foreign = await newLogKey('other.example');
    const other = await historyOf([strange]);
    expect(await codes(files, [other.kept[0] ?? ''])).toEqual(['older']);
    expect(await codes(files, ['nothing'])).toEqual(['older']);
    expect(await codes(files, [(await historyOf([foreign])).kept[0] ?? ''], [key, foreign])).toEqual([
      'older',
    ]);
  });
});

/** Entries that a log of this service never has, in a tree that is right. */
const [first, second] = [blockFrom(0, 1), blockFrom(10, 2)] as const;
const [entry, leaf] = first.contents as [EntryContent, EntryContent];
const CONTENT: Readonly<Record<string, readonly [found: string, contents: readonly EntryContent[]]>> = {
  'the first entry is no begin': ['content', [change(1)]],
  'an entry is of an unknown kind': ['content', [begin, { kind: 'other' } as never]],
  'an event comes twice': ['repeated', [begin, change(1), change(2), change(1)]],
  'a block comes twice': ['repeated', [begin, ...first.contents, entry]],
  'a block comes after a later one of its writer': [
    'repeated',
    [begin, ...second.contents, ...first.contents],
  ],
  'a block comes again under a later number': [
    'repeated',
    [begin, ...first.contents, { ...entry, block: 'writer.2' } as never],
  ],
  'a block has no number': ['repeated', [begin, { ...entry, block: 'writer.0' } as never]],
  'a block has fewer records than its entry says': ['header', [begin, { ...entry, records: 11 } as never]],
  'a block has another number of denials': ['header', [begin, { ...entry, denied: 1 } as never]],
  'a block has another number of permits': ['header', [begin, { ...entry, permits: 0 } as never]],
  'a block is of another time': ['header', [begin, { ...entry, from: '2026-11-20T11:00:00.000Z' } as never]],
  'a verdict has an entry before its block': ['permits', [begin, leaf, entry]],
  'a verdict has two entries': ['repeated', [begin, entry, leaf, leaf]],
  'a verdict of no block has an entry': ['permits', [begin, entry, second.contents[1] as EntryContent]],
  'a verdict has another amount than in its block': [
    'permits',
    [begin, entry, { ...leaf, record: { ...(leaf as { record: object }).record, amount: 1 } } as never],
  ],
};

describe('what the operator writes into a log', () => {
  test.each(Object.entries(CONTENT))('%s: found', async (_, [found, contents]) => {
    const log = createMemoryLog([key]);
    log.append(...contents);
    expect(await codes(await log.files(history.blocks))).toContain(found);
  });

  test.each([
    ...['', '{}', '[]', 'x', '{"v":1}', '1', 'null '],
    ...[(text: string) => text.replace('"v":1', '"v":2'), (text: string) => ` ${text}`],
    ...[
      (text: string) => text.replace('acc_1', 'acc_2'),
      (text: string) => text.replace(/"salt":"../, '"salt":"'),
    ],
    (text: string) => text.replace(/^\{/, '{"a":1,"a":2,'),
  ])('a line that is no entry of this log: found (%#)', async (line) => {
    const log = createMemoryLog([key]);
    log.append(begin);
    log.appendText(typeof line === 'string' ? line : line(entryText(change(1), 'acc_1', secureRandom)));
    expect(await codes(await log.files())).toEqual(['content']);
  });
});

test('the younger of two blocks is missing, and stands before the older one in the log: found at its place', async () => {
  const other = (content: EntryContent | undefined) => ({ ...content, block: 'other.1' }) as EntryContent;
  const log = createMemoryLog([key]);
  log.append(begin, ...second.contents, other(first.contents[0]), ...first.contents.slice(1));
  const files = await log.files(new Map([[digestOf(first.data), first.data]]));
  const { findings } = await auditFiles(files, { keys: [key.key] });
  expect(findings).toEqual([{ code: 'removed', index: 1 }]);
});

test('the bytes that an entry names are no block: found', async () => {
  const log = createMemoryLog([key]);
  const data = utf8('no block');
  log.append(begin, { ...entry, digest: digestOf(data) } as never);
  expect(await codes(await log.files(new Map([[digestOf(data), data]])))).toEqual(['block']);
});

test('a checkpoint of a log without leaves is audited', async () => {
  const log = createMemoryLog([key]);
  expect(await codes(await log.files())).toEqual([]);
});
