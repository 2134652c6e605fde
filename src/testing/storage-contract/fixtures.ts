import { MAX_PURGE_SIZE } from '../../ports/limits.ts';
import type { Change, NotWritten, Purgeable, StorageAdapter, WriteFailure } from '../../ports/storage.ts';
import type { StoredRecord, StoredValue } from '../../ports/stored.ts';
import type { CollectionName } from '../../ports/stored-records.ts';
import { assert, assertEqual } from './assertions.ts';
import { logFixtures } from './log-fixtures.ts';
import { peopleFixtures } from './people-fixtures.ts';

/** Other values for some fields of a fixture. */
export type Fields = Readonly<Record<string, StoredValue>>;

const DAY_MS = 86_400_000;

/** Noon of the day before yesterday in UTC: a store with a clock removes nothing from after its present. */
const NOON_MS = Math.floor(Date.now() / DAY_MS - 2) * DAY_MS + DAY_MS / 2;

/** The instant of the fixtures; `instant` returns others relative to it. */
export const NOW: string = instant(0);

/** Returns the instant that many seconds after `NOW`. */
export function instant(seconds: number): string {
  return new Date(NOON_MS + seconds * 1_000).toISOString();
}

const common = { account_id: 'acc_a', version: 1, created_at: NOW } as const;

/** Makers of valid records, by collection, with the fields that every record of it has. */
export const fixtures: Readonly<Record<CollectionName, (id: string, fields?: Fields) => StoredRecord>> = {
  ...peopleFixtures(common, instant(3_600)),
  keys: (id, fields) => ({
    ...common,
    id,
    name: 'build',
    start: 'ais_live_abcd',
    digest: '00ff',
    environment: 'live',
    scopes: ['verify', 'revoke'],
    agent_ids: null,
    status: 'active',
    expires_at: null,
    last_used_at: null,
    revoked_at: null,
    rotated_to: null,
    created_by: 'acc_a',
    changed_at: NOW,
    changed_by: 'operator',
    revoked_by: null,
    ...fields,
  }),
  passports: (id, fields) => ({
    ...common,
    id,
    updated_at: NOW,
    domain: 'example.com',
    agent_name: 'buyer',
    allowed_actions: ['order.create'],
    monetary_limit_per_txn: '100',
    status: 'active',
    suspended_until: null,
    suspended_by: null,
    suspension_reason: null,
    revoked_at: null,
    revoked_by: null,
    revocation_reason: null,
    ...{ widened_by: 'mem_a', widened_at: NOW },
    ...fields,
  }),
  passport_versions: (id, fields) => ({
    ...common,
    id,
    agent_id: 'did:web:example.com:agents:buyer',
    changed_by: 'acc_a',
    changed_at: NOW,
    passport: { status: 'active' },
    ...fields,
  }),
  domains: (id, fields) => ({ ...common, id, changed_at: null, changed_by: null, ...fields }),
  idempotency: (id, fields) => ({
    ...common,
    id,
    expires_at: instant(86_400),
    request_digest: '00ff',
    object_id: 'key_a',
    response: { status: 201 },
    ...fields,
  }),
  events: (id, fields) => ({
    ...common,
    id,
    type: 'passport.revoked',
    expires_at: instant(604_800),
    data: { agent_id: 'did:web:example.com:agents:buyer', version: 2 },
    ...fields,
  }),
  signing_keys: (id, fields) => ({
    ...common,
    id,
    account_id: '',
    kid: 'kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k',
    purpose: 'passport',
    alg: 'EdDSA',
    public_jwk: { kty: 'OKP', crv: 'Ed25519', x: '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo' },
    sealed: 'eyJhbGciOiJkaXIifQ..a.b.c',
    not_before: NOW,
    retire_at: null,
    revoked_at: null,
    ...fields,
  }),
  status_slots: (id, fields) => ({
    ...common,
    ...{ id, list_id: 'sl_a', status_index: 1_048_575 },
    agent_id: 'did:web:example.com:agents:buyer',
    ...fields,
  }),
  spends: (id, fields) => ({
    ...common,
    id,
    agent_id: 'did:web:example.com:agents:buyer',
    environment: 'live',
    status: 'committed',
    amount: '19.99',
    released_amount: '0',
    committed_amount: '19.99',
    committed_whole: true,
    currency: 'EUR',
    decimals: 2,
    held_until: null,
    updated_at: NOW,
    takings: [{ used: 'a', held: 'b', by: 1999, is_money: true, expires_at: null }],
    ...fields,
  }),
  webhooks: (id, fields) => ({
    ...common,
    id,
    url: 'https://example.com/hooks',
    types: ['passport.*'],
    description: null,
    status: 'active',
    disabled_reason: null,
    created_by: 'acc_a',
    updated_at: NOW,
    last_success_at: null,
    last_failure_at: null,
    failures_in_a_row: 0,
    sealed: 'eyJhbGciOiJkaXIifQ..a.b.c',
    previous_sealed: null,
    previous_until: null,
    read_from: NOW,
    ...fields,
  }),
  webhook_deliveries: (id, fields) => ({
    ...common,
    id,
    webhook_id: 'whk_a',
    event_id: 'evt_0VZ4Hy3WcZr7cQ2mT9pLx4BvK',
    event_type: 'passport.revoked',
    status: 'delivered',
    attempt: 1,
    http_status: 204,
    duration_ms: 12,
    attempted_at: NOW,
    is_leased: false,
    payload: '{"type":"passport.revoked"}',
    expires_at: instant(604_800),
    ...fields,
  }),
  approvals: (id, fields) => ({
    ...common,
    id,
    agent_id: 'did:web:example.com:agents:buyer',
    environment: 'live',
    digest: '00ff',
    round: 0,
    status: 'pending',
    intent: { agent_id: 'did:web:example.com:agents:buyer', action: 'pay', parameters: { amount: 0.5 } },
    reasons: [{ code: 'approval_required', message: 'A person must approve the intent.' }],
    expires_at: instant(3_600),
    due_at: instant(3_600),
    decided_by: null,
    decided_at: null,
    note: null,
    decision_id: null,
    ...{ kind: 'intent', change: null, needed: 2, by: 'another', requested_by: 'mem_a' },
    decisions: [{ by: 'mem_b', at: NOW, note: null }],
    ...fields,
  }),
  erasures: (id, fields) => ({
    ...common,
    ...{ id, agent_id: null, swept_at: null, leased_until: NOW },
    ...fields,
  }),
  ...logFixtures(common),
};

/** Makes the step that inserts a record. */
export function insert(collection: CollectionName, record: StoredRecord): Change {
  return { op: 'insert', collection, record };
}

/** Makes the step that claims a record for its account. */
export function claim(collection: CollectionName, record: StoredRecord): Change {
  return { op: 'claim', collection, record };
}

/** Makes the step that removes a record of that version. */
export function remove(collection: CollectionName, id: string, version: number): Change {
  return { op: 'remove', collection, id, version };
}

/** Makes the step that replaces a record of that version. */
export function replace(collection: CollectionName, record: StoredRecord, version: number): Change {
  return { op: 'replace', collection, record, version };
}

/** Makes the step that adds to a counter at `NOW`. */
export function add(
  counter: string,
  by: number,
  rest: { readonly max?: number; readonly expires_at?: string; readonly at?: string } = {},
): Change {
  return { op: 'add', counter, by, at: NOW, ...rest };
}

/** Writes the steps and throws unless all were done. */
export async function written(storage: StorageAdapter, ...changes: readonly Change[]): Promise<void> {
  assertEqual((await storage.write(changes)).written, true, 'the write');
}

/** Writes the steps and throws unless this step failed with this failure. */
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

/** Throws unless the record of that id is this one. */
export async function holds(
  storage: StorageAdapter,
  collection: CollectionName,
  record: StoredRecord,
): Promise<void> {
  assertEqual(await storage.get(collection, record.id), record, `${collection} ${JSON.stringify(record.id)}`);
}

/** Throws unless there is no record of that id. */
export async function lacks(storage: StorageAdapter, collection: CollectionName, id: string): Promise<void> {
  assertEqual(await storage.get(collection, id), undefined, `${collection} ${JSON.stringify(id)}`);
}

/** Purges until nothing old is left, at most `MAX_PURGE_SIZE` at a time, and returns the number removed. */
export async function purgeAll(storage: StorageAdapter, what: Purgeable, before: string): Promise<number> {
  let removed = 0;
  for (let round = 1; round > 0; removed += round) {
    round = await storage.purge(what, before);
    assert(round <= MAX_PURGE_SIZE, `${round} were removed at a time`);
  }
  return removed;
}

/** The number of records at which a list counts as endless. */
const ENDLESS = 10_000;

/** Returns the ids on all pages of a list; `between` runs after each page. */
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
