import { memoryStorage } from '../../adapters/storage/memory/index.ts';
import type { CollectionName } from '../../src/ports/index.ts';
import type { StorageAdapter } from '../../src/ports/storage.ts';
import { fixtures } from '../../src/testing/storage-contract/fixtures.ts';

/** How often a storage was asked, and how it is to fail from now on. */
export interface StorageProbe extends StorageAdapter {
  readonly calls: string[];
  /** The replacement of every call, if it returns an answer; `undefined` lets the call through. */
  fail: ((call: string) => Promise<never> | Promise<unknown> | undefined) | undefined;
}

/** All collections: the compiler asks for a fixture of each. */
export const COLLECTIONS = Object.keys(fixtures) as readonly CollectionName[];

/** A storage that counts its calls and can be made to fail. */
export function probe(inner: StorageAdapter = memoryStorage()): StorageProbe {
  const through = async <Result>(call: string, run: () => Promise<Result>): Promise<Result> => {
    watched.calls.push(call);
    const failure = watched.fail?.(call);
    return failure === undefined ? run() : (failure as Promise<Result>);
  };
  const count = inner.countPassports?.bind(inner);
  const watched: StorageProbe = {
    name: 'probe',
    calls: [],
    fail: undefined,
    get: (collection, id) => through(`get ${collection}`, () => inner.get(collection, id)),
    list: (collection, query) =>
      through(query.order === 'due_at' ? 'due' : `list ${collection}`, () => inner.list(collection, query)),
    write: (changes) => through('write', () => inner.write(changes)),
    count: (counter, at) => through('count', () => inner.count(counter, at)),
    journal: {
      ...inner.journal,
      open: (writer, at) => through('open', () => inner.journal.open(writer, at)),
      file: (flush) => through('file', () => inner.journal.file(flush)),
      writers: () => through('writers', () => inner.journal.writers()),
      unmerged: (query) => through('unmerged', () => inner.journal.unmerged(query)),
      blocks: (query) => through('blocks', () => inner.journal.blocks(query)),
      load: (names) => through('load', () => inner.journal.load(names)),
      filed: (query) => through('filed', () => inner.journal.filed(query)),
      merge: (merge) => through('merge', () => inner.journal.merge(merge)),
      sums: (query) => through('sums', () => inner.journal.sums(query)),
      compact: (found, into) => through('compact', () => inner.journal.compact(found, into)),
      rewrite: (rewriting) => through('rewrite', () => inner.journal.rewrite(rewriting)),
      eraseTexts: (name, erased, erasable) =>
        through('eraseTexts', () => inner.journal.eraseTexts(name, erased, erasable)),
      erase: (erasure) => through('erase', () => inner.journal.erase(erasure)),
    },
    ...(count && { countPassports: (...asked) => through('countPassports', () => count(...asked)) }),
    purge: (what, before, present) => through('purge', () => inner.purge(what, before, present)),
    time: (present, isTrusted) => through('time', () => inner.time(present, isTrusted)),
    subscribe: (listener) => inner.subscribe?.(listener) ?? (() => undefined),
    check: () => through('check', () => inner.check()),
    close: () => inner.close(),
  };
  return watched;
}

/** Everything a storage holds, with what it has counted, as one text to compare. */
export async function dump(storage: StorageAdapter): Promise<string> {
  const all = await Promise.all(COLLECTIONS.map((name) => storage.list(name, { where: {}, limit: 1_000 })));
  const counters = (all[0] ?? []).flatMap(({ id }) => [`usage:keys:${id}`, `usage:passports:${id}`]);
  const counts = await Promise.all(counters.map((name) => storage.count(name, '2000-01-01T00:00:00.000Z')));
  return JSON.stringify({ all, counts });
}
