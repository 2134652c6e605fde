/** The log of an account: its public state, and the texts that others keep of it. Types only, no code. */
import type { Instant } from '../records.ts';

/** A key that signs checkpoints of a log. */
export interface LogVerifierKey {
  /** The key as verifiers take it: `<origin>+<id>+<base64>` (c2sp.org/signed-note). */
  readonly key: string;
  /** The instant from which on it signs no more; `null` if none is set. */
  readonly retired_at: Instant | null;
}

/** A log that was ended. */
export interface EndedLog {
  /** The id: 22 characters. */
  readonly log_id: string;
  /** The name of the log. */
  readonly origin: string;
  /** The number of leaves at its end. */
  readonly size: number;
  /** The root of its last tree, in base64. */
  readonly root: string;
  /** The instant of its end. */
  readonly ended_at: Instant | null;
}

/** The state of the log of an account. */
export interface LogOverview {
  /** The id: 22 characters. */
  readonly log_id: string;
  /** The name of the log, and of its keys: its public address without the scheme. */
  readonly origin: string;
  /** The keys that verify its checkpoints, including retired keys. */
  readonly keys: readonly LogVerifierKey[];
  /** The number of leaves. */
  readonly size: number;
  /** The root of the tree, in base64. */
  readonly root: string;
  /**
   * The signed note about the tree. Keep it: a later tree that does not begin with this tree is another history.
   */
  readonly checkpoint: string;
  /** The number of changes and blocks that wait for their leaf, as far as they are counted. */
  readonly pending: number;
  /** The instant of the oldest of them; `null` without any. */
  readonly oldest_pending_at: Instant | null;
  /** The days for which the service keeps entries and blocks of verdicts. */
  readonly retention_days: number;
  /** The earlier logs of the account, newest first. */
  readonly earlier: readonly EndedLog[];
}

/** An entry of a log. */
export interface LogEntryItem {
  /** The place of its leaf. */
  readonly index: number;
  /** The hash of the leaf, in base64. */
  readonly leaf_hash: string;
  /** The text that was hashed, as one line of JSON. `null` after its retention. */
  readonly entry: string | null;
  /** The bytes of its block, in base64, if you asked for them; `null` if they were removed. */
  readonly block?: string | null;
}

/** The subject of a verdict, as a receipt shows it: the block has its digest alone. */
export interface ReceiptSubject {
  /** The salt in base64. */
  readonly salt: string;
  /** The subject. */
  readonly text: string;
}

/** A receipt: an entry of the log of the account, and the proof that it is there. */
export interface VerdictReceipt {
  /** `record`: the entry has the verdict record. `block`: the entry has the digest of a block, which has the record. */
  readonly kind: 'record' | 'block';
  /** The entry as it was hashed. */
  readonly entry: string;
  /** The proof as text (`c2sp.org/tlog-proof@v1`). */
  readonly proof: string;
  /** The bytes of the block, in base64: all of its records. */
  readonly block?: string;
  /** The place of the record in the block, from 0. */
  readonly place?: number;
  /**
   * The subject of the record with the salt of its digest in the block. Absent without a subject, and after its
   * erasure.
   */
  readonly subject?: ReceiptSubject;
  /** The number of verdicts that the receipt discloses. */
  readonly discloses: number;
}
