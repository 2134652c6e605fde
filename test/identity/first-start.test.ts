import { expect, test } from 'vitest';
import { identity } from '../../src/identity/index.ts';
import { createIdentityService } from '../../src/index.ts';
import { PATIENT_MS } from '../support/patience.ts';
import { nightly } from '../support/runs.ts';
import { SECRET } from '../support/service.ts';
import { namedStores } from '../support/stores.ts';

/** The promise is 10,000 first starts of two nodes. */
const STARTS = nightly(10_000, 100);

test.each(await namedStores())(
  'two nodes that start at the same time make one signing key on %s, and both publish it',
  async (_, store) => {
    const { storages, end } = await store.open(2);
    const [first] = storages;
    // The journal of a node is not part of this: a service for each start, over storages that stay.
    const kept = storages.map((storage) => ({ ...storage, close: async () => {} }));
    for (let start = 0; start < STARTS; start += 1) {
      const nodes = kept.map((storage) =>
        createIdentityService({
          storageDeadlineMs: PATIENT_MS,
          storage,
          capabilities: [identity({ secret: SECRET })],
        }),
      );
      const sets = await Promise.all(nodes.map((node) => node.signing.jwks()));
      const found = await first?.list('signing_keys', { where: {}, limit: 10 });
      expect(found).toHaveLength(1);
      for (const { keys } of sets) expect(keys.map(({ kid }) => kid)).toEqual([found?.[0]?.['kid']]);
      for (const { id, version } of found ?? []) {
        await first?.write([{ op: 'remove', collection: 'signing_keys', id, version }]);
      }
      await Promise.all(nodes.map((node) => node.close()));
    }
    for (const storage of storages) await storage.close();
    await end();
  },
  // By night this takes minutes, on a database most.
  nightly(1_800_000, 120_000),
);
