/** Checkpoints (c2sp.org/tlog-checkpoint): notes about the size and the root of a log. */
import { fromPaddedBase64, toPaddedBase64 } from '../base/bytes/base64.ts';
import { HASH_BYTES } from './hash-input.ts';
import { type NoteKey, type NoteProblem, openNote } from './signed-note.ts';

/** A tree of a log. */
export interface LogHead {
  /** The name of the log, and of its keys. */
  readonly origin: string;
  readonly size: number;
  readonly root: Uint8Array;
}

/** The reason why a checkpoint is refused; `origin`: the key that signed it is that of another log. */
export type CheckpointProblem = NoteProblem | 'origin';

/** Returns the text of a checkpoint, which is to be signed. */
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

/** Verifies a checkpoint by the keys of its log. Returns the problem of one that is refused. */
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
