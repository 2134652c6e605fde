/** Wraps the storage adapter: adds the types of the records, and converts failures to `IdentityError`. */

import { turn } from '../../base/async/turns.ts';
import type { IdentityError } from '../../errors.ts';
import type {
  DueCollection,
  DuePart,
  ExpiredQuery,
  ExpiringCollection,
  JournalStorage,
  ListQuery,
} from '../../ports/journal.ts';
import type { Change, Purgeable, StorageAdapter, StorageHealth, WriteResult } from '../../ports/storage.ts';
import type { StoredRecord } from '../../ports/stored.ts';
import type { StoredRecords } from '../../ports/stored-records.ts';
import type { Instant } from '../../records.ts';
import type { StepsAnswer } from './step-groups.ts';
import { type CallKind, type StorageGuard, unavailable } from './storage-guard.ts';

/**
 * The storage as the services use it. An outage of the adapter is `storage_unavailable`, and a bug in it is `internal`.
 * Calls that scan records first wait for the event loop, so that many of them do not delay verdicts.
 */
export interface Store {
  readonly journal: JournalStorage;
  get<Name extends keyof StoredRecords>(
    collection: Name,
    id: string,
  ): Promise<StoredRecords[Name] | undefined>;
  list<Name extends keyof StoredRecords>(
    collection: Name,
    query: ListQuery,
  ): Promise<readonly StoredRecords[Name][]>;
  listExpired<Name extends ExpiringCollection>(
    collection: Name,
    query: ExpiredQuery,
  ): Promise<readonly StoredRecords[Name][]>;
  due<Name extends DueCollection>(
    collection: Name,
    cutoff: Instant,
    limit: number,
    part?: DuePart,
  ): Promise<readonly StoredRecords[Name][]>;
  write(...changes: readonly Change[]): Promise<WriteResult>;
  /**
   * Writes the changes. Rejects without writing if the signal is aborted before the changes are sent to the database.
   */
  writeUnless(signal: AbortSignal, ...changes: readonly Change[]): Promise<WriteResult>;
  count(counter: string, instant: Instant): Promise<number>;
  readonly countPassports: StorageAdapter['countPassports'];
  purge(purgeable: Purgeable, cutoff: Instant, present: Instant): Promise<number>;
  time: StorageAdapter['time'];
  check(): Promise<StorageHealth>;
  close(): Promise<void>;
}

/** The pattern of ids: printable ASCII. The service does not look up other texts, such as U+0000. */
const STORABLE_ID = /^[\x21-\x7e]+$/;

const NOTHING = Promise.resolve(undefined);

/** The maximum number of attempts if other changes come first each time. After that the storage counts as broken. */
const MAX_ATTEMPTS = 1_000;

/** Returns the error for a storage that answers but refuses every change. */
export function notWritten(): IdentityError {
  return unavailable(new Error('The storage refuses every change of the record.'));
}

/** Says whether a write was stored. `false` means that another change came first. */
export function isStored(result: WriteResult | StepsAnswer): boolean {
  if (!result.written && result.failure !== 'stale') throw notWritten();
  return result.written;
}

/** Repeats `attempt` until it returns a result. `undefined` means that another change came first. */
export async function untilWritten<Result>(attempt: () => Promise<Result | undefined>): Promise<Result> {
  for (let round = 0; round < MAX_ATTEMPTS; round += 1) {
    const result = await attempt();
    if (result !== undefined) return result;
  }
  throw notWritten();
}

/** Opens the store over an adapter. Every call except `close` runs through `settle`. */
export function openStore(adapter: StorageAdapter, settle: StorageGuard): Store {
  /** Waits for the event loop before the deadline of the call begins, because this wait is no fault of the storage. */
  async function inTurn<Answer>(kind: CallKind, call: () => Promise<Answer>): Promise<Answer> {
    await turn();
    return settle(kind, call);
  }

  const count = adapter.countPassports?.bind(adapter);
  return {
    journal: journalOf(adapter.journal, settle, inTurn),
    async get<Name extends keyof StoredRecords>(collection: Name, id: string) {
      const ask = () => (STORABLE_ID.test(id) ? adapter.get(collection, id) : NOTHING);
      const record = await settle('get', ask);
      return (record ?? undefined) as StoredRecords[Name] | undefined;
    },
    list: <Name extends keyof StoredRecords>(collection: Name, query: ListQuery) =>
      inTurn('list', () => asStored<Name>(adapter.list(collection, query))),
    listExpired: <Name extends ExpiringCollection>(collection: Name, { by, ...query }: ExpiredQuery) =>
      inTurn('list', () =>
        asStored<Name>(adapter.list(collection, { ...query, order: 'expires_at', until: by })),
      ),
    due: <Name extends DueCollection>(collection: Name, cutoff: Instant, limit: number, part?: DuePart) =>
      inTurn('list', () =>
        asStored<Name>(
          adapter.list(collection, { where: {}, ...part, order: 'due_at', until: cutoff, limit }),
        ),
      ),
    write: (...changes) => settle('write', () => adapter.write(changes)),
    writeUnless: (signal, ...changes) =>
      settle('write', async () => {
        // The call may have waited for its place.
        signal.throwIfAborted();
        return adapter.write(changes, signal);
      }),
    count: (counter, instant) => settle('get', () => adapter.count(counter, instant)),
    countPassports: count && ((...args) => inTurn('list', () => count(...args))),
    purge: (purgeable, cutoff, present) => inTurn('journal', () => adapter.purge(purgeable, cutoff, present)),
    time: (present, isTrusted) => settle('get', () => adapter.time(present, isTrusted)),
    check: () => settle('get', () => adapter.check()),
    close: () => adapter.close(),
  };
}

/** Wraps the journal. Writing, reading and merging have separate circuits, so that slow reads do not stop writes. */
function journalOf(journal: JournalStorage, settle: StorageGuard, inTurn: StorageGuard): JournalStorage {
  return {
    ...(journal.strictRefusal !== undefined && { strictRefusal: journal.strictRefusal }),
    open: (writer, instant) => settle('file', () => journal.open(writer, instant)),
    file: (flush) => settle('file', () => journal.file(flush)),
    writers: () => inTurn('merge', () => journal.writers()),
    unmerged: (query) => inTurn('merge', () => journal.unmerged(query)),
    filed: (query) => inTurn('merge', () => journal.filed(query)),
    merge: (merge) => inTurn('merge', () => journal.merge(merge)),
    compact: (headers, targetBlock) => inTurn('merge', () => journal.compact(headers, targetBlock)),
    rewrite: (rewriting) => inTurn('merge', () => journal.rewrite(rewriting)),
    eraseTexts: (name, erasedCount, erasable) =>
      inTurn('merge', () => journal.eraseTexts(name, erasedCount, erasable)),
    erase: (erasure) => inTurn('merge', () => journal.erase(erasure)),
    blocks: (query) => inTurn('journal', () => journal.blocks(query)),
    load: (names) => inTurn('journal', () => journal.load(names)),
    sums: (query) => inTurn('journal', () => journal.sums(query)),
    completeSince: (account_id) => inTurn('journal', () => journal.completeSince(account_id)),
  };
}

function asStored<Name extends keyof StoredRecords>(
  records: Promise<readonly unknown[]>,
): Promise<readonly StoredRecords[Name][]> {
  return records as Promise<readonly StoredRecords[Name][]>;
}

export function insert<Name extends keyof StoredRecords>(
  collection: Name,
  record: StoredRecords[Name],
): Change {
  return { op: 'insert', collection, record: record as unknown as StoredRecord };
}

export function replace<Name extends keyof StoredRecords>(
  collection: Name,
  record: StoredRecords[Name],
  version: number,
): Change {
  return { op: 'replace', collection, record: record as unknown as StoredRecord, version };
}

export function remove(collection: keyof StoredRecords, id: string, version: number): Change {
  return { op: 'remove', collection, id, version };
}

export function forget(counters: readonly string[]): readonly Change[] {
  return counters.map((counter) => ({ op: 'forget', counter }));
}
