/** The storage port with the types of our records, and its failures in our words. */
import { IdentityError } from '../errors.ts';
import type {
  Census,
  Change,
  JournalBatch,
  JournalEntry,
  JournalQuery,
  ListQuery,
  StorageAdapter,
  StorageHealth,
  StoredRecord,
  Tally,
  TallyQuery,
  WriteResult,
} from '../ports.ts';
import type { Instant } from '../records.ts';
import type { Stored } from './stored.ts';

/** The storage as the services use it. Every failure of the adapter is `storage_unavailable`. */
export interface Store {
  get<Name extends keyof Stored>(collection: Name, id: string): Promise<Stored[Name] | undefined>;
  list<Name extends keyof Stored>(collection: Name, query: ListQuery): Promise<readonly Stored[Name][]>;
  write(...changes: readonly Change[]): Promise<WriteResult>;
  count(counter: string, at: Instant): Promise<number>;
  append(batch: JournalBatch): Promise<void>;
  read(query: JournalQuery): Promise<readonly JournalEntry[]>;
  tally(query: TallyQuery): Promise<readonly Tally[]>;
  census(account_id: string, at: Instant): Promise<Census>;
  purge: StorageAdapter['purge'];
  check(): Promise<StorageHealth>;
  close(): Promise<void>;
}

/** Every id of ours is printable ASCII: about any other text, such as U+0000, no database need be asked. */
const STORABLE_ID = /^[\x21-\x7e]+$/;

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

/** The store over an adapter. A call that takes longer than `deadlineMs` is given up. */
export function openStore(adapter: StorageAdapter, deadlineMs: number): Store {
  const settle = <Answer>(call: () => Promise<Answer>) => within(deadlineMs, call);
  return {
    get: <Name extends keyof Stored>(collection: Name, id: string) =>
      settle(async () => {
        const record = STORABLE_ID.test(id) ? await adapter.get(collection, id) : undefined;
        return (record ?? undefined) as Stored[Name] | undefined;
      }),
    list: <Name extends keyof Stored>(collection: Name, query: ListQuery) =>
      settle(
        () =>
          adapter.list(collection, query) as Promise<readonly unknown[]> as Promise<readonly Stored[Name][]>,
      ),
    write: (...changes) => settle(() => adapter.write(changes)),
    count: (counter, at) => settle(() => adapter.count(counter, at)),
    append: (batch) => settle(() => adapter.append(batch)),
    read: (query) => settle(() => adapter.read(query)),
    tally: (query) => settle(() => adapter.tally(query)),
    census: (account_id, at) => settle(() => adapter.census(account_id, at)),
    purge: (what, before) => settle(() => adapter.purge(what, before)),
    check: () => settle(() => adapter.check()),
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

async function within<Answer>(deadlineMs: number, call: () => Promise<Answer>): Promise<Answer> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  try {
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(new Error(`No answer within ${deadlineMs} ms.`)), deadlineMs);
    });
    return await Promise.race([call(), late]);
  } catch (cause) {
    throw unavailable(cause);
  } finally {
    clearTimeout(timer);
  }
}

function unavailable(cause: unknown): IdentityError {
  return new IdentityError('storage_unavailable', 'The storage did not answer.', {
    cause,
    details: { retryAfterSeconds: 1 },
  });
}
