import type { JournalQuery, Position, RollupQuery, RollupSum } from '../../ports/queries.ts';
import type { JournalBatch, RollupDelta, StorageAdapter } from '../../ports/storage.ts';
import type { JournalEntry } from '../../ports/stored.ts';
import type { Reason } from '../../records.ts';
import { assert, assertEqual } from './assertions.ts';
import { instant, NOW } from './fixtures.ts';

/** A reason of that code, with a fact of each kind. */
export function reason(code: string): Reason {
  return {
    code,
    message: 'The amount is above the limit.',
    limit: '100',
    actual: 101,
    near: true,
    until: null,
  };
}

/** A verdict that was ALLOW, or DENY when `fields` brings reasons. */
export function entry(id: string, fields: Partial<JournalEntry> = {}): JournalEntry {
  return {
    id,
    account_id: 'acc_a',
    created_at: NOW,
    verdict: fields.reasons === undefined || fields.reasons.length === 0 ? 'ALLOW' : 'DENY',
    reasons: [],
    agent_id: 'did:web:example.com:agents:buyer',
    action: 'order.create',
    target: 'did:web:shop.example',
    amount: '12.5',
    currency: 'EUR',
    passport_version: 3,
    environment: 'live',
    key_id: 'key_a',
    dry_run: false,
    request_id: 'order-7',
    ...fields,
  };
}

/** So many more verdicts of `key` in the minute of `NOW`, of all agents. */
export function delta(key: string, count: number, fields: Partial<RollupDelta> = {}): RollupDelta {
  return {
    account_id: 'acc_a',
    environment: 'live',
    minute: NOW,
    agent_id: '',
    kind: 'verdict',
    key,
    count,
    ...fields,
  };
}

/** A batch at `NOW`. */
export function batch(id: string, rest: Partial<JournalBatch> = {}): JournalBatch {
  return { id, at: NOW, entries: [], rollups: [], ...rest };
}

/** The entries that fit, at most `limit`, from as many pieces as it takes. */
export async function readEntries(
  storage: StorageAdapter,
  query: JournalQuery,
): Promise<readonly JournalEntry[]> {
  const found: JournalEntry[] = [];
  for (let after = query.after; ; ) {
    const limit = query.limit - found.length;
    const { entries, next } = await storage.read({ ...query, limit, ...(after !== undefined && { after }) });
    assert(entries.length <= limit, `a piece of ${entries.length} entries where ${limit} were asked for`);
    found.push(...entries);
    if (next === null || found.length === query.limit) return found;
    assert(after === undefined || comesAfter(next, after), 'a walk that does not go on');
    after = next;
  }
}

/** Whether a position stands behind another, from the newest to the oldest. */
function comesAfter(next: Position, before: Position): boolean {
  if (next.created_at !== before.created_at) return next.created_at < before.created_at;
  const encoder = new TextEncoder();
  const [a, b] = [encoder.encode(next.id), encoder.encode(before.id)];
  const at = a.findIndex((byte, index) => byte !== b[index]);
  return at === -1 ? a.length < b.length : (a[at] ?? 0) < (b[at] ?? -1);
}

/** Throws unless the journal holds these entries that fit, in this order. */
export async function reads(
  storage: StorageAdapter,
  query: Partial<JournalQuery>,
  expected: readonly JournalEntry[],
): Promise<void> {
  const found = await readEntries(storage, { account_id: 'acc_a', limit: 1_000, ...query });
  assertEqual(found, expected, `the entries of ${JSON.stringify(query)}`);
}

/** The ids of all pieces of the journal, one after the other; `between` runs after each. */
export async function readPages(
  storage: StorageAdapter,
  query: Omit<JournalQuery, 'account_id'>,
  between: () => Promise<void> = async () => {},
): Promise<readonly string[]> {
  const ids: string[] = [];
  for (let after = query.after; ; ) {
    const { entries, next } = await storage.read({
      account_id: 'acc_a',
      ...query,
      ...(after !== undefined && { after }),
    });
    ids.push(...entries.map(({ id }) => id));
    if (next === null) return ids;
    after = next;
    await between();
  }
}

/** Throws unless the rollups of the hour from `NOW` on, all agents together, add up to these, in any order. */
export async function tallies(
  storage: StorageAdapter,
  query: Partial<RollupQuery>,
  expected: readonly Partial<RollupSum>[],
): Promise<void> {
  const found = await storage.sumRollups({
    account_id: 'acc_a',
    environment: 'live',
    agent_id: '',
    resolution: 'minute',
    kinds: ['verdict'],
    from: NOW,
    to: instant(3_600),
    byStart: false,
    ...query,
  });
  const whole = expected.map((tally) => ({ start: null, kind: 'verdict', key: '', count: 0, ...tally }));
  assertEqual(inOrder(found), inOrder(whole), `the sums of ${JSON.stringify(query)}`);
}

function inOrder(sums: readonly object[]): readonly object[] {
  const name = (sum: object): string =>
    JSON.stringify(Object.entries(sum).sort(([a], [b]) => (a < b ? -1 : 1)));
  return [...sums].sort((a, b) => (name(a) < name(b) ? -1 : 1));
}
