/**
 * The evidence log of an account: its public state, and the checkpoints and receipts that third parties can
 * keep as evidence. Types only, no code.
 */
import type { Instant } from '../records.ts';

/** A key that signs checkpoints of an evidence log. */
export interface LogVerifierKey {
  /** The key in the format of verifiers: `<origin>+<id>+<base64>` (c2sp.org/signed-note). */
  readonly key: string;
  /** The instant at which the key stops signing. `null` if none is set. */
  readonly retired_at: Instant | null;
}

/** An evidence log that was ended. */
export interface EndedLog {
  /** The id: 22 characters. */
  readonly log_id: string;
  /** The name of the log. */
  readonly origin: string;
  /** The number of entries (leaves) at its end. */
  readonly size: number;
  /** The root hash of its last tree, in base64. */
  readonly root: string;
  /** The instant of its end. */
  readonly ended_at: Instant | null;
}

/** The state of the evidence log of an account. */
export interface LogOverview {
  /** The id: 22 characters. */
  readonly log_id: string;
  /**
   * The public address of the log without the scheme. It is the name of the log, and the keys of the log have
   * the same name.
   */
  readonly origin: string;
  /** The keys that verify its checkpoints, including retired keys. */
  readonly keys: readonly LogVerifierKey[];
  /** The number of entries (leaves). */
  readonly size: number;
  /** The root hash of the tree, in base64. */
  readonly root: string;
  /**
   * The signed note (checkpoint) of the tree. Keep it: if a later tree does not begin with this tree, the log was
   * rewritten.
   */
  readonly checkpoint: string;
  /**
   * The number of changes and journal blocks that are not yet in the log. It includes only entries that the
   * service has already found.
   */
  readonly pending: number;
  /** The instant since which the oldest pending change or block waits. `null` if none is pending. */
  readonly oldest_pending_at: Instant | null;
  /** The number of days for which the service keeps log entries and the blocks of verdicts. */
  readonly retention_days: number;
  /** The earlier evidence logs of the account, newest first. */
  readonly earlier: readonly EndedLog[];
}

/** An entry of an evidence log. */
export interface LogEntryItem {
  /** The index of the entry's leaf. */
  readonly index: number;
  /** The hash of the leaf, in base64. */
  readonly leaf_hash: string;
  /** The hashed text, as one line of JSON. `null` after its retention has ended. */
  readonly entry: string | null;
  /** The bytes of the entry's block in base64, if you asked for them. `null` if they were removed. */
  readonly block?: string | null;
}

/** The subject of a verdict in a receipt. The block contains only the digest of the subject. */
export interface ReceiptSubject {
  /** The salt in base64. */
  readonly salt: string;
  /** The subject. */
  readonly text: string;
}

/** A receipt: an entry of the account's evidence log, and the proof that the log contains it. */
export interface VerdictReceipt {
  /**
   * `record`: the entry contains the verdict record. `block`: the entry contains the digest of a block that contains
   * the record.
   */
  readonly kind: 'record' | 'block';
  /** The exact text of the entry that was hashed. */
  readonly entry: string;
  /** The proof as text (`c2sp.org/tlog-proof@v1`). */
  readonly proof: string;
  /** The bytes of the block in base64, with all of its records. */
  readonly block?: string;
  /** The index of the record in the block, from 0. */
  readonly place?: number;
  /** The subject of the record, with the salt of its digest in the block. Absent if there is none, or it was erased. */
  readonly subject?: ReceiptSubject;
  /** The number of verdicts that the receipt discloses. */
  readonly discloses: number;
}
