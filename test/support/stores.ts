import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { memoryStorage } from '../../adapters/storage/memory/index.ts';
import { sqliteStorage } from '../../adapters/storage/sql/index.ts';
import type { StorageAdapter } from '../../src/ports/storage.ts';

/** Ways to open a store that is empty; a file is gone when the test ends. */
export const stores: readonly (readonly [name: string, open: () => Promise<StorageAdapter>])[] = [
  ['memory', async () => memoryStorage()],
  ['sqlite', async () => sqliteStorage({ file: join(await newFolder(), 'a.db') })],
];

async function newFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'ais-service-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}
