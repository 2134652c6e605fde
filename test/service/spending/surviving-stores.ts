/** Stores that survive the nodes that are killed on them, and what a test reads in them past every service. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { redisStorage } from '../../../adapters/storage/redis/index.ts';
import { postgresStorage, sqliteStorage } from '../../../adapters/storage/sql/index.ts';
import { MAX_PAGE_SIZE, type StorageAdapter } from '../../../src/ports/index.ts';
import type { IdempotencyRecord, StoredRecords } from '../../../src/ports/stored-records.ts';
import type { SpendRecord } from '../../../src/ports/stored-spends.ts';
import { recordId } from '../../../src/service/shared/idempotency.ts';
import { sayMissing } from '../../support/missing.ts';
import {
  hasPostgresProgram,
  type PrivateServer,
  startPostgres,
  startRedis,
} from '../../support/private-servers.mjs';

/** The deadline of a storage on a machine that is busy with starting nodes. */
export const PATIENT_MS = 30_000;

/** A store that survives what is killed, and how many nodes may share it. */
export interface SurvivingStore {
  readonly url: string;
  readonly nodes: number;
  open(): Promise<StorageAdapter>;
  /** Kills it by SIGKILL and starts it again; absent where it has no process of its own. */
  crash?(): Promise<void>;
  remove(): Promise<void>;
}

async function crash({ kill, restart }: PrivateServer): Promise<void> {
  await kill();
  await restart();
}

const STORES: Readonly<Record<string, () => Promise<SurvivingStore>>> = {
  async SQLite() {
    const folder = mkdtempSync(join(tmpdir(), 'ais-survives-'));
    const file = join(folder, 'a.db');
    const remove = async () => rmSync(folder, { recursive: true, force: true });
    return { url: `sqlite:${file}`, nodes: 1, open: () => sqliteStorage({ file }), remove };
  },
  async PostgreSQL() {
    const server = await startPostgres();
    const { url, remove } = server;
    const open = () => postgresStorage({ url, timeoutMs: PATIENT_MS });
    return { url, nodes: 2, open, crash: () => crash(server), remove };
  },
  async Redis() {
    const server = await startRedis();
    const { url, remove } = server;
    const open = () => redisStorage({ url, timeoutMs: PATIENT_MS });
    return { url, nodes: 2, open, crash: () => crash(server), remove };
  },
};

/** The stores that can be started here; a file of tests has a case for a missing one. */
export function survivingStores(): (readonly [name: string, make: () => Promise<SurvivingStore>])[] {
  if (hasPostgresProgram()) return Object.entries(STORES);
  sayMissing('There is no PostgreSQL server to start: apt-get install postgresql.');
  return Object.entries(STORES).filter(([name]) => name !== 'PostgreSQL');
}

/** What is remembered of a verdict in process under this key. */
export async function rememberedIn(
  storage: StorageAdapter,
  key: string,
): Promise<IdempotencyRecord | undefined> {
  const found = await storage.get('idempotency', recordId(['', 'live', 'verify'], key));
  return found as unknown as IdempotencyRecord | undefined;
}

/** All records of a collection. */
export async function allOf<Name extends 'spends' | 'approvals' | 'events'>(
  storage: StorageAdapter,
  collection: Name,
): Promise<readonly StoredRecords[Name][]> {
  const all: StoredRecords[Name][] = [];
  for (;;) {
    const after = all.at(-1);
    const query = { where: {}, limit: MAX_PAGE_SIZE, ...(after && { after }) };
    const page = (await storage.list(collection, query)) as unknown as readonly StoredRecords[Name][];
    all.push(...page);
    if (page.length < MAX_PAGE_SIZE) return all;
  }
}

/** What a spend has not given back, in cents. */
export function keptOf({ amount, released_amount }: SpendRecord): bigint {
  return centsOf(amount) - centsOf(released_amount);
}

/** An exact decimal in cents. */
export function centsOf(text: string | null): bigint {
  const [whole = '0', part = ''] = (text ?? '0').split('.');
  return BigInt(whole) * 100n + BigInt(part.padEnd(2, '0'));
}

/** Cents as an amount below 1. */
export const euros = (cents: bigint): string => `0.${`${cents}`.padStart(2, '0')}`;
