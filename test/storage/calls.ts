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
  'an empty page of blocks': ({ journal }) => journal.blocks({ account_id: 'a', limit: 1 }),
  'a page of blocks that are filtered': ({ journal }) =>
    journal.blocks({ account_id: 'a', flags: 1, limit: 1 }),
  'a block that is not there': ({ journal }) => journal.load([{ writer: 'w', seq: 1, account_id: 'a' }]),
  'no filed blocks': ({ journal }) => journal.filed({ writer: 'w', from: 0, to: 1, limit: 1 }),
  'no writers': ({ journal }) => journal.writers(),
  'no unmerged writers': ({ journal }) => journal.unmerged({ limit: 1 }),
  'an empty count of passports': async (storage) => storage.countPassports?.('a', AT),
  'empty sums': ({ journal }) =>
    journal.sums({
      account_id: 'a',
      environment: 'live',
      agent_id: '',
      parts: [{ resolution: 'day', kinds: ['verdict'], from: AT, to: TO, byStart: false }],
    }),
  'a write': (storage) => storage.write([insertDomain('lost.example')]),
  'an opening of a writer': ({ journal }) => journal.open('lost', AT),
  'a flush': ({ journal }) => journal.file({ writer: 'w', seq: 1, at: AT, blocks: [] }),
  'a merge': ({ journal }) => journal.merge({ writer: 'w', from: 0, to: 1, at: AT, rollups: [] }),
  'a compaction': ({ journal }) => {
    const header = {
      writer: 'w',
      seq: 1,
      account_id: 'a',
      from_ms: 0,
      to_ms: 0,
      records: 0,
      denied: 0,
      flags: 8,
      erased: 0,
    };
    const into = { ...header, filter: new Uint8Array(32), data: new Uint8Array(1) };
    return journal.compact([into], into);
  },
  'a purge': (storage) => storage.purge('verdicts', AT),
  'the time': (storage) => storage.time(AT),
  'since when all is there': ({ journal }) => journal.completeSince('a'),
  'a check': (storage) => storage.check(),
};
