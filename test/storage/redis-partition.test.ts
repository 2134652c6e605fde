/** What a node may still answer, and what it may not, when the primary and its replicas are apart. */
import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, onTestFinished, test } from 'vitest';
import { redisStorage } from '../../adapters/storage/redis/index.ts';
import { createIdentityService, type IdentityService } from '../../src/core.ts';
import { PATIENT_MS } from '../support/patience.ts';
import { startRedis } from '../support/private-servers.mjs';
import { startSentinel } from '../support/redis-sentinel.mjs';
import { tellRedis, waitFor } from '../support/redis-words.mjs';
import { nightly } from '../support/runs.ts';
import { startProxy } from '../support/tcp-proxy.mjs';
import { hasRedis, newNamespace } from './redis-server.ts';

const PATIENT = { interval: 20 };
const TIMEOUT_MS = 1_000;
const LAG = { 'repl-diskless-sync-delay': '0', appendfsync: 'no' };
const SERVERS = [1, 2, 3];

const BUYER = {
  ...{ domain: 'example.com', agent_name: 'buyer', allowed_actions: ['pay'], monetary_actions: ['pay'] },
  ...{ monetary_limit_per_txn: 1, currency: 'EUR' },
  budgets: [{ window: 'lifetime' as const, limit: 1_000_000 }],
};

async function followed({ port }: { readonly port: number }, replicas: number): Promise<void> {
  await waitFor('the replicas', async () => {
    const info = String(await tellRedis(port, ['INFO', 'replication']));
    return (info.match(/state=online/g) ?? []).length === replicas;
  });
}

async function openService(url: string, namespace: string): Promise<IdentityService> {
  const storage = await redisStorage({ url, namespace, timeoutMs: TIMEOUT_MS });
  const service = createIdentityService({ storageDeadlineMs: PATIENT_MS, storage });
  onTestFinished(() => service.close());
  return service;
}

/** A primary, replicas that reach it through a proxy, and Sentinels that do so, too. */
async function startApart(downAfterMs: number) {
  const primary = await startRedis({ options: LAG });
  onTestFinished(primary.remove);
  const link = await startProxy(primary.port);
  onTestFinished(() => link.close());
  for (const _ of [1, 2]) {
    const replica = await startRedis({ options: { ...LAG, replicaof: `127.0.0.1 ${link.port}` } });
    onTestFinished(replica.remove);
  }
  await followed(primary, 2);
  const sentinels = await Promise.all(
    SERVERS.map(() => startSentinel(link.port, { quorum: 2, downAfterMs })),
  );
  for (const { remove } of sentinels) onTestFinished(remove);
  await waitFor('the Sentinels', async () => {
    const known = await Promise.all(
      sentinels.map(({ port }) => tellRedis(port, ['INFO', 'sentinel']).then(String)),
    );
    return known.every((info) => info.includes('slaves=2,sentinels=3'));
  });
  const addresses = sentinels.map(({ port }) => `127.0.0.1:${port}`).join(',');
  return { link, primary, sentinels, url: `redis://${addresses}?sentinel=agents` };
}

/**
 * The ALLOWs that began more than a second after the other side had acknowledged the revocation. The Sentinels take over
 * after `downAfterMs`, or at once.
 */
async function lateAnswers(
  takeOver: number | 'at once',
): Promise<{ readonly late: number; readonly all: number }> {
  const downAfterMs = takeOver === 'at once' ? 1_000 : takeOver;
  const { link, primary, sentinels, url } = await startApart(downAfterMs);
  const namespace = newNamespace();
  const other = await openService(url, namespace);
  // The node that stays with the old primary, and does not reach the Sentinels any more.
  const cutOff = await openService(`${primary.url}?replicas=1`, namespace);
  const { agent_id } = await other.passports.create(BUYER);
  const intent = { agent_id, action: 'pay', parameters: { amount: 0, currency: 'EUR' }, dry_run: true };
  const ask = () => cutOff.verify(intent).then(({ verdict }) => verdict, String);
  await expect.poll(ask, PATIENT).toBe('ALLOW');

  link.sever();
  if (takeOver === 'at once') {
    const port = sentinels[0]?.port ?? 0;
    await tellRedis(port, ['SENTINEL', 'FAILOVER', 'agents']);
  }
  const allowed: number[] = [];
  let isOver = false;
  const asking = (async () => {
    while (!isOver) {
      const began = performance.now();
      if ((await ask()) === 'ALLOW') allowed.push(began);
      await pause(10);
    }
  })();
  await expect.poll(() => other.revoke({ agent_id }).then(() => 'revoked', String), PATIENT).toBe('revoked');
  const revokedAt = performance.now();
  await pause(6_000);
  isOver = true;
  await asking;
  return { late: allowed.filter((at) => at > revokedAt + 1_000).length, all: allowed.length };
}

if (await hasRedis()) {
  describe('an old primary that is cut off together with a node', () => {
    test('answers nothing a second after a revocation on the other side, where a take-over needs 5 s', async () => {
      const { late, all } = await lateAnswers(5_000);
      expect(all).toBeGreaterThan(0);
      expect(late).toBe(0);
    });

    // Nothing can be promised then, and `doctor` warns of it. A busy machine may take over too late to show it.
    if (nightly(1, 0) === 1) {
      test('still answers where a take-over needs no time', { retry: 3, timeout: 120_000 }, async () => {
        expect((await lateAnswers('at once')).late).toBeGreaterThan(0);
      });
    }
  });

  describe('a replay of a spend whose first answer was lost', () => {
    /** A primary with two replicas, and a node with a spend that no replica has. */
    async function spendAlone() {
      const [primary, one, two] = await Promise.all(SERVERS.map(() => startRedis({ options: LAG })));
      if (primary === undefined || one === undefined || two === undefined) throw new Error('no servers');
      for (const { remove } of [primary, one, two]) onTestFinished(remove);
      for (const { port } of [one, two]) await tellRedis(port, ['REPLICAOF', '127.0.0.1', `${primary.port}`]);
      await followed(primary, 2);
      const proxy = await startProxy(primary.port);
      onTestFinished(() => proxy.close());
      const service = await openService(`redis://127.0.0.1:${proxy.port}?replicas=1`, newNamespace());
      const { agent_id } = await service.passports.create(BUYER);
      const intent = { agent_id, action: 'pay', parameters: { amount: 1, currency: 'EUR' } };
      const spend = () =>
        service.verify(intent, { idempotencyKey: 'once' }).then(({ verdict }) => verdict, codeOf);
      const spent = async () => {
        const [budget] = (await service.passports.budgets(agent_id)).data;
        return budget?.spent;
      };
      for (const replica of [one, two]) replica.freeze();
      expect(await spend()).toBe('storage_unavailable');
      return { primary, one, two, proxy, spend, spent };
    }

    test('is answered only when a replica has it, and is spent once', async () => {
      const { one, two, spend, spent } = await spendAlone();
      for (let tries = 0; tries < 3; tries += 1) expect(await spend()).toBe('storage_unavailable');
      for (const replica of [one, two]) replica.thaw();
      await expect.poll(spend, PATIENT).toBe('ALLOW');
      expect(await spent()).toBe(1);
    });

    test('is spent once after a fail-over that has lost it, and the node goes on', async () => {
      const { primary, one, two, proxy, spend, spent } = await spendAlone();
      await primary.kill();
      for (const replica of [one, two]) replica.thaw();
      await tellRedis(one.port, ['REPLICAOF', 'NO', 'ONE']);
      await tellRedis(two.port, ['REPLICAOF', '127.0.0.1', `${one.port}`]);
      await followed(one, 1);
      proxy.switchTo(one.port);
      await expect.poll(spend, PATIENT).toBe('ALLOW');
      for (let tries = 0; tries < 3; tries += 1) expect(await spend()).toBe('ALLOW');
      expect(await spent()).toBe(1);
    });
  });
}

function codeOf(error: unknown): string {
  return String(Object(error).code);
}
