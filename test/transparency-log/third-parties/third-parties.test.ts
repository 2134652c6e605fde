/**
 * The code of third parties reads our logs: Go's checksum database, and the verifier of Sigstore. `npm
 * run test:third-parties` runs larger trees.
 */
import { createHash, createPublicKey } from 'node:crypto';
import { verifyCheckpoint } from '@sigstore/verify/dist/tlog/checkpoint.js';
import { verifyMerkleInclusion } from '@sigstore/verify/dist/tlog/merkle.js';
import { beforeAll, describe, expect, test } from 'vitest';
import { readLogProof } from '../../../src/transparency-log/checkpoint.ts';
import type { EntryContent } from '../../../src/transparency-log/entries.ts';
import { createMemoryLog, type LogFiles, type LogKey, newLogKey, ORIGIN, utf8 } from '../memory-log.ts';
import { buildGoCheck, hasGo, isLarge } from './go-check.ts';

const SIZES = [1, 2, 3, 255, 256, 257, 700, ...(isLarge ? [65_535, 65_536, 65_537, 70_000] : [])];
const RECEIPTS = isLarge ? 100 : 20;

let keys: readonly [LogKey, LogKey];
beforeAll(async () => {
  keys = (await Promise.all([newLogKey(), newLogKey()])) as [LogKey, LogKey];
});

const change = (number: number): EntryContent => ({
  kind: 'change',
  event: {
    id: `evt_${number}`,
    type: 'key.created',
    timestamp: '2026-11-20T12:00:00.000Z',
    data: { number },
  },
});

/** A log of this size, with the checkpoints that were kept while it grew, and a block. */
async function grownLog(size: number) {
  const log = createMemoryLog(keys);
  const block = utf8('the bytes of a block');
  const digest = createHash('sha256').update(block).digest('hex');
  const counts = { records: 1, denied: 0, permits: 0, drops: 0 };
  const at = '2026-11-20T12:00:00.000Z';
  log.append({ kind: 'verdicts', block: 'w.1', digest, ...counts, from: at, to: at });
  const kept = [await log.checkpoint()];
  while (log.size < size) {
    const more = Math.min(size - log.size, 1 + Math.ceil(log.size / 3));
    log.append(...Array.from({ length: more }, (_, number) => change(log.size + number)));
    kept.push(await log.checkpoint());
  }
  return { log, kept, files: await log.files(new Map([[digest, block]])), block: `blocks/${digest}` };
}

if (hasGo) {
  describe('the program in Go', () => {
    const check = buildGoCheck();
    const checkByGo = (files: LogFiles, kept: readonly string[], key = keys[0].text) =>
      check(files, kept, key);

    test.each(SIZES)('verifies a log of %d leaves: note, leaves, history, both proofs', async (size) => {
      const { log, kept, files } = await grownLog(size);
      const root = (await log.checkpoint()).split('\n')[2];
      for (const { text } of keys) {
        expect(checkByGo(files, kept, text)).toEqual({
          status: 0,
          said: `${size} leaves, ${size} texts, root ${root}`,
        });
      }
    });

    test('verifies a log whose texts were removed', async () => {
      const { log, kept, files } = await grownLog(300);
      const lines = log.entries.map((entry, index) => (index < 256 ? 'null' : entry));
      const removed = new Map([...files, ['entries.jsonl', utf8(`${lines.join('\n')}\n`)]]);
      expect(checkByGo(removed, kept)).toMatchObject({
        status: 0,
        said: expect.stringContaining('44 texts'),
      });
    });

    test('refuses what was changed', async () => {
      const { log, kept, files, block } = await grownLog(300);
      const other = await grownLog(300);
      const with_ = (path: string, bytes: Uint8Array) => new Map([...files, [path, bytes]]);
      const lines = (...entries: readonly string[]) =>
        with_('entries.jsonl', utf8(`${entries.join('\n')}\n`));
      const tile = files.get('tile/0/000') ?? new Uint8Array();
      const wrong: readonly (readonly [string, LogFiles, readonly string[]])[] = [
        ['entry', lines(...log.entries.with(7, log.entries[7]?.replace('7', '8') ?? '')), kept],
        ['entry', lines(...log.entries.toSpliced(7, 1)), kept],
        ['entry', lines(...log.entries.toSpliced(7, 0, log.entries[7] ?? '')), kept],
        ['entries', lines(...log.entries.slice(0, -1)), kept],
        ['tiles|leaf', with_('tile/0/000', tile.with(40, (tile[40] ?? 0) ^ 1)), kept],
        ['tiles|leaf', with_('tile/0/000', tile.slice(32)), kept],
        ['entry 0: the block', with_(block, utf8('other bytes')), kept],
        [
          'signature',
          with_('checkpoint', utf8((await log.checkpoint()).replace('\n300\n', '\n299\n'))),
          kept,
        ],
        ['history', files, other.kept.slice(1, 2)],
        ['history: the log had', files, [await (await grownLog(301)).log.checkpoint()]],
      ];
      for (const [said, changed, notes] of wrong) {
        expect([said, checkByGo(changed, notes)]).toEqual([
          said,
          { status: 1, said: expect.stringMatching(new RegExp(`^(?:${said})`)) },
        ]);
      }
      const strange = await newLogKey();
      expect(checkByGo(files, [], strange.text)).toMatchObject({ status: 1 });
    });
  });
} else {
  test('Go is not here', () => {
    console.warn('apt-get install golang-go golang-golang-x-mod-dev: the program in Go did not run.');
  });
}

test('the verifier of Sigstore takes the checkpoint and the inclusion proofs, and no changed ones', async () => {
  const { log } = await grownLog(700);
  const { key } = keys[0];
  const jwk = { kty: 'OKP', crv: 'Ed25519', x: Buffer.from(key.publicKey).toString('base64url') };
  const publicKey = createPublicKey({ key: jwk, format: 'jwk' });
  const tlog = {
    logID: Buffer.from(key.id, 'hex'),
    baseURL: ORIGIN,
    publicKey,
    validFor: { start: new Date(0), end: new Date(8e15) },
  };
  const verify = async (index: number, entry: string) => {
    const proof = readLogProof(await log.proof(index));
    const given = {
      canonicalizedBody: Buffer.from(entry),
      inclusionProof: {
        logIndex: String(index),
        hashes: (proof?.hashes ?? []).map((hash) => Buffer.from(hash)),
        checkpoint: { envelope: proof?.checkpoint ?? '' },
      },
    };
    verifyMerkleInclusion(given as never, verifyCheckpoint(given as never, [tlog] as never));
  };
  for (let number = 0; number < RECEIPTS; number += 1) {
    const index = Math.floor((number * log.size) / RECEIPTS);
    await verify(index, log.entries[index] ?? '');
    await expect(verify(index, `${log.entries[index]} `)).rejects.toThrow('root hash');
  }
});
