import type { IdentityServiceOptions } from '../../../src/core.ts';
import type { StorageAdapter } from '../../../src/ports/storage.ts';
import { type Api, openApi } from '../../support/api.ts';
import { PATIENT_MS } from '../../support/patience.ts';
import {
  expectNoSecret,
  type ManualClock,
  manualClock,
  type Opened,
  openService,
  PASSWORD,
  SECRET,
} from '../../support/service.ts';
import type { SharedStore } from '../../support/stores.ts';

/** One of the services. */
export interface OpenedNode extends Opened {
  readonly api: Api;
}

/** Services that share a store and a clock. */
export interface Nodes {
  readonly nodes: readonly OpenedNode[];
  readonly clock: ManualClock;
  close(): Promise<void>;
}

/** The options of the services, and what becomes of their storages before they get them. */
export interface NodesOptions extends Omit<Partial<IdentityServiceOptions>, 'storage'> {
  readonly count: number;
  readonly wrap: (storage: StorageAdapter) => StorageAdapter | Promise<StorageAdapter>;
}

/** The given number of services over one store that is empty. */
export async function openNodes(
  store: SharedStore,
  { count, wrap, ...options }: NodesOptions,
): Promise<Nodes> {
  const { storages, end } = await store.open(count);
  const clock = manualClock();
  const secrets = new Set([SECRET, PASSWORD]);
  const wrapped = await Promise.all(storages.map(wrap));
  const opened = wrapped.map((storage) =>
    openService({ rateLimits: 'off', storageDeadlineMs: PATIENT_MS, ...options, storage }, clock),
  );
  return {
    // What one node hands out no other may show.
    nodes: opened.map((one) => ({ ...one, secrets, api: openApi({ ...one, secrets }) })),
    clock,
    async close() {
      for (const { service } of opened) await service.close();
      for (const { logs } of opened) expectNoSecret(JSON.stringify(logs), secrets);
      await end();
    },
  };
}

/** The storage as if every message between the nodes were lost. */
export function withoutChannel({ subscribe: _, ...storage }: StorageAdapter): StorageAdapter {
  return storage;
}
