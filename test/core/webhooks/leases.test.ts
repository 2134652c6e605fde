import { expect, test } from 'vitest';
import { memoryStorage } from '../../../adapters/storage/memory/index.ts';
import type { Change, StorageAdapter } from '../../../src/ports/index.ts';
import { PASSPORT } from '../../support/api.ts';
import { openService } from '../../support/service.ts';
import { collectWarnings } from '../../support/warnings.ts';
import { issue, openWebhooks, type WebhookStage } from './stage.ts';

const EVENTS = 8;
/** A lease, and a moment. */
const LEASE_MS = 31_000;

type Lease = Extract<Change, { op: 'replace' }>;

function leasesOf(changes: readonly Change[]): readonly Lease[] {
  return changes.filter(
    (change): change is Lease =>
      change.op === 'replace' &&
      change.collection === 'webhook_deliveries' &&
      change.record['is_leased'] === true,
  );
}

/** Deliveries of `EVENTS` events that are due at once, on a storage where `write` may come first; no node sends. */
async function stageOfDue(
  before: (storage: StorageAdapter, leases: readonly Lease[]) => Promise<void>,
): Promise<WebhookStage & { readonly next: () => ReturnType<typeof openService> }> {
  const memory = memoryStorage();
  const storage: StorageAdapter = {
    ...memory,
    close: async () => {},
    async write(changes) {
      const leases = leasesOf(changes);
      if (leases.length > 0) await before(memory, leases);
      return memory.write(changes);
    },
  };
  const stage = await openWebhooks({ storage });
  await stage.create(['passport.created']);
  await stage.service.close();
  const { service } = openService({ storage }, stage.clock);
  for (let made = 0; made < EVENTS; made += 1) {
    await service.passports.create({ ...PASSPORT, agent_name: `a${made}` }, stage.actor);
  }
  const { transport } = stage;
  return { ...stage, next: () => openService({ storage, webhooks: { transport } }, stage.clock) };
}

test('deliveries that are due together are leased in one write', async () => {
  const sizes: number[] = [];
  const { next, arrived } = await stageOfDue(async (_, leases) => {
    sizes.push(leases.length);
  });
  next();
  await arrived(EVENTS);
  expect(sizes).toEqual([EVENTS]);
});

test('what another node has leased meanwhile is left to it, and the others of the page are sent', async () => {
  const stolen: string[] = [];
  const { next, arrived, received } = await stageOfDue(async (storage, [, second]) => {
    if (second === undefined || stolen.length > 0) return;
    stolen.push(String(second.record['event_id']));
    await storage.write([second]);
  });
  const { timers } = next();
  await arrived(EVENTS - 1);
  await timers.pass(2_000);
  expect(received.map(({ event }) => event.id)).not.toContain(stolen[0]);
  expect(received).toHaveLength(EVENTS - 1);
  await timers.pass(LEASE_MS);
  await arrived(EVENTS);
  expect(new Set(received.map(({ event }) => event.id)).size).toBe(EVENTS);
});

test('an event that arrived while the storage was down is not sent again', async () => {
  const memory = memoryStorage();
  let refused = 0;
  const isEnd = (change: Change) =>
    change.op === 'replace' &&
    change.collection === 'webhook_deliveries' &&
    change.record['status'] === 'delivered';
  const storage: StorageAdapter = {
    ...memory,
    async write(changes) {
      if (!changes.some(isEnd) || refused === 5) return memory.write(changes);
      refused += 1;
      throw new Error('The storage is down.');
    },
  };
  const stage = await openWebhooks({ storage });
  const { id } = await stage.create(['passport.created']);
  await issue(stage);
  await stage.arrived(1);
  await expect.poll(() => refused).toBe(1);
  // The sender waits a second before each further try, of which the last one is stored.
  const statuses = async () => {
    await stage.timers.pass(1_000);
    const { data } = await stage.service.webhooks.deliveries(id, {}, stage.actor);
    return data.map(({ status, attempt }) => ({ status, attempt }));
  };
  await expect.poll(statuses).toEqual([{ status: 'delivered', attempt: 1 }]);
  expect(refused).toBe(5);
  await stage.timers.pass(LEASE_MS);
  expect(stage.received).toHaveLength(1);
});

test('a storage that ends no long write leases few at once, for several webhooks, too, and Node warns of nothing', async () => {
  const warnings = collectWarnings();
  let refused = 0;
  const { create, ...stage } = await openWebhooks({
    storage: await smallWrites(() => {
      refused += 1;
    }),
  });
  const webhooks = 3;
  for (let made = 0; made < webhooks; made += 1) await create(['passport.created'], `/${made}`);
  await Promise.all(Array.from({ length: EVENTS }, (_, index) => issue({ create, ...stage }, `a${index}`)));
  while (stage.received.length < webhooks * EVENTS) await stage.timers.pass(1_000);
  expect(refused).toBeGreaterThan(0);
  const sent = stage.received.map(({ url, event }) => `${url} ${event.id}`);
  expect(new Set(sent).size).toBe(webhooks * EVENTS);
  expect(warnings).toEqual([]);
});

async function smallWrites(onRefused: () => void): Promise<StorageAdapter> {
  const memory = memoryStorage();
  return {
    ...memory,
    async write(changes) {
      if (leasesOf(changes).length <= 4) return memory.write(changes);
      onRefused();
      throw new Error('The write did not end in time.');
    },
  };
}
