/** The storage port with the types of our records, and its failures in our words. */
import type { IdentityError } from '../errors.ts';
import type {
  Census,
  Change,
  JournalBatch,
  JournalEntry,
  JournalQuery,
  ListQuery,
  Purgeable,
  StorageAdapter,
  StorageHealth,
  StoredRecord,
  Tally,
  TallyQuery,
  WriteResult,
} from '../ports.ts';
import type { Instant } from '../records.ts';
import { type Guard, unavailable } from './guard.ts';
import type { Stored } from './stored.ts';

/** The storage as the services use it. Every failure of the adapter is `storage_unavailable`. */
export interface Store {
  /** How many verdicts a batch has at most, where the adapter says so. */
  readonly batchSize: number | undefined;
  /** Whether all of it is gone with the process. */
  readonly isVolatile: boolean;
  get<Name extends keyof Stored>(collection: Name, id: string): Promise<Stored[Name] | undefined>;
  list<Name extends keyof Stored>(collection: Name, query: ListQuery): Promise<readonly Stored[Name][]>;
  write(...changes: readonly Change[]): Promise<WriteResult>;
  count(counter: string, at: Instant): Promise<number>;
  append(batch: JournalBatch): Promise<void>;
  read(query: JournalQuery): Promise<readonly JournalEntry[]>;
  tally(query: TallyQuery): Promise<readonly Tally[]>;
  wholeSince: StorageAdapter['wholeSince'];
  census(account_id: string, at: Instant): Promise<Census>;
  purge(what: Purgeable, before: Instant, present: Instant): Promise<number>;
  time: StorageAdapter['time'];
  check(): Promise<StorageHealth>;
  close(): Promise<void>;
}

/** Every id of ours is printable ASCII: about any other text, such as U+0000, no database need be asked. */
const STORABLE_ID = /^[\x21-\x7e]+$/;

const NOTHING = Promise.resolve(undefined);

/** How often a change is tried again when another came first, before the storage is taken for broken. */
const MOST_ATTEMPTS = 1_000;

/** The storage answered, but it takes no change. */
export function notWritten(): IdentityError {
  return unavailable(new Error('The storage refuses every change of the record.'));
}

/** What `attempt` gives, tried again as long as that is `undefined`: another change came first. */
export async function untilWritten<Result>(attempt: () => Promise<Result | undefined>): Promise<Result> {
  for (let tried = 0; tried < MOST_ATTEMPTS; tried += 1) {
    const result = await attempt();
    if (result !== undefined) return result;
  }
  throw notWritten();
}

/** The store over an adapter; every call but `close` goes through `settle`. */
export function openStore(adapter: StorageAdapter, settle: Guard): Store {
  return {
    batchSize: adapter.batchSize,
    isVolatile: adapter.isVolatile ?? false,
    async get<Name extends keyof Stored>(collection: Name, id: string) {
      const ask = () => (STORABLE_ID.test(id) ? adapter.get(collection, id) : NOTHING);
      const record = await settle('read', ask);
      return (record ?? undefined) as Stored[Name] | undefined;
    },
    list: <Name extends keyof Stored>(collection: Name, query: ListQuery) =>
      settle(
        'read',
        () =>
          adapter.list(collection, query) as Promise<readonly unknown[]> as Promise<readonly Stored[Name][]>,
      ),
    write: (...changes) => settle('write', () => adapter.write(changes)),
    count: (counter, at) => settle('read', () => adapter.count(counter, at)),
    append: (batch) => settle('journal', () => adapter.append(batch)),
    read: (query) => settle('journal', () => adapter.read(query)),
    tally: (query) => settle('journal', () => adapter.tally(query)),
    wholeSince: (account_id) => settle('journal', () => adapter.wholeSince(account_id)),
    census: (account_id, at) => settle('read', () => adapter.census(account_id, at)),
    purge: (what, before, present) => settle('journal', () => adapter.purge(what, before, present)),
    time: (present, isTrusted) => settle('read', () => adapter.time(present, isTrusted)),
    check: () => settle('read', () => adapter.check()),
    close: () => adapter.close(),
  };
}

/** A change that stores a new record. */
export function insert<Name extends keyof Stored>(collection: Name, record: Stored[Name]): Change {
  return { op: 'insert', collection, record: record as unknown as StoredRecord };
}

/** A change that overwrites the version that was read. */
export function replace<Name extends keyof Stored>(
  collection: Name,
  record: Stored[Name],
  version: number,
): Change {
  return { op: 'replace', collection, record: record as unknown as StoredRecord, version };
}

/** A change that deletes the version that was read. */
export function remove(collection: keyof Stored, id: string, version: number): Change {
  return { op: 'remove', collection, id, version };
}
