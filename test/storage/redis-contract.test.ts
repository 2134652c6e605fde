import KeyvRedis from '@keyv/redis';
import { afterAll, describe, test } from 'vitest';
import { redisStorage } from '../../adapters/storage/redis/index.ts';
import type { StorageAdapter } from '../../src/ports/index.ts';
import { storageContract } from '../../src/testing/index.ts';
import { PATIENT_MS } from '../support/patience.ts';
import { claimsToTry, waysToTry } from '../support/runs.ts';
import { connectClient, dropNamespace, hasRedis, newNamespace, SERVER } from './redis-server.ts';

if (await hasRedis()) {
  const client = await connectClient();
  /** A store of an application: with its own namespace, and answers of another kind. */
  const store = new KeyvRedis({ url: SERVER, RESP: 3 }, { namespace: 'host' });
  afterAll(async () => {
    client.destroy();
    await store.disconnect();
  });

  const adapters: Readonly<Record<string, (namespace: string) => Promise<StorageAdapter>>> = {
    'redis by its URL': (namespace) => redisStorage({ url: SERVER, namespace, timeoutMs: PATIENT_MS }),
    'redis behind a store of the application': (namespace) =>
      redisStorage({ store, namespace, timeoutMs: PATIENT_MS }),
  };

  for (const [name, open] of waysToTry(adapters, 1)) {
    const borrow = async (): Promise<StorageAdapter> => {
      const namespace = newNamespace();
      const storage = await open(namespace);
      let closing: Promise<void> | undefined;
      const close = async (): Promise<void> => {
        await storage.close();
        await dropNamespace(client, namespace);
      };
      return {
        ...storage,
        close() {
          closing ??= close();
          return closing;
        },
      };
    };
    describe(name, () => {
      const claims = claimsToTry(storageContract(borrow), 12, 'Redis', 1);
      for (const claim of claims) test.concurrent(claim.name, claim.run);
    });
  }
}
