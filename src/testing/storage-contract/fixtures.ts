import type { FieldKind, PlainKind } from '../../ports/collection.ts';
import { MAX_PURGE_SIZE } from '../../ports/limits.ts';
import type { Change, NotWritten, Purgeable, StorageAdapter, WriteFailure } from '../../ports/storage.ts';
import type { StoredRecord, StoredValue } from '../../ports/stored.ts';
import { COLLECTION_NAMES, type CollectionName, collections } from '../../ports/stored-records.ts';
import { assert, assertEqual } from './assertions.ts';

export type Fields = Readonly<Record<string, StoredValue>>;

const DAY_MS = 86_400_000;

/**
 * Noon of the day before yesterday in UTC, in milliseconds. All instants of the tests are close to it, and
 * therefore in the past. A storage with a clock does not remove records that are newer than its own time.
 */
const NOON_MS = Math.floor(Date.now() / DAY_MS - 2) * DAY_MS + DAY_MS / 2;

export const NOW: string = instant(0);

export function instant(seconds: number): string {
  return new Date(NOON_MS + seconds * 1_000).toISOString();
}

const common = { account_id: 'acc_a', version: 1, created_at: NOW } as const;

const AGENT_ID = 'did:web:example.com:agents:buyer';

/** Fixed values for the fields that matter for a test. */
const VALUES: Readonly<Partial<Record<CollectionName, Fields>>> = {
  approvals: {
    agent_id: AGENT_ID,
    environment: 'live',
    digest: '00ff',
    status: 'pending',
    expires_at: instant(3_600),
    due_at: instant(3_600),
  },
  idempotency: { expires_at: instant(86_400) },
  keys: { environment: 'live', scopes: ['verify', 'revoke'], status: 'active' },
  passports: { domain: 'example.com', allowed_actions: ['order.create'], status: 'active' },
  passport_versions: { agent_id: AGENT_ID },
  sessions: { expires_at: instant(3_600) },
  shared_texts: { account_id: '' },
  signing_keys: { account_id: '' },
  spends: { agent_id: AGENT_ID, environment: 'live', status: 'committed' },
  webhook_deliveries: { webhook_id: 'whk_a' },
};

export const fixtures: Readonly<Record<CollectionName, (id: string, fields?: Fields) => StoredRecord>> =
  Object.fromEntries(
    COLLECTION_NAMES.map((name) => {
      const kinds = Object.entries(collections[name].fields);
      const present = kinds.filter(([, kind]) => !kind.endsWith('?'));
      const values = Object.fromEntries(present.map(([field, kind]) => [field, defaultOf(field, kind)]));
      return [
        name,
        (id: string, fields: Fields = {}) => ({ ...common, ...values, ...VALUES[name], id, ...fields }),
      ];
    }),
  ) as Record<CollectionName, (id: string, fields?: Fields) => StoredRecord>;

/** Returns a value for each optional field of the collection. */
export function optionalFields(name: CollectionName): Fields {
  const kinds = Object.entries(collections[name].fields);
  const optional = kinds.filter(([, kind]) => kind.endsWith('?'));
  return Object.fromEntries(
    optional.map(([field, kind]) => [field, defaultOf(field, kind.slice(0, -1) as PlainKind)]),
  );
}

function defaultOf(field: string, kind: FieldKind): StoredValue {
  if (field === 'expires_at' && kind === 'text') return instant(604_800);
  if (/_(?:at|until)$/.test(field)) return kind === 'text' ? NOW : null;
  if (kind.startsWith('integer')) return 1_048_575;
  if (kind.startsWith('boolean')) return true;
  return kind.startsWith('json') ? { list: [0.5, 'é', true], none: null } : `the ${field} of é`;
}

export function insert(collection: CollectionName, record: StoredRecord): Change {
  return { op: 'insert', collection, record };
}

export function claim(collection: CollectionName, record: StoredRecord): Change {
  return { op: 'claim', collection, record };
}

export function remove(collection: CollectionName, id: string, version: number): Change {
  return { op: 'remove', collection, id, version };
}

export function replace(collection: CollectionName, record: StoredRecord, version: number): Change {
  return { op: 'replace', collection, record, version };
}

export function add(
  counter: string,
  by: number,
  rest: {
    readonly max?: number;
    readonly expires_at?: string;
    readonly at?: string;
    readonly renew?: true;
  } = {},
): Change {
  return { op: 'add', counter, by, at: NOW, ...rest };
}

export function forget(counter: string): Change {
  return { op: 'forget', counter };
}

export async function written(storage: StorageAdapter, ...changes: readonly Change[]): Promise<void> {
  assertEqual((await storage.write(changes)).written, true, 'the write');
}

export async function refused(
  storage: StorageAdapter,
  changes: readonly Change[],
  step: number,
  failure: WriteFailure,
): Promise<void> {
  const { failed, found, ...first } = (await storage.write(changes)) as NotWritten;
  assertEqual(first, { written: false, step, failure }, 'the write');
  assertEqual(failed[0], { step, failure }, 'the first step that failed');
  assertEqual(found.length, changes.filter(({ op }) => op === 'add').length, 'the number of additions');
}

export async function holds(
  storage: StorageAdapter,
  collection: CollectionName,
  record: StoredRecord,
): Promise<void> {
  assertEqual(await storage.get(collection, record.id), record, `${collection} ${JSON.stringify(record.id)}`);
}

export async function lacks(storage: StorageAdapter, collection: CollectionName, id: string): Promise<void> {
  assertEqual(await storage.get(collection, id), undefined, `${collection} ${JSON.stringify(id)}`);
}

export async function purgeAll(storage: StorageAdapter, what: Purgeable, before: string): Promise<number> {
  let removed = 0;
  for (let round = 1; round > 0; removed += round) {
    round = await storage.purge(what, before);
    assert(round <= MAX_PURGE_SIZE, `${round} were removed at a time`);
  }
  return removed;
}

const ENDLESS = 10_000;

export async function readAll(
  storage: StorageAdapter,
  collection: CollectionName,
  where: Readonly<Record<string, string>>,
  limit: number,
  between: () => Promise<void> = async () => {},
): Promise<readonly string[]> {
  const ids: string[] = [];
  let page = await storage.list(collection, { where, limit });
  while (page.length > 0) {
    ids.push(...page.map(({ id }) => id));
    if (ids.length > ENDLESS) throw new Error('The pages do not end.');
    await between();
    const last = page[page.length - 1];
    if (last === undefined || page.length < limit) break;
    const after = { created_at: last.created_at, id: last.id };
    page = await storage.list(collection, { where, limit, after });
  }
  return ids;
}
