/** Several services on one store, for tests of what they spend at the same time. */
import { expect, onTestFinished } from 'vitest';
import { postgresStorage } from '../../../adapters/storage/sql/index.ts';
import type { StorageAdapter } from '../../../src/ports/storage.ts';
import type { VerdictRecord } from '../../../src/records.ts';
import { createIdentityService, type IdentityService } from '../../../src/service.ts';
import { administer, hasPostgres } from '../../storage/postgres-database.ts';
import { createOpener, hasRedis, newNamespace, PATIENT_MS } from '../../storage/redis-server.ts';
import { stores } from '../../support/stores.ts';

/** How many services share the store. */
export const SERVICES = 4;

/** How to open a storage, each time on the same store. */
export type Place = () => Promise<() => Promise<StorageAdapter>>;

/** The storages that are tried here. */
export const places: [name: string, place: Place][] = stores.map(([name, openStore]) => [
  name,
  async () => {
    const storage = await openStore();
    return async () => ({ ...storage, close: async () => {} });
  },
]);
if (await hasPostgres()) {
  places.push([
    'postgres',
    async () => {
      const server = administer();
      onTestFinished(() => server.end());
      const url = await server.newSchema();
      return () => postgresStorage({ url, timeoutMs: PATIENT_MS });
    },
  ]);
}
if (await hasRedis()) {
  places.push([
    'redis',
    async () => {
      const opener = await createOpener();
      onTestFinished(() => opener.end());
      const namespace = newNamespace();
      return () => opener.open(namespace);
    },
  ]);
}

/** Services on one store; they are closed when the test ends. */
export async function servicesOn(place: Place): Promise<readonly IdentityService[]> {
  const open = await place();
  const storages: StorageAdapter[] = [];
  for (let count = 0; count < SERVICES; count += 1) storages.push(await open());
  const services = storages.map((storage) =>
    createIdentityService({ storage, storageDeadlineMs: PATIENT_MS }),
  );
  onTestFinished(async () => {
    for (const service of services) await service.close();
  });
  return services;
}

/** Does each of this number of deeds once, 64 at a time. */
export async function inParallel(count: number, deed: (index: number) => Promise<void>): Promise<void> {
  const waiting = Array.from({ length: count }, (_, index) => index);
  const worker = async (): Promise<void> => {
    for (let index = waiting.pop(); index !== undefined; index = waiting.pop()) await deed(index);
  };
  await Promise.all(Array.from({ length: 64 }, worker));
}

/** While the first of two under one key is running the other may be refused. */
export async function orConflict(answer: Promise<VerdictRecord>): Promise<VerdictRecord | undefined> {
  return answer.catch((error: { readonly code?: string }) => {
    expect(error.code).toBe('conflict');
    return undefined;
  });
}

/** An amount of money in cents. */
export const centsOf = (amount: string | number | null): bigint => BigInt(Math.round(Number(amount) * 100));
