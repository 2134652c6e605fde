/** A log in memory, and the folder that is exported from it. */
import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { secureRandom } from '../../src/platform/index.ts';
import { checkpointText, logProofText } from '../../src/transparency-log/checkpoint.ts';
import { type EntryContent, entryText } from '../../src/transparency-log/entries.ts';
import { leafHash } from '../../src/transparency-log/hashes.ts';
import { proofOf } from '../../src/transparency-log/proofs.ts';
import {
  type NoteKey,
  type NoteSigner,
  noteKey,
  noteKeyText,
  signNote,
} from '../../src/transparency-log/signed-note.ts';
import { rootOf, tilePath, tilesOf } from '../../src/transparency-log/tiles.ts';
import { grownTree } from './grown.ts';

export const ORIGIN = 'ids.example/api/logs/abcdefghijklmnopqrstuv';

export interface LogKey {
  readonly key: NoteKey;
  /** The text by which verifiers get it. */
  readonly text: string;
  readonly signer: NoteSigner;
}

export async function newLogKey(name: string = ORIGIN): Promise<LogKey> {
  const pair: { readonly privateKey: KeyObject; readonly publicKey: KeyObject } =
    generateKeyPairSync('ed25519');
  const { x = '' } = pair.publicKey.export({ format: 'jwk' });
  const key = await noteKey(name, new Uint8Array(Buffer.from(x, 'base64url')));
  const signer = {
    ...key,
    sign: async (data: Uint8Array) => new Uint8Array(sign(null, data, pair.privateKey)),
  };
  return { key, text: noteKeyText(key), signer };
}

/** The files of an exported log, by their paths. */
export type LogFiles = ReadonlyMap<string, Uint8Array>;

export interface MemoryLog {
  readonly size: number;
  readonly entries: readonly string[];
  append(...contents: readonly EntryContent[]): void;
  /** Appends an entry as it is, however wrong. */
  appendText(text: string): void;
  checkpoint(): Promise<string>;
  /** The proof that an entry is in the log as it is. */
  proof(index: number): Promise<string>;
  files(blocks?: ReadonlyMap<string, Uint8Array>): Promise<LogFiles>;
}

export function createMemoryLog(keys: readonly LogKey[], account_id = 'acc_1'): MemoryLog {
  const tree = grownTree();
  const entries: string[] = [];
  const checkpoint = () => {
    const { size } = tree.edge;
    const text = checkpointText({ origin: ORIGIN, size, root: rootOf(tree.edge) });
    return signNote(
      text,
      keys.map(({ signer }) => signer),
    );
  };
  const appendTexts = (texts: readonly string[]) => {
    tree.append(texts.map((text) => leafHash(utf8(text))));
    entries.push(...texts);
  };
  return {
    get size() {
      return tree.edge.size;
    },
    entries,
    append: (...contents) =>
      appendTexts(contents.map((content) => entryText(content, account_id, secureRandom))),
    appendText: (text) => appendTexts([text]),
    checkpoint,
    async proof(index) {
      const hashes = proofOf({ leaf: index }, tree.edge.size, tree.read);
      return logProofText({ index, hashes, checkpoint: await checkpoint() });
    },
    async files(blocks = new Map()) {
      const tiles = [...tilesOf(tree.edge.size)].map((tile) => [tilePath(tile), tree.read(tile)] as const);
      return new Map([
        ['checkpoint', utf8(await checkpoint())],
        ['keys', utf8(keys.map(({ text }) => `${text}\n`).join(''))],
        ['entries.jsonl', utf8(entries.map((entry) => `${entry}\n`).join(''))],
        ...tiles.map(([path, bytes]) => [path, bytes ?? new Uint8Array()] as const),
        ...[...blocks].map(([digest, bytes]) => [`blocks/${digest}`, bytes] as const),
      ]);
    },
  };
}

/** Writes the files into a folder. */
export function writeFiles(folder: string, files: LogFiles): void {
  for (const [path, bytes] of files) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), bytes);
  }
}

export function utf8(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}
