/** Verifies receipts. The key of the evidence log is enough to prove that a verdict is in the log of a service. */
import { fromPaddedBase64, toPaddedBase64 } from '../../base/bytes/base64.ts';
import { toHex } from '../../base/bytes/hex.ts';
import { knownOptions, misconfigured, type OptionNames } from '../../base/known-options.ts';
import { IdentityError } from '../../errors.ts';
import { parseStrictly } from '../../json/parse-strictly.ts';
import type { VerdictRecord } from '../../records.ts';
import {
  type LogHead,
  type LogProof,
  openCheckpoint,
  readLogProof,
} from '../../transparency-log/checkpoint.ts';
import type { LoggedRecord } from '../../transparency-log/entries.ts';
import { isSameHash, leafInput, nodeInput } from '../../transparency-log/hashes.ts';
import { inclusionSides } from '../../transparency-log/ranges.ts';
import { type NoteKey, readNoteKey } from '../../transparency-log/signed-note.ts';
import type { PermitLog } from './permit-token.ts';

/** A receipt of a verdict: an entry of the evidence log, and the proof that the log contains it. */
export interface LogReceipt {
  /**
   * `record`: the entry contains the verdict record. `block`: the entry contains the digest of a block that contains
   * the record.
   */
  readonly kind: 'record' | 'block';
  /** The exact text of the entry that was hashed. */
  readonly entry: string;
  /** The proof as text (`c2sp.org/tlog-proof@v1`). */
  readonly proof: string;
  /** The bytes of the block, in base64. */
  readonly block?: string;
  /** The index of the record in the block, from 0. */
  readonly place?: number;
  /** The subject of the record, and the salt of its digest in base64. The block itself contains only the digest. */
  readonly subject?: { readonly salt: string; readonly text: string };
}

/** Opens the bytes of a block of the journal. */
export type OpenBlock = (data: Uint8Array) => {
  readonly length: number;
  record(row: number): VerdictRecord;
  /** Returns the digest of the subject of a record. Without this function, a receipt with a subject is refused. */
  subjectDigest?(row: number): Uint8Array | undefined;
};

/** The keys of the evidence log, and the function that opens a block. */
export interface VerifyReceiptOptions {
  /** The keys of the log, as `<origin>+<id>+<base64>`, from a source that you trust. No other log is trusted. */
  readonly keys: readonly string[];
  /** Reads a block. Without this function, a receipt with a block is refused. */
  readonly openBlock?: OpenBlock;
}

/** A record that is proven to be in the evidence log. */
export interface VerifiedReceipt {
  /** The record from the entry or from the block. It has its subject only if the receipt contains it. */
  readonly record: LoggedRecord | VerdictRecord;
  /**
   * The tree that the proof is about. Keep the tree. If the log is rewritten later, its new tree does not match this
   * tree.
   */
  readonly log: PermitLog;
  /** The index of the entry in the log. */
  readonly index: number;
}

interface ReadEntry {
  readonly v?: unknown;
  readonly kind?: unknown;
  readonly record?: LoggedRecord;
  readonly digest?: unknown;
}

/**
 * Verifies a receipt and returns its record. Fetches nothing.
 *
 * @throws {IdentityError} `invalid_token` if the receipt is not valid, with `details.problem`.
 * @throws {IdentityError} `invalid_configuration` for options that cannot work.
 */
export async function verifyReceipt(
  receipt: LogReceipt,
  options: VerifyReceiptOptions,
): Promise<VerifiedReceipt> {
  const { keys, openBlock } = await checked(options);
  const { kind, entry, proof: text } = shaped(receipt);
  const proof = readLogProof(text);
  if (proof === undefined) throw invalidReceipt('malformed');
  const log = await openCheckpoint(proof.checkpoint, keys);
  if (typeof log === 'string') throw invalidReceipt(log);
  if (!(await isLogged(entry, proof, log))) throw invalidReceipt('proof');
  const read = readEntry(entry);
  const record = kind === 'record' ? recordOf(read) : await recordInBlock(read, receipt, openBlock);
  return { record, log: { ...log, root: toPaddedBase64(log.root) }, index: proof.index };
}

const MAKER = 'verifyReceipt';
const OPTIONS: OptionNames<VerifyReceiptOptions> = { keys: true, openBlock: true };

async function checked(
  options: VerifyReceiptOptions,
): Promise<{ readonly keys: readonly NoteKey[]; readonly openBlock: OpenBlock | undefined }> {
  const { keys: keyTexts, openBlock } = knownOptions(MAKER, options, OPTIONS);
  const texts: readonly unknown[] = Array.isArray(keyTexts) ? keyTexts : [];
  const read = await Promise.all(
    texts.map((text) => (typeof text === 'string' ? readNoteKey(text) : undefined)),
  );
  const keys = read.filter((key) => key !== undefined);
  if (keys.length === 0 || keys.length !== texts.length) {
    throw misconfigured(MAKER, 'keys must be verifier keys of logs');
  }
  return { keys, openBlock };
}

function shaped(receipt: LogReceipt): LogReceipt {
  const { kind, entry, proof } = Object(receipt) as Partial<LogReceipt>;
  const isShaped = (kind === 'record' || kind === 'block') && typeof entry === 'string';
  if (!isShaped || typeof proof !== 'string') throw invalidReceipt('malformed');
  return { kind, entry, proof };
}

async function isLogged(
  entry: string,
  { index, hashes }: LogProof,
  { size, root }: LogHead,
): Promise<boolean> {
  if (index >= size) return false;
  const sides = inclusionSides(index, size);
  if (sides.length !== hashes.length) return false;
  let hash = await sha256(leafInput(new TextEncoder().encode(entry)));
  for (const [index, side] of sides.entries()) {
    const sibling = hashes[index] as Uint8Array;
    hash = await sha256(side === 'left' ? nodeInput(sibling, hash) : nodeInput(hash, sibling));
  }
  return isSameHash(hash, root);
}

async function sha256(bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array> {
  return new Uint8Array(await globalThis.crypto.subtle.digest('SHA-256', bytes));
}

function readEntry(entry: string): ReadEntry {
  try {
    const read = Object(parseStrictly(new TextEncoder().encode(entry))) as ReadEntry;
    if (read.v === 1) return read;
  } catch (error) {
    throw invalidReceipt('entry', error);
  }
  throw invalidReceipt('entry');
}

function recordOf({ kind, record }: ReadEntry): LoggedRecord {
  if (kind !== 'verdict' || typeof record !== 'object' || record === null) throw invalidReceipt('entry');
  return record;
}

async function recordInBlock(
  { kind, digest }: ReadEntry,
  { block, place: row, subject }: LogReceipt,
  openBlock: OpenBlock | undefined,
): Promise<VerdictRecord> {
  if (kind !== 'verdicts' || typeof digest !== 'string') throw invalidReceipt('entry');
  const bytes = typeof block === 'string' ? fromPaddedBase64(block) : undefined;
  if (bytes === undefined || toHex(await sha256(bytes)) !== digest) throw invalidReceipt('block');
  if (openBlock === undefined) {
    throw misconfigured(MAKER, 'a receipt with a block needs openBlock');
  }
  const foundBlock = recordAt(bytes, Number.isSafeInteger(row) ? Number(row) : -1, openBlock);
  if (foundBlock === undefined) throw invalidReceipt('place');
  if (subject === undefined) return foundBlock.record;
  return { ...foundBlock.record, subject: await shownSubject(subject, foundBlock.digest) };
}

async function shownSubject(subject: LogReceipt['subject'], digest: Uint8Array | undefined): Promise<string> {
  const { salt, text } = Object(subject) as { readonly salt?: unknown; readonly text?: unknown };
  const saltedBytes = fromPaddedBase64(`${salt}`);
  // INVARIANT: a salt of another length could take a part of the text, or give it one.
  if (saltedBytes?.length === SALT_BYTES && digest !== undefined) {
    const ownBytes = await sha256(Uint8Array.from([...saltedBytes, ...new TextEncoder().encode(`${text}`)]));
    if (isSameHash(ownBytes, digest)) return `${text}`;
  }
  throw invalidReceipt('subject');
}

const SALT_BYTES = 16;

interface RecordInBlock {
  readonly record: VerdictRecord;
  readonly digest: Uint8Array | undefined;
}

/**
 * Returns the record. Returns `undefined` if the bytes contain no such record: a log can contain the digest of bytes
 * that are not a block.
 */
function recordAt(bytes: Uint8Array, row: number, openBlock: OpenBlock): RecordInBlock | undefined {
  try {
    const view = openBlock(bytes);
    if (row < 0 || row >= view.length) return undefined;
    return { record: view.record(row), digest: view.subjectDigest?.(row) };
  } catch (error) {
    throw invalidReceipt('block', error);
  }
}

/** The problems of a receipt, each with its message. The problem is the first check that failed. */
const SENTENCES = {
  malformed: 'It is not an entry with a proof',
  unsigned: 'No trusted key signed its checkpoint',
  signature: 'A signature does not fit the key',
  origin: 'Its checkpoint is not about the log of the key',
  proof: 'The proof does not lead to the root',
  entry: 'The entry is of another kind',
  block: 'The block does not fit the entry',
  place: 'The block has no such record',
  subject: 'The record has no such subject',
} as const;

/** The reason why a receipt is not valid: the first check that it fails. */
export type ReceiptProblem = keyof typeof SENTENCES;

/** Returns an `invalid_token` error with `details.problem`. The error contains no part of the receipt. */
function invalidReceipt(problem: ReceiptProblem, cause?: unknown): IdentityError {
  return new IdentityError('invalid_token', `The receipt is refused: ${SENTENCES[problem]}.`, {
    cause,
    details: { problem },
  });
}
