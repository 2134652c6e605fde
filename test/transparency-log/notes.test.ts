/** Notes, checkpoints and proofs as text. */
import { generateKeyPairSync, sign as signNow } from 'node:crypto';
import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import {
  checkpointText,
  logProofText,
  openCheckpoint,
  readCheckpointText,
  readLogProof,
} from '../../src/transparency-log/checkpoint.ts';
import {
  type NoteKey,
  type NoteSigner,
  noteKey,
  noteKeyText,
  openNote,
  readNoteKey,
  signNote,
} from '../../src/transparency-log/signed-note.ts';

const ORIGIN = 'ids.example/api/logs/abc';
const TEXT = `${ORIGIN}\n3\n${Buffer.alloc(32, 7).toString('base64')}\n`;

interface Pair {
  readonly key: NoteKey;
  readonly signer: NoteSigner;
}

async function pairOf(name: string): Promise<Pair> {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  const { x = '' } = publicKey.export({ format: 'jwk' });
  const key = await noteKey(name, new Uint8Array(Buffer.from(x, 'base64url')));
  return { key, signer: { ...key, sign: async (data) => new Uint8Array(signNow(null, data, privateKey)) } };
}

let one: Pair;
let two: Pair;
let foreign: Pair;
beforeAll(async () => {
  [one, two, foreign] = (await Promise.all([ORIGIN, ORIGIN, 'other.example'].map(pairOf))) as [
    Pair,
    Pair,
    Pair,
  ];
});

// The example in the documentation of Go's package `note`.
const GO_KEY = 'PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW';
const GO_NOTE = [
  'If you think cryptography is the answer to your problem,',
  "then you don't know what your problem is.",
  '',
  '— PeterNeumann x08go/ZJkuBS9UG/SffcvIAQxVBtiFupLLr8pAcElZInNIuGUgYN1FFYC2pZSNXgKvqfqdngotpRZb6KE6RyyBwJnAM=',
  '',
].join('\n');

test('a note of Go is opened by its key, which is read and spelled as it was', async () => {
  const key = (await readNoteKey(GO_KEY)) as NoteKey;
  expect(noteKeyText(key)).toBe(GO_KEY);
  expect(await openNote(GO_NOTE, [key])).toEqual({ text: `${GO_NOTE.split('\n\n')[0]}\n`, signers: [key] });
  expect(await openNote(GO_NOTE.replace('answer', 'Answer'), [key])).toBe('signature');
});

test.each([
  ...['', 'a', 'a+b', 'a+b+c', GO_KEY.slice(0, -1), `${GO_KEY}=`, GO_KEY.replace('c74f20a3', 'c74f20a4')],
  ...[
    GO_KEY.replace('c74f20a3', 'C74F20A3'),
    GO_KEY.replace('ARpc', 'Aipc'),
    GO_KEY.replace('Peter', 'Peter '),
  ],
  ...[
    GO_KEY.replace('Peter', 'Pete'),
    GO_KEY.replace('+c74', '++c74'),
    `+c74f20a3${GO_KEY.slice(21)}`,
    ` ${GO_KEY}`,
  ],
])('%j is no verifier key', async (text) => {
  expect(await readNoteKey(text)).toBeUndefined();
});

test.each(['', 'a b', 'a+b', 'a\u00a0b', 'a\nb', 'a\u2028b'])('no key has the name %j', async (name) => {
  await expect(noteKey(name, new Uint8Array(32))).rejects.toThrow(RangeError);
});

describe('a note with two signatures', () => {
  const signed = () => signNote(TEXT, [one.signer, two.signer]);

  test('is opened by either key alone, and by both', async () => {
    const note = await signed();
    for (const keys of [[one.key], [two.key], [one.key, two.key], [foreign.key, two.key]]) {
      const signers = keys.filter((key) => key !== foreign.key);
      expect(await openNote(note, keys)).toEqual({ text: TEXT, signers });
    }
  });

  test('is refused without a signature by a given key', async () => {
    expect(await openNote(await signed(), [foreign.key])).toBe('unsigned');
    expect(await openNote(await signed(), [])).toBe('unsigned');
  });

  test('is refused as a whole where one signature of a given key is wrong', async () => {
    const forged = await signNote(TEXT, [one.signer, { ...two.signer, sign: one.signer.sign }]);
    expect(await openNote(forged, [one.key, two.key])).toBe('signature');
    expect(await openNote(forged, [one.key])).toMatchObject({ text: TEXT });
  });

  test('is refused where its text is another', async () => {
    const note = await signed();
    for (const wrong of [note.replace('\n3\n', '\n4\n'), note.replace('\n3\n', '\n3 \n'), `x${note}`]) {
      expect(await openNote(wrong, [one.key])).toBe('signature');
    }
  });
});

test('text that is no note is malformed', async () => {
  const note = await signNote(TEXT, [one.signer]);
  const line = note.split('\n\n')[1] ?? '';
  const wrong = [
    ...['', '\n', '\n\n', TEXT, note.slice(0, -1), `${note}\n`, `${note}x\n`, note.replaceAll('\n', '\r\n')],
    ...[note.replace('— ', '- '), note.replace('— ', '—'), note.replace(`— ${ORIGIN} `, `— ${ORIGIN}  `)],
    ...[`${TEXT}\n— ${ORIGIN} AAAA\n`, `${TEXT}\n— ${ORIGIN} !\n`, `${TEXT}\n— a+b ${line.split(' ')[2]}`],
    ...[note.replace('ids', 'id\u0000s'), note.replace('ids', 'id\ud800s'), note.replace('ids', 'id\ts')],
    ...[`${TEXT}\n${line.repeat(101)}`, `${'x'.repeat(65_536)}\n\n${line}`],
  ];
  for (const text of wrong) expect([text, await openNote(text, [one.key])]).toEqual([text, 'malformed']);
  expect(await openNote(`${TEXT}\n${line.repeat(100)}`, [one.key])).toMatchObject({ text: TEXT });
});

test('a checkpoint is read as it was written, and opened by a key of its log alone', async () => {
  const head = { origin: ORIGIN, size: 2 ** 53 - 1, root: new Uint8Array(32).fill(9) };
  expect(readCheckpointText(checkpointText(head))).toEqual(head);
  const note = await signNote(checkpointText(head), [one.signer]);
  expect(await openCheckpoint(note, [one.key, two.key])).toEqual(head);
  expect(await openCheckpoint(note, [two.key])).toBe('unsigned');
  expect(await openCheckpoint(await signNote(checkpointText(head), [foreign.signer]), [foreign.key])).toBe(
    'origin',
  );
  expect(await openCheckpoint(await signNote('a\nb\n', [one.signer]), [one.key])).toBe('malformed');
  expect(readCheckpointText(`${TEXT}more\n`)).toMatchObject({ size: 3 });
});

test.each([
  ...[
    '',
    'a',
    TEXT.slice(0, -1),
    `\n${TEXT}`,
    TEXT.replace('\n3\n', '\n03\n'),
    TEXT.replace('\n3\n', '\n-3\n'),
  ],
  ...[
    TEXT.replace('\n3\n', '\n3.0\n'),
    TEXT.replace('\n3\n', '\n9007199254740992\n'),
    TEXT.replace('\n3\n', '\n\n'),
  ],
  ...[TEXT.replace('=', ''), TEXT.replace('Bw', 'BwBw'), `${TEXT}\n`, TEXT.replace(ORIGIN, '')],
])('%j is not the text of a checkpoint', (text) => {
  expect(readCheckpointText(text)).toBeUndefined();
});

const hash = fc.uint8Array({ minLength: 32, maxLength: 32 });

test('a proof is read as it was written', async () => {
  const checkpoint = await signNote(TEXT, [one.signer]);
  const proof = fc.record({
    index: fc.maxSafeNat(),
    hashes: fc.array(hash, { maxLength: 53 }),
    checkpoint: fc.constant(checkpoint),
  });
  fc.assert(
    fc.property(proof, (given) => {
      const text = logProofText(given);
      expect(readLogProof(text)).toEqual(given);
      expect(readLogProof(text.replace('\n', '\nextra AAAA\n'))).toEqual(given);
    }),
  );
});

test('text that is no proof is refused', async () => {
  const checkpoint = await signNote(TEXT, [one.signer]);
  const text = logProofText({ index: 1, hashes: [new Uint8Array(32), new Uint8Array(32)], checkpoint });
  const many = Array.from({ length: 54 }, () => new Uint8Array(32));
  const wrong = [
    ...['', 'c2sp.org/tlog-proof@v1', text.replace('@v1', '@v2'), text.replace('index 1', 'index 01')],
    ...[text.replace('index 1', 'index -1'), text.replace('index 1', 'index'), text.replace('index 1\n', '')],
    ...[
      text.replace('AAA=', 'AAAA'),
      text.replace('AAAA', ''),
      text.replace('index', 'extra AAAA\nextra AAAA\nindex'),
    ],
    ...[text.replaceAll('\n', '\r\n'), ` ${text}`, logProofText({ index: 1, hashes: many, checkpoint })],
    text.replace('index 1', 'index 9007199254740992'),
  ];
  for (const other of wrong) expect([other, readLogProof(other)]).toEqual([other, undefined]);
});
