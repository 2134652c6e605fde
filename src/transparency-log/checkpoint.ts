/** Reads and verifies checkpoints (c2sp.org/tlog-checkpoint): signed notes with the size and the root hash of a log. */
import { fromPaddedBase64, toPaddedBase64 } from '../base/bytes/base64.ts';
import { HASH_BYTES } from './hashes.ts';
import { type NoteKey, type NoteProblem, openNote } from './signed-note.ts';

/** The tree of a log. */
export interface LogHead {
  /** The name of the log, and of its keys. */
  readonly origin: string;
  readonly size: number;
  readonly root: Uint8Array;
}

/** The reason why a checkpoint is refused. `origin`: the key of the checkpoint belongs to another log. */
export type CheckpointProblem = NoteProblem | 'origin';

export function checkpointText({ origin, size, root }: LogHead): string {
  return `${origin}\n${size}\n${toPaddedBase64(root)}\n`;
}

/** Reads the text of a checkpoint. Returns `undefined` if it is malformed. Ignores lines that a later release adds. */
export function readCheckpointText(text: string): LogHead | undefined {
  const [origin = '', size = '', root = '', ...otherLines] = text.split('\n');
  const hash = fromPaddedBase64(root);
  const isWhole = otherLines.pop() === '' && !otherLines.includes('') && origin !== '';
  if (!isWhole || hash?.length !== HASH_BYTES || !isSize(size)) return undefined;
  return { origin, size: Number(size), root: hash };
}

/** Returns `true` if the text is a safe integer without a sign and without a leading zero. */
export function isSize(text: string): boolean {
  return /^(?:0|[1-9]\d{0,15})$/.test(text) && Number.isSafeInteger(Number(text));
}

/** Verifies a checkpoint with the keys of its log. Returns the problem if the checkpoint is refused. */
export async function openCheckpoint(
  note: string,
  keys: readonly NoteKey[],
): Promise<LogHead | CheckpointProblem> {
  const openedNote = await openNote(note, keys);
  if (typeof openedNote === 'string') return openedNote;
  const head = readCheckpointText(openedNote.text);
  if (head === undefined) return 'malformed';
  return openedNote.signers.every(({ name }) => name === head.origin) ? head : 'origin';
}

const FIRST_LINE = 'c2sp.org/tlog-proof@v1';
/** The maximum number of hashes in a proof, enough for a tree of 2^53 leaves. */
const MAX_HASHES = 53;

/** The parts of a proof that an entry is in a log. */
export interface LogProof {
  /** The index of the entry in the log. */
  readonly index: number;
  /** The hashes from the sibling of the leaf up to the root. */
  readonly hashes: readonly Uint8Array[];
  /** The signed note with the root hash that the hashes of the proof must give. */
  readonly checkpoint: string;
}

export function logProofText({ index, hashes, checkpoint }: LogProof): string {
  const lines = [FIRST_LINE, `index ${index}`, ...hashes.map(toPaddedBase64), '', checkpoint];
  return lines.join('\n');
}

/** Reads the text of a proof. Returns `undefined` if it is malformed. Does not verify its checkpoint. */
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
