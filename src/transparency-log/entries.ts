/** Creates the entries of a log: lines of canonical JSON (RFC 8785). The hash of a line is a leaf of the tree. */
import { toBase64Url } from '../base/bytes/base64url.ts';
import { canonicalJson } from '../base/values/json-values.ts';
import { hashing } from '../platform/index.ts';
import type { RandomSource } from '../ports/storage.ts';
import type { VerdictRecord } from '../records.ts';

/** The maximum size of an entry in bytes. */
export const MAX_ENTRY_BYTES = 65_536;
const SALT_BYTES = 16;

/** The verdict record in an entry, without the members that third parties must not see. */
export type LoggedRecord = Omit<VerdictRecord, 'budgets' | 'key_id' | 'request_id' | 'trace_id'>;

export type EntryContent = BeginContent | BlockContent | RecordContent | ChangeContent;

/** The content of an entry: the log was turned on. */
export interface BeginContent {
  readonly kind: 'begin';
  readonly at: string;
  /** The last tree of the previous log. */
  readonly previous?: { readonly origin: string; readonly size: number; readonly root: string };
}

/** The content of an entry: a block of the journal was stored. */
export interface BlockContent {
  readonly kind: 'verdicts';
  /** The writer and the number of the block, separated by a dot. */
  readonly block: string;
  /** The SHA-256 of the bytes of the block, as hexadecimal digits. */
  readonly digest: string;
  readonly records: number;
  readonly denied: number;
  /** The number of verdicts with a permit in the block. Each of these verdicts has its own entry. */
  readonly permits: number;
  readonly from: string;
  readonly to: string;
  /** The number of records that were lost because there was no space, as reported in the block. */
  readonly drops: number;
}

/** The content of an entry: a verdict with a permit was recorded. */
export interface RecordContent {
  readonly kind: 'verdict';
  readonly record: LoggedRecord;
}

/** The content of an entry: a passport, a key or another record was changed. */
export interface ChangeContent {
  readonly kind: 'change';
  readonly event: {
    readonly id: string;
    readonly type: string;
    readonly timestamp: string;
    /** The data of the event. If the entry would be too long: the SHA-256 of its canonical JSON. */
    readonly data: unknown;
  };
}

export type LogEntry = EntryContent & {
  readonly v: 1;
  /** Random bytes. Without them, anyone could find the entry of a leaf by guessing. */
  readonly salt: string;
  readonly account_id: string;
};

/** Returns a record without the members that third parties must not see. */
export function loggedRecord(record: VerdictRecord): LoggedRecord {
  const { budgets, key_id, request_id, trace_id, ...loggedFields } = record;
  return loggedFields;
}

/** Returns the text of a new entry with its own salt: one line without a line break, at most `MAX_ENTRY_BYTES`. */
export function entryText(content: EntryContent, account_id: string, random: RandomSource): string {
  const common = { v: 1, salt: toBase64Url(random.bytes(SALT_BYTES)), account_id };
  const text = canonicalJson({ ...common, ...content });
  if (isShort(text)) return text;
  if (content.kind === 'change') {
    const data = { digest: hashing.sha256Hex(canonicalJson(content.event.data)) };
    const digestInput = canonicalJson({ ...common, ...content, event: { ...content.event, data } });
    if (isShort(digestInput)) return digestInput;
  }
  throw new RangeError('The entry is too long.');
}

function isShort(text: string): boolean {
  return new TextEncoder().encode(text).length <= MAX_ENTRY_BYTES;
}
