import { access } from 'node:fs/promises';
import type { StorageAdapter } from '../../../src/index.ts';
import { memoryStorage } from '../../storage/memory/index.ts';
import { usageError } from '../output/error.ts';

/** The kind and the location of a storage, parsed from its URL. The URL of a server must never be printed. */
export type StoragePlace =
  | { readonly kind: 'postgres'; readonly url: string }
  | { readonly kind: 'redis'; readonly url: string }
  | { readonly kind: 'memory'; readonly url: string }
  | { readonly kind: 'sqlite'; readonly url: string; readonly file: string };

export const DEFAULT_STORAGE = 'sqlite:./agent-identity.db';

/** Parses the URL of a storage. An error does not quote the URL, which may contain a password. */
export function readStorageUrl(url: string): StoragePlace {
  const scheme = /^([a-z][a-z0-9+.-]*):/i.exec(url)?.[1]?.toLowerCase();
  const urlRest = url.slice((scheme?.length ?? 0) + 1);
  if (scheme === 'memory' && urlRest === '') return { kind: 'memory', url };
  if (scheme === 'sqlite' && urlRest !== '') return sqlitePlace(url, urlRest);
  if (scheme === 'postgres' || scheme === 'postgresql') return { kind: 'postgres', url };
  if (scheme === 'redis' || scheme === 'rediss') return { kind: 'redis', url };
  throw usageError(`The storage URL is not known. ${KNOWN}`);
}

function sqlitePlace(url: string, file: string): StoragePlace {
  if (file === ':memory:') throw usageError('Use memory: for a storage in memory.');
  if (file.includes('?'))
    throw usageError('A sqlite URL has no parameters: what follows sqlite: is the path of the file.');
  if (file.startsWith('//')) {
    throw usageError('A sqlite URL is sqlite:<path>, such as sqlite:agents.db or sqlite:/var/lib/agents.db.');
  }
  if (HAS_CONTROLS.test(file))
    throw usageError('The path of a sqlite URL has a line feed or another control character: remove it.');
  return { kind: 'sqlite', url, file };
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are looked for.
const HAS_CONTROLS = /[\0-\x1f\x7f]/;

/** The time limit of a storage call in a command, in milliseconds. It is long, because no request waits for it. */
export const COMMAND_DEADLINE_MS = 10_000;

export interface OpenStorageOptions {
  /** `true` to fail if the database does not exist, instead of creating it. */
  readonly mustExist?: boolean;
  /** `true` if the operator states that the storage, a Redis, keeps every acknowledged write. */
  readonly isStated?: boolean;
  /** The time limit of a call to a server, in milliseconds; default `COMMAND_DEADLINE_MS`. */
  readonly timeoutMs?: number;
}

/**
 * Opens the storage at `place`. It loads only the module of the engine, because loading Kysely slows down the start.
 */
export async function openStorage(
  place: StoragePlace,
  { mustExist = false, isStated = false, timeoutMs = COMMAND_DEADLINE_MS }: OpenStorageOptions = {},
): Promise<StorageAdapter> {
  if (isStated && place.kind !== 'redis')
    throw usageError('--durability stated is for redis://: other storages say themselves what they keep.');
  if (place.kind === 'memory') return memoryStorage();
  if (place.kind === 'redis') {
    const { redisStorage } = await import('../../storage/redis/index.ts');
    return redisStorage({ url: place.url, timeoutMs, ...(isStated && { durability: 'stated' }) });
  }
  const { postgresStorage, sqliteStorage } = await import('../../storage/sql/index.ts');
  if (place.kind === 'postgres') return postgresStorage({ url: place.url, mustExist, timeoutMs });
  if (mustExist) await assertPresent(place.file);
  return sqliteStorage({ file: place.file });
}

export function labelOf({ kind, url }: StoragePlace): string {
  return kind === 'postgres' ? 'PostgreSQL' : kind === 'redis' ? 'Redis' : url;
}

/** Says whether several nodes can share the storage. Its URL may then contain a password. */
export function isOnNetwork({ kind }: StoragePlace): boolean {
  return kind === 'postgres' || kind === 'redis';
}

const KNOWN = 'Use sqlite:<file>, postgres://<host>/<database>, redis://<host> or memory:';

async function assertPresent(file: string): Promise<void> {
  try {
    await access(file);
  } catch (cause) {
    throw usageError(`There is no database ${file}. Name another with --storage.`, cause);
  }
}
