/** The entries of a log: one line of canonical JSON (RFC 8785) each, whose hash is a leaf. */
import { toBase64Url } from '../base/bytes/base64url.ts';
import { canonicalJson } from '../base/values/canonical-json.ts';
import { hashing } from '../platform/index.ts';
import type { RandomSource } from '../ports/storage.ts';
import type { VerdictRecord } from '../records.ts';

/** The most bytes of an entry. */
export const MAX_ENTRY_BYTES = 65_536;
const SALT_BYTES = 16;

/** A record in an entry, without the members that third parties must not see. */
export type LoggedRecord = Omit<VerdictRecord, 'budgets' | 'key_id' | 'request_id' | 'trace_id'>;

export type EntryContent = BeginContent | BlockContent | RecordContent | ChangeContent;

/** The log was turned on. */
export interface BeginContent {
  readonly kind: 'begin';
  readonly at: string;
  /** The last tree of the log before this one. */
  readonly previous?: { readonly origin: string; readonly size: number; readonly root: string };
}

/** A block of the journal was stored. */
export interface BlockContent {
  readonly kind: 'verdicts';
  /** The writer and the number of the block, with a point between them. */
  readonly block: string;
  /** The SHA-256 of the bytes of the block, as hexadecimal digits. */
  readonly digest: string;
  readonly records: number;
  readonly denied: number;
  /** The number of its verdicts with a permit: each has its own entry. */
  readonly permits: number;
  readonly from: string;
  readonly to: string;
  /** The number of records that were lost for lack of space, as the block reports it. */
  readonly drops: number;
}

/** A verdict with a permit was filed. */
export interface RecordContent {
  readonly kind: 'verdict';
  readonly record: LoggedRecord;
}

/** A passport, a key or something else was changed. */
export interface ChangeContent {
  readonly kind: 'change';
  readonly event: {
    readonly id: string;
    readonly type: string;
    readonly timestamp: string;
    /** The data of the event, or the SHA-256 of their canonical JSON where the entry would be too long. */
    readonly data: unknown;
  };
}

export type LogEntry = EntryContent & {
  readonly v: 1;
  /** Random bytes, so that the entry of a leaf cannot be found by guessing. */
  readonly salt: string;
  readonly account_id: string;
};

/** Returns a record without the members that third parties must not see. */
export function loggedRecord(record: VerdictRecord): LoggedRecord {
  const { budgets, key_id, request_id, trace_id, ...logged } = record;
  return logged;
}

/** Returns the text of a new entry, with its own salt: one line without a newline, at most `MAX_ENTRY_BYTES`. */
export function entryText(content: EntryContent, account_id: string, random: RandomSource): string {
  const common = { v: 1, salt: toBase64Url(random.bytes(SALT_BYTES)), account_id };
  const text = canonicalJson({ ...common, ...content });
  if (isShort(text)) return text;
  if (content.kind === 'change') {
    const data = { digest: hashing.sha256Hex(canonicalJson(content.event.data)) };
    const digested = canonicalJson({ ...common, ...content, event: { ...content.event, data } });
    if (isShort(digested)) return digested;
  }
  throw new RangeError('The entry is too long.');
}

function isShort(text: string): boolean {
  return new TextEncoder().encode(text).length <= MAX_ENTRY_BYTES;
}
