/** Reads the evidence logs of accounts, for their owners and for third parties. */

import { toPaddedBase64 } from '../base/bytes/base64.ts';
import type { Pages } from '../base/pages.ts';
import type { Actor, CallOptions } from '../core/shared/callers.ts';
import { accountOf, type Context } from '../core/shared/context.ts';
import { type PageRequest, readPage } from '../core/shared/pages.ts';
import { everyRecord, recordsBy } from '../core/shared/record-lists.ts';
import type { PublicPlaces } from '../core/storage/public-reads.ts';
import { IdentityError, noSuch, wrongField } from '../errors.ts';
import type { LogSigner } from '../identity/log-signer.ts';
import type { RoomCode } from '../operations/room-code.ts';
import { MAX_LISTED_BLOCKS } from '../ports/journal.ts';
import { MAX_PAGE_SIZE } from '../ports/limits.ts';
import type { EndedLog, LogEntryItem, LogOverview } from '../records/log.ts';
import type { Page } from '../records.ts';
import { leafHash } from '../transparency-log/hashes.ts';
import { noteKeyText } from '../transparency-log/signed-note.ts';
import { readTilePath } from '../transparency-log/tiles.ts';
import type { LogEntryRecord, LogHeadRecord } from './collections.ts';
import { noteKeysOf, positionIn, rootIn } from './head.ts';
import { headOf, readTile } from './log-reads.ts';

/** A query for the entries of a log. */
export interface EvidenceQuery extends PageRequest {
  /** `true` also returns the bytes of the blocks, for at most 16 entries. */
  readonly blocks?: boolean;
}

/** Reads the evidence log of an account. */
export interface Evidence<Options = CallOptions> {
  /**
   * Returns the state of the log.
   *
   * @throws {IdentityError} `not_found` if the log is off, or has no entry yet.
   */
  state(options?: Options): Promise<LogOverview>;
  /**
   * Returns a page of log entries, newest first. Entries are absent after their retention has ended.
   *
   * @throws {IdentityError} `not_found` as `state`.
   * @throws {IdentityError} `invalid_request` for a wrong limit or cursor.
   */
  entries(query?: EvidenceQuery, options?: Options & CallOptions): Pages<Page<LogEntryItem>>;
}

/** Reads the documents of logs for third parties. */
export interface PublicLogs {
  /**
   * Returns the signed note (checkpoint) of a log.
   *
   * @throws {IdentityError} `not_found` for an unknown log.
   */
  checkpoint(logId: string): Promise<string>;
  /**
   * Returns the hashes of a tile by its path, such as `tile/0/000.p/5`.
   *
   * @throws {IdentityError} `not_found` for a tile outside the tree.
   */
  tile(logId: string, path: string): Promise<Uint8Array>;
}

const DEFAULT_WITH_BLOCKS = 16;
const PAGE = 50;

/** Creates the functions that read the logs of one service for third parties. */
export function createPublicLogs({ store }: Pick<Context, 'store'>, places: PublicPlaces): PublicLogs {
  return {
    checkpoint: (logId) =>
      places.take(async () => {
        const head = await headOf(store, logId);
        if (head === undefined) throw noSuch('log');
        return head.checkpoint;
      }),
    async tile(logId, path) {
      const tile = readTilePath(path);
      if (tile === undefined) throw noSuch('tile');
      return places.take(async () => {
        const head = await headOf(store, logId);
        const bytes = head && (await readTile(store, head, tile));
        if (bytes === undefined) throw noSuch('tile');
        return bytes;
      });
    },
  };
}

/**
 * Creates the functions that read the logs of one service for their owners. `keys` is absent if the service does not
 * sign.
 */
export function createEvidence(
  context: Pick<Context, 'store' | 'caches' | 'seal' | 'session' | 'logState' | 'retentionDays'>,
  keys: LogSigner | undefined,
): RoomCode<Evidence<Actor>> {
  const { store, logState } = context;

  async function demandHead(account_id: string): Promise<LogHeadRecord> {
    const [log, head] = [await logState.refresh(), await store.get('log_heads', account_id)];
    const missing = missingIn(log, head, keys);
    if (missing !== undefined) throw new IdentityError('not_found', missing);
    return head as LogHeadRecord;
  }

  async function keysOf({ origin }: LogHeadRecord): Promise<LogOverview['keys']> {
    const knownKeys = (await keys?.()) ?? [];
    const names = await noteKeysOf(origin, knownKeys);
    return names.map((name, index) => ({
      key: noteKeyText(name),
      retired_at: knownKeys[index]?.retired_at ?? null,
    }));
  }

  return {
    async state(actor = {}) {
      const head = await demandHead(accountOf(context, actor));
      const { log_id, origin, size, checkpoint } = head;
      return {
        log_id,
        origin,
        keys: await keysOf(head),
        size,
        root: rootIn(head),
        checkpoint,
        ...(await pendingOf(context, head)),
        retention_days: context.retentionDays,
        earlier: await earlierThan(context, head),
      };
    },

    async entries({ blocks = false, limit, cursor } = {}, { signal, ...actor } = {}) {
      const { account_id, log_id } = await demandHead(accountOf(context, actor));
      const maximum = limit ?? (blocks ? DEFAULT_WITH_BLOCKS : undefined);
      if (blocks && maximum !== undefined && maximum > DEFAULT_WITH_BLOCKS) throw tooMany();
      const list = recordsBy(store, 'log_entries', { account_id });
      const page = {
        ...(maximum !== undefined && { limit: maximum }),
        ...(cursor !== undefined && { cursor }),
      };
      const source = {
        query: ['log', account_id, log_id, String(blocks)],
        positionOf: ({ record }: Shown) => ({ created_at: record.created_at, id: record.id }),
        show: ({ item }: Shown) => item,
        keep: ({ record }: Shown) => record.log_id === log_id,
        ...(blocks && { atOnce: 1 }),
        read: async (count: number, positionAfter: Parameters<typeof list.read>[1]) => {
          const { records, next } = await list.read(count, positionAfter);
          const shownList: Shown[] = [];
          for (const record of records) {
            shownList.push({
              record,
              item: { ...toItem(record), ...(blocks && (await blockOf(context, record))) },
            });
          }
          return { records: shownList, next };
        },
      };
      return readPage(context, source, page, { ...(signal && { signal }) });
    },
  };
}

async function pendingOf(
  { store, logState }: Pick<Context, 'store' | 'logState'>,
  head: LogHeadRecord,
): Promise<Pick<LogOverview, 'pending' | 'oldest_pending_at'>> {
  const { account_id } = head;
  const log = await logState.read();
  if (log === undefined) return { pending: 0, oldest_pending_at: null };
  const due = await store.due('events', '9999-12-31T23:59:59.999Z', MAX_PAGE_SIZE, {
    where: { account_id },
  });
  const blocks = await store.journal.blocks({ account_id, limit: MAX_LISTED_BLOCKS });
  const waiting = blocks.filter(({ writer, seq }) => seq > positionIn(head, log, writer)[0]);
  const starts = [
    ...due.map(({ created_at }) => created_at),
    ...waiting.map(({ from_ms }) => new Date(from_ms).toISOString()),
  ].sort();
  return { pending: due.length + waiting.length, oldest_pending_at: starts[0] ?? null };
}

async function earlierThan(
  { store }: Pick<Context, 'store'>,
  { account_id }: LogHeadRecord,
): Promise<readonly EndedLog[]> {
  const endedLogs: EndedLog[] = [];
  for await (const record of everyRecord(recordsBy(store, 'log_heads', { account_id }), PAGE)) {
    const { log_id, origin, size, ended_at } = record;
    if (ended_at !== null) endedLogs.push({ log_id, origin, size, root: rootIn(record), ended_at });
  }
  return endedLogs;
}

async function blockOf(
  { store }: Pick<Context, 'store'>,
  { account_id, subject, entry }: LogEntryRecord,
): Promise<Pick<LogEntryItem, 'block'>> {
  const { kind } = JSON.parse(entry) as { readonly kind: string };
  if (kind !== 'verdicts') return {};
  const [writer = '', seq] = subject.split('.');
  const [block] = await store.journal.load([{ writer, seq: Number(seq), account_id }]);
  return { block: block === undefined ? null : toPaddedBase64(block.data) };
}

interface Shown {
  readonly record: LogEntryRecord;
  readonly item: LogEntryItem;
}

function toItem({ leaf_index, entry }: LogEntryRecord): LogEntryItem {
  return { index: leaf_index, leaf_hash: toPaddedBase64(leafHash(new TextEncoder().encode(entry))), entry };
}

function missingIn(beginning: unknown, head: unknown, keys: unknown): string | undefined {
  if (beginning === undefined) {
    return 'The evidence log is off. Start the service with --evidence-log, in process with evidence() in options.capabilities.';
  }
  if (keys === undefined) return 'The evidence log needs identity({ publicUrl }) in this service.';
  return head === undefined
    ? 'The log of this account has no leaf yet. Try again in some seconds.'
    : undefined;
}

function tooMany(): IdentityError {
  return wrongField('/limit', 'out_of_range', 'With blocks this must be 1 to 16.');
}
