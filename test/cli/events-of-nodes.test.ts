import { expect, onTestFinished, test } from 'vitest';
import { createAdminClient } from '../../src/client.ts';
import { GIVEN, openFolder, startServe } from '../support/process.ts';
import { nightly } from '../support/runs.ts';
import { ADMIN } from '../support/used-folder.ts';

const ROUNDS = nightly(500, 40);

test(`two processes on one SQLite file: a stream of one carries changes of the other, with the delay`, async () => {
  const { folder, remove } = openFolder();
  onTestFinished(remove);
  const clients = [];
  for (const _ of ['near', 'far']) {
    const server = await startServe({ cwd: folder, env: GIVEN }, ['--storage', 'sqlite:nodes.db']);
    onTestFinished(async () => {
      await server.stop();
    });
    const baseUrl = `${server.origin}/api`;
    clients.push(createAdminClient({ baseUrl, email: ADMIN, password: GIVEN.AGENT_IDENTITY_PASSWORD }));
  }
  const [near, far] = clients;
  if (near === undefined || far === undefined) throw new Error('There are no nodes.');
  const { agent_id } = await near.passports.create({
    domain: 'example.com',
    agent_name: 'shopper',
    allowed_actions: ['orders.*'],
    monetary_limit_per_txn: 1,
  });
  const stop = new AbortController();
  const heard = new Map<number, number>();
  const reading = (async () => {
    const options = { signal: stop.signal };
    for await (const { data } of far.events({ types: ['passport.updated'] }, options))
      heard.set((data as { version: number }).version, performance.now());
  })();
  reading.catch(() => undefined);
  const acknowledged = new Map<number, number>();
  const change = async (): Promise<void> => {
    const { version } = await near.passports.update(agent_id, { description: `${acknowledged.size}` });
    acknowledged.set(version, performance.now());
  };
  // The stream begins some time after it was asked for.
  while (heard.size === 0) await change();
  acknowledged.clear();
  for (let round = 0; round < ROUNDS; round += 1) await change();
  const missing = () => [...acknowledged.keys()].filter((version) => !heard.has(version));
  await expect.poll(missing).toEqual([]);
  stop.abort();
  const delays = [...acknowledged]
    .map(([version, at]) => (heard.get(version) ?? 0) - at)
    .sort((a, b) => a - b);
  const at = (share: number) => (delays[Math.ceil(delays.length * share) - 1] ?? 0).toFixed(0);
  console.log(`sqlite, two processes: p50 of ${ROUNDS} changes ${at(0.5)} ms, p99 ${at(0.99)} ms`);
});
