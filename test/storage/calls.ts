import type { Change, StorageAdapter } from '../../src/ports/index.ts';

const AT = '2026-11-20T12:00:00.000Z';
const TO = '2026-11-21T12:00:00.000Z';

/** A change that stores a new record. */
export function insertDomain(id: string): Change {
  const record = { id, account_id: 'a', version: 1, created_at: AT, changed_at: null, changed_by: null };
  return { op: 'insert', collection: 'domains', record };
}

/** Calls that find nothing, and those that would be acknowledged. */
export const calls: Readonly<Record<string, (storage: StorageAdapter) => Promise<unknown>>> = {
  'a get that finds nothing': (storage) => storage.get('passports', 'missing'),
  'an empty list': (storage) => storage.list('passports', { where: { account_id: 'a' }, limit: 1 }),
  'a count of 0': (storage) => storage.count('n', AT),
  'an empty page of verdicts': (storage) => storage.journal.blocks({ account_id: 'a', limit: 1 }),
  'an empty countPassports': (storage) => storage.countPassports('a', AT),
  'empty sums': (storage) => {
    const part = { resolution: 'day', kinds: ['verdict'], from: AT, to: TO, byStart: false } as const;
    return storage.journal.sums({ account_id: 'a', environment: 'live', agent_id: '', parts: [part] });
  },
  'the writers': (storage) => storage.journal.writers(),
  'a write': (storage) => storage.write([insertDomain('lost.example')]),
  'a new writer': (storage) => storage.journal.open('lost', AT),
  'a flush': (storage) => storage.journal.file({ writer: 'lost', seq: 1, at: AT, blocks: [] }),
  'a merge': (storage) => storage.journal.merge({ writer: 'lost', from: 0, to: 1, at: AT, rollups: [] }),
  'a purge': (storage) => storage.purge('verdicts', AT),
  'the time': (storage) => storage.time(AT),
  'since when all is there': (storage) => storage.completeSince('a'),
  'a check': (storage) => storage.check(),
};
