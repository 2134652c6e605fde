/** Reads the log of an account from a storage, and audits it. */
import { createHash } from 'node:crypto';
import type { LogEntryRecord, LogHeadRecord, LogTileRecord } from '../../../src/evidence/collections.ts';
import type { SigningKeyRecord } from '../../../src/identity/collections.ts';
import { openBlock } from '../../../src/journal-format/index.ts';
import type { BlockHeader, StorageAdapter } from '../../../src/ports/index.ts';
import { type NoteKey, noteKey } from '../../../src/transparency-log/signed-note.ts';
import { tilePath, tilesOf } from '../../../src/transparency-log/tiles.ts';
import { type LogAudit, verifyLog } from '../../../src/transparency-log/verify-log.ts';
import { type LogFiles, utf8 } from '../../transparency-log/memory-log.ts';

/** A log as it is stored. */
export interface StoredLog {
  readonly head: LogHeadRecord;
  readonly keys: readonly NoteKey[];
  /** The entries by index; `null` for one that is not there any more. */
  readonly entries: readonly (string | null)[];
  /** The bytes that are stored under the name of a block, by the digest that its entry has. */
  readonly blocks: ReadonlyMap<string, Uint8Array>;
  readonly headers: readonly BlockHeader[];
  /** The digest of each block that is stored, by its name. */
  readonly digests: ReadonlyMap<string, string>;
}

/** Reads the log of an account, which must have one. */
export async function readStoredLog(storage: StorageAdapter, account_id: string): Promise<StoredLog> {
  const head = (await storage.get('log_heads', account_id)) as unknown as LogHeadRecord;
  const known = (await storage.list('signing_keys', {
    where: {},
    limit: 100,
  })) as unknown as SigningKeyRecord[];
  const keys = await Promise.all(
    known
      .filter(({ purpose }) => purpose === 'log')
      .map(({ public_jwk }) => noteKey(head.origin, new Uint8Array(Buffer.from(public_jwk.x, 'base64url')))),
  );
  const entries: (string | null)[] = Array.from({ length: head.size }, () => null);
  for await (const record of listed(storage, 'log_entries', account_id)) {
    const { leaf_index, entry, log_id } = record as unknown as LogEntryRecord;
    if (log_id === head.log_id) entries[leaf_index] = entry;
  }
  const [named, digests] = [new Map<string, Uint8Array>(), new Map<string, string>()];
  const headers = await headersOf(storage, account_id);
  for (const header of headers) {
    const [block] = await storage.journal.load([header]);
    if (block === undefined) continue;
    const name = `${header.writer}.${header.seq}`;
    named.set(name, block.data);
    digests.set(name, createHash('sha256').update(block.data).digest('hex'));
  }
  const blocks = new Map<string, Uint8Array>();
  for (const text of entries) {
    const { block, digest } = JSON.parse(text ?? '{}') as {
      readonly block?: string;
      readonly digest?: string;
    };
    const data = named.get(block ?? '');
    if (digest !== undefined && data !== undefined) blocks.set(digest, data);
  }
  return { head, keys, entries, blocks, headers, digests };
}

async function* listed(
  storage: StorageAdapter,
  collection: 'log_entries' | 'events',
  account_id: string,
): AsyncGenerator<LogTileRecord | LogEntryRecord> {
  let after: { created_at: string; id: string } | undefined;
  do {
    const page = await storage.list(collection, {
      where: { account_id },
      limit: 500,
      ...(after && { after }),
    });
    yield* page as unknown as LogEntryRecord[];
    after = page.length < 500 ? undefined : page.at(-1);
  } while (after !== undefined);
}

/** The ids of the records of all events of an account. */
export async function eventIdsOf(storage: StorageAdapter, account_id: string): Promise<readonly string[]> {
  const ids: string[] = [];
  for await (const { id } of listed(storage, 'events', account_id)) ids.push(id);
  return ids;
}

async function headersOf(storage: StorageAdapter, account_id: string): Promise<readonly BlockHeader[]> {
  const found: BlockHeader[] = [];
  for (;;) {
    const after = found.at(-1);
    const page = await storage.journal.blocks({ account_id, limit: 256, ...(after && { after }) });
    found.push(...page);
    if (page.length < 256) return found;
  }
}

/** Audits a stored log, with its entries and blocks, and with what was kept of it. */
export function auditStored(
  storage: StorageAdapter,
  log: StoredLog,
  older: readonly string[] = [],
): Promise<LogAudit> {
  return verifyLog(
    {
      checkpoint: log.head.checkpoint,
      async tile({ level, index }) {
        const id = `${log.head.log_id}:${level}:${index}`;
        const record = (await storage.get('log_tiles', id)) as unknown as LogTileRecord | undefined;
        return record && new Uint8Array(Buffer.from(record.hashes, 'base64'));
      },
      async *entries() {
        yield* log.entries;
      },
      block: async (digest) => log.blocks.get(digest),
    },
    { keys: log.keys, older, openBlock },
  );
}

/** The files of a stored log, as `log export` writes them. */
export async function filesOf(storage: StorageAdapter, log: StoredLog): Promise<LogFiles> {
  const files = new Map<string, Uint8Array>([['checkpoint', utf8(log.head.checkpoint)]]);
  const size = Number(log.head.checkpoint.split('\n')[1]);
  for (const tile of tilesOf(size)) {
    const id = `${log.head.log_id}:${tile.level}:${tile.index}`;
    const record = (await storage.get('log_tiles', id)) as unknown as LogTileRecord | undefined;
    const hashes = record && Buffer.from(record.hashes, 'base64').subarray(0, tile.width * 32);
    if (hashes !== undefined) files.set(tilePath(tile), hashes);
  }
  files.set('entries.jsonl', utf8(log.entries.map((entry) => `${entry}\n`).join('')));
  for (const [digest, data] of log.blocks) files.set(`blocks/${digest}`, data);
  return files;
}

/** The entries of a kind, in their order. */
export function entriesOf<Entry>(log: StoredLog, kind: string): Entry[] {
  const read = log.entries.map((entry) => (entry === null ? null : JSON.parse(entry)));
  return read.filter((entry) => entry?.kind === kind);
}
