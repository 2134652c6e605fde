/** Checkpoints (c2sp.org/tlog-checkpoint): notes about the size and the root of a log. */
import { fromPaddedBase64, toPaddedBase64 } from '../base/bytes/base64.ts';
import { HASH_BYTES } from './hashes.ts';
import { type NoteKey, type NoteProblem, openNote } from './signed-note.ts';

/** A tree of a log. */
export interface LogHead {
  /** The name of the log, and of its keys. */
  readonly origin: string;
  readonly size: number;
  readonly root: Uint8Array;
}

/** The reason why a checkpoint is refused. `origin`: the key that signed it belongs to another log. */
export type CheckpointProblem = NoteProblem | 'origin';

export function checkpointText({ origin, size, root }: LogHead): string {
  return `${origin}\n${size}\n${toPaddedBase64(root)}\n`;
}

/** Reads the text of a checkpoint; `undefined` when it is malformed. Lines that a later release adds are passed over. */
export function readCheckpointText(text: string): LogHead | undefined {
  const [origin = '', size = '', root = '', ...more] = text.split('\n');
  const hash = fromPaddedBase64(root);
  const isWhole = more.pop() === '' && !more.includes('') && origin !== '';
  if (!isWhole || hash?.length !== HASH_BYTES || !isSize(size)) return undefined;
  return { origin, size: Number(size), root: hash };
}

/** Says whether the text is a safe integer without a sign and without a leading zero. */
export function isSize(text: string): boolean {
  return /^(?:0|[1-9]\d{0,15})$/.test(text) && Number.isSafeInteger(Number(text));
}

/** Verifies a checkpoint by the keys of its log. Returns the problem of a refused checkpoint. */
export async function openCheckpoint(
  note: string,
  keys: readonly NoteKey[],
): Promise<LogHead | CheckpointProblem> {
  const opened = await openNote(note, keys);
  if (typeof opened === 'string') return opened;
  const head = readCheckpointText(opened.text);
  if (head === undefined) return 'malformed';
  return opened.signers.every(({ name }) => name === head.origin) ? head : 'origin';
}

const FIRST_LINE = 'c2sp.org/tlog-proof@v1';
/** The most hashes, enough for a tree of 2^53 leaves. */
const MAX_HASHES = 53;

/** A proof by its parts. */
export interface LogProof {
  /** The place of the entry in the log. */
  readonly index: number;
  /** The hashes from the sibling of the leaf up. */
  readonly hashes: readonly Uint8Array[];
  /** The note about the tree that the hashes lead to. */
  readonly checkpoint: string;
}

export function logProofText({ index, hashes, checkpoint }: LogProof): string {
  const lines = [FIRST_LINE, `index ${index}`, ...hashes.map(toPaddedBase64), '', checkpoint];
  return lines.join('\n');
}

/** Reads the text of a proof; `undefined` when it is malformed. Its checkpoint is not verified. */
export function readLogProof(text: string): LogProof | undefined {
  const end = text.indexOf('\n\n');
  const [first, ...lines] = text.slice(0, Math.max(end, 0)).split('\n');
  // The signatures do not cover this line.
  if (lines[0]?.startsWith('extra ')) lines.shift();
  const [place = '', ...base64] = lines;
  const index = place.slice('index '.length);
  if (first !== FIRST_LINE || !place.startsWith('index ') || !isSize(index)) return undefined;
  const hashes = base64.map(fromPaddedBase64).filter((hash) => hash?.length === HASH_BYTES);
  if (hashes.length !== base64.length || hashes.length > MAX_HASHES) return undefined;
  return { index: Number(index), hashes: hashes as Uint8Array[], checkpoint: text.slice(end + 2) };
}
