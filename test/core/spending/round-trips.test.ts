/** How often a verdict that takes something waits for the server of its storage. */
import { setTimeout as pause } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { redisStorage } from '../../../adapters/storage/redis/index.ts';
import { postgresStorage } from '../../../adapters/storage/sql/index.ts';
import { createIdentityService } from '../../../src/core.ts';
import type { StorageAdapter } from '../../../src/ports/storage.ts';
import type { PassportInput } from '../../../src/records.ts';
import { administer, hasPostgres } from '../../storage/postgres-database.ts';
import { createOpener, hasRedis, newNamespace, SERVER } from '../../storage/redis-server.ts';
import { PATIENT_MS } from '../../support/patience.ts';
import { listenBetween } from '../../support/tcp-filter.ts';

/** A way to the server at `url` that counts the times at which a client speaks and the server answers. */
async function counted(url: string) {
  const target = new URL(url);
  let turns = 0;
  const between = await listenBetween({ port: Number(target.port), host: target.hostname }, (near, far) => {
    let isClientSpeaking = false;
    near.on('data', (bytes) => {
      if (!isClientSpeaking) turns += 1;
      isClientSpeaking = true;
      far.write(bytes);
    });
    far.on('data', (bytes) => {
      isClientSpeaking = false;
      near.write(bytes);
    });
  });
  onTestFinished(between.close);
  target.port = `${between.port}`;
  return { url: target.href, turns: () => turns };
}

type Place = readonly [name: string, open: () => Promise<{ storage: StorageAdapter; turns: () => number }>];

const places: Place[] = [];
if (await hasPostgres()) {
  places.push([
    'PostgreSQL',
    async () => {
      const administration = administer();
      onTestFinished(() => administration.end());
      const { url, turns } = await counted(await administration.newSchema());
      return { storage: await postgresStorage({ url, timeoutMs: PATIENT_MS }), turns };
    },
  ]);
}
if (await hasRedis()) {
  places.push([
    'Redis',
    async () => {
      const opener = await createOpener();
      onTestFinished(() => opener.end());
      const namespace = newNamespace();
      // Removes what is in it at the end.
      await (await opener.open(namespace)).close();
      const { url, turns } = await counted(SERVER);
      return { storage: await redisStorage({ url, namespace, timeoutMs: PATIENT_MS }), turns };
    },
  ]);
}

const SPENDS = 20;
/** On a busy machine one try takes a second, and each of the connections has a first time. */
const PATIENT = { timeout: 60_000 };

const SHOPPER: PassportInput = {
  ...{ domain: 'shop.example', agent_name: 'shopper', allowed_actions: ['pay'], monetary_actions: ['pay'] },
  ...{ monetary_limit_per_txn: 100, currency: 'EUR' },
  budgets: [
    { window: 'day', limit: 10_000 },
    { window: 'month', limit: 100_000 },
    { name: 'often', window: 'hour', count: 10_000 },
    { window: 'rolling_day', limit: 10_000 },
  ],
  pace: [
    { max: 10_000, seconds: 60 },
    { name: 'long', max: 10_000, seconds: 604_800 },
  ],
};

test.each(places)(
  'a spend on %s is one round trip, under a new key and of an approval two',
  async (_, open) => {
    const { storage, turns } = await open();
    // Nothing else is said meanwhile: no timer runs out, and no passport grows old.
    const at = Date.now();
    let ticks = 0;
    const service = createIdentityService({
      ...{ storage, storageDeadlineMs: PATIENT_MS, domainProof: 'off' },
      after: () => () => {},
      clock: { now: () => at, monotonic: () => ++ticks / 1_000 },
    });
    onTestFinished(() => service.close());
    const { agent_id } = await service.passports.create({
      ...SHOPPER,
      approval: { above: 50 },
    });
    const child = await service.passports.create({
      ...SHOPPER,
      agent_name: 'child',
      parent_agent_id: agent_id,
    });
    let count = 0;
    const spend = async (more: object = {}, key?: string) => {
      const intent = { agent_id, action: 'pay', parameters: { amount: 1, currency: 'EUR' }, ...more };
      const { verdict } = await service.verify(intent, key === undefined ? {} : { idempotencyKey: key });
      expect(verdict).toBe('ALLOW');
    };
    /** The median: on a busy machine a connection is asked about its server between two spends. */
    const turnsOf = async (more?: object, key?: () => string): Promise<number> => {
      const each: number[] = [];
      while (each.length < SPENDS) {
        const before = turns();
        await spend(more, key?.());
        each.push(turns() - before);
      }
      return each.sort((a, b) => a - b)[SPENDS / 2] ?? 0;
    };
    const approved = async () => {
      const parameters = { amount: 51, currency: 'EUR', order: count++ };
      const { reasons } = await service.verify({ agent_id, action: 'pay', parameters });
      const approval_id = reasons[0]?.['approval_id'] as string;
      await service.approvals.approve(approval_id);
      return { parameters, approval_id };
    };
    /** The turns once nothing is said any more: other nodes are told of an approval after it is stored. */
    const turnsAtRest = async (): Promise<number> => {
      for (;;) {
        const before = turns();
        await pause(25);
        if (turns() === before) return before;
      }
    };
    const turnsOfApproval = async (): Promise<number> => {
      const more = await approved();
      const before = await turnsAtRest();
      await spend(more);
      return turns() - before;
    };
    // The first ones open connections, load the script, and ask for the clock of the store and its durability: it is
    // tried until nothing of that is left. No spend is ever less than one.
    await expect.poll(() => turnsOf(), PATIENT).toBe(1);
    await expect.poll(() => turnsOf({ hold_seconds: 60 }), PATIENT).toBe(1);
    await expect.poll(() => turnsOf({ agent_id: child.agent_id }), PATIENT).toBe(1);
    // How the budgets stood is filed at the end.
    await expect.poll(() => turnsOf({}, () => `key-${count++}`), PATIENT).toBe(2);
    // The write that finds the key, and what it remembers.
    await expect.poll(() => turnsOf({}, () => 'key-0'), PATIENT).toBe(2);
    // The approval is read first.
    await expect.poll(turnsOfApproval, PATIENT).toBe(2);
  },
  240_000,
);
