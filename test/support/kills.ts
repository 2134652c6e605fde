/** Stores that survive the nodes that are killed on them, and programs that are killed. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { redisStorage } from '../../adapters/storage/redis/index.ts';
import { postgresStorage, sqliteStorage } from '../../adapters/storage/sql/index.ts';
import type { IdentityService, IdentityServiceOptions } from '../../src/core.ts';
import type { HostEvidenceRooms } from '../../src/evidence/index.ts';
import { createIdentityService } from '../../src/index.ts';
import type { StorageAdapter } from '../../src/ports/index.ts';
import { sayMissing } from './missing.ts';
import { PATIENT_MS } from './patience.ts';
import { hasPostgresProgram, type PrivateServer, startPostgres, startRedis } from './private-servers.mjs';
import { type Running, said, start } from './process.ts';

/** A store that survives what is killed, and how many nodes may share it. */
export interface SurvivingStore {
  readonly url: string;
  readonly nodes: number;
  open(): Promise<StorageAdapter>;
  /** Kills it by SIGKILL and starts it again; absent if it has no separate process. */
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
    const open = () => sqliteStorage({ file, busyTimeoutMs: PATIENT_MS });
    const remove = async () => rmSync(folder, { recursive: true, force: true });
    return { url: `sqlite:${file}`, nodes: 1, open, remove };
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

/** Starts a program that is to be killed, and waits until it has written a line. */
export async function startVictim(program: string, args: readonly string[]): Promise<Running> {
  const victim = start(process.execPath, [program, ...args], { cwd: tmpdir() });
  await said(victim, () => victim.stdout().includes('\n') || undefined);
  return victim;
}

/** Kills a program by SIGKILL, and returns the whole lines that it has written. */
export async function kill(victim: Running): Promise<readonly string[]> {
  victim.child.kill('SIGKILL');
  const { code, signal, stdout, stderr } = await victim.ended;
  if (signal !== 'SIGKILL') throw new Error(`It ended by itself with ${code ?? signal}: ${stdout}${stderr}`);
  return stdout.split('\n').slice(0, -1);
}

/** A writer that was not seen for a minute is merged by any node. */
const LATER_MS = 120_000;

/** Another node merges what the writers that are gone have left; ends when nothing is, and closes the storage. */
export async function mergeGone(
  storage: StorageAdapter,
  options: Partial<IdentityServiceOptions> = {},
  finish: (service: IdentityService & Partial<HostEvidenceRooms>) => Promise<void> = async () => {},
): Promise<void> {
  const service = createIdentityService({
    storageDeadlineMs: PATIENT_MS,
    ...options,
    storage,
    clock: { now: () => Date.now() + LATER_MS },
    after(ms, run) {
      const timer = setTimeout(run, Math.min(ms, 10));
      return () => clearTimeout(timer);
    },
  });
  for (;;) {
    const writers = await storage.journal.writers();
    if (writers.every(({ flushed, merged }) => flushed === merged)) break;
    await pause(20);
  }
  await finish(service as IdentityService & Partial<HostEvidenceRooms>);
  await service.close();
}
