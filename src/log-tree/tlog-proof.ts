/** The text of a proof that an entry is in a log (c2sp.org/tlog-proof), which needs nothing but the key of the log. */
import { fromPaddedBase64, toPaddedBase64 } from '../base/bytes/base64.ts';
import { isSize } from './checkpoint.ts';
import { HASH_BYTES } from './hash-input.ts';

const FIRST_LINE = 'c2sp.org/tlog-proof@v1';
/** The most hashes: those of a tree of 2^53 leaves. */
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

/** Spells a proof. */
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
