import type { StorageAdapter } from '../../ports/storage.ts';
import { fixtures, insert, NOW } from './fixtures.ts';
import { block, flush, merge, nameOf, WRITER } from './journal/fixtures.ts';
import { sumsOf } from './journal/sums-fixtures.ts';

export const EVERY_CALL: Readonly<Record<string, (storage: StorageAdapter) => Promise<unknown>>> = {
  get: (storage) => storage.get('accounts', 'id'),
  'get of a missing id': (storage) => storage.get('accounts', 'missing'),
  list: (storage) => storage.list('accounts', { where: {}, limit: 1 }),
  write: (storage) => storage.write([insert('accounts', fixtures.accounts('other'))]),
  'write without steps': (storage) => storage.write([]),
  count: (storage) => storage.count('n', NOW),
  'journal.open': ({ journal }) => journal.open(WRITER, NOW),
  'journal.file': ({ journal }) => journal.file(flush(1, [block(1)])),
  'journal.file of no blocks': ({ journal }) => journal.file(flush(1, [])),
  'journal.writers': ({ journal }) => journal.writers(),
  'journal.unmerged': ({ journal }) => journal.unmerged({ limit: 1 }),
  'journal.blocks': ({ journal }) => journal.blocks({ account_id: 'acc_a', limit: 1 }),
  'journal.load': ({ journal }) => journal.load([nameOf(block(1))]),
  'journal.load of no names': ({ journal }) => journal.load([]),
  'journal.filed': ({ journal }) => journal.filed({ writer: WRITER, from: 0, to: 9, limit: 1 }),
  'journal.merge': ({ journal }) => journal.merge(merge(0, 1)),
  'journal.sums': (storage) => sumsOf(storage),
  'journal.sums of no parts': (storage) => sumsOf(storage, { parts: [] }),
  'journal.compact': ({ journal }) => journal.compact([block(1)], block(1)),
  'journal.rewrite': ({ journal }) => journal.rewrite({ found: block(1), rollups: [] }),
  'journal.eraseTexts': ({ journal }) => journal.eraseTexts(nameOf(block(1)), 0, new Uint8Array(1)),
  'journal.erase': ({ journal }) => journal.erase({ account_id: 'acc_a' }),
  'journal.completeSince': ({ journal }) => journal.completeSince('acc_a'),
  countPassports: (storage) => storage.countPassports?.('acc_a', NOW) ?? storage.count('n', NOW),
  purge: (storage) => storage.purge('sessions', NOW),
  'purge of verdicts': (storage) => storage.purge('verdicts', NOW),
  'purge of writers': (storage) => storage.purge('writers', NOW),
  'purge of rollups': (storage) => storage.purge('rollups', NOW),
  time: (storage) => storage.time(NOW),
  check: (storage) => storage.check(),
};
