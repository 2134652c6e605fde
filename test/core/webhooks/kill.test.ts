import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { nodeWebhookTransport } from '../../../adapters/node/index.ts';
import { sqliteStorage } from '../../../adapters/storage/sql/index.ts';
import { createIdentityService, IdentityError } from '../../../src/index.ts';
import { webhooks } from '../../../src/webhooks/index.ts';
import { newFolder } from '../../storage/folder.ts';
import { kill, startVictim } from '../../support/kills.ts';
import { PATIENT_MS } from '../../support/patience.ts';
import { nightly } from '../../support/runs.ts';
import { SECRET } from '../../support/service.ts';

const PROGRAM = fileURLToPath(new URL('./sender.mjs', import.meta.url));
const EVENTS = nightly(10_000, 300);
/** By what the clocks and timers run too fast. A lease is over after 5 s: an attempt and its writes take less, also on a busy machine. */
const FASTER = 6;
/** For the events until the next kill, also on a machine that does other work. */
const PATIENCE_MS = nightly(400_000, 60_000);

/** A receiver that takes a moment for each request, so that a kill meets some of them. */
async function openReceiver() {
  const ids: string[] = [];
  const server = createServer((request, response) => {
    ids.push(String(request.headers['webhook-id']));
    request.resume();
    setTimeout(() => response.writeHead(204).end(), 2);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { ids, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/` };
}

/** As a client does it: what an overloaded storage did not take in time is asked again. */
async function untilStored(create: () => Promise<unknown>): Promise<void> {
  for (;;) {
    const error = await create().then(
      () => undefined,
      (thrown: unknown) => thrown,
    );
    const code = error instanceof IdentityError ? error.code : undefined;
    if (error === undefined || code === 'already_exists') return;
    if (code !== 'storage_unavailable') throw error;
  }
}

test(
  'a node that is killed between a write and its request loses no event',
  async () => {
    const file = join(newFolder(), 'a.db');
    const start = Date.now();
    const { ids, url } = await openReceiver();
    const service = createIdentityService({
      storageDeadlineMs: PATIENT_MS,
      storage: await sqliteStorage({ file }),
      session: { secret: SECRET },
      allowLocalhost: true,
      capabilities: [webhooks({ transport: nodeWebhookTransport(), sends: false })],
      domainProof: 'off',
      clock: { now: () => start + (Date.now() - start) * FASTER },
    });
    onTestFinished(() => service.close());
    const actor = { account_id: 'acc_kill' };
    await service.webhooks.create({ url, types: ['passport.created'] }, actor);
    let made = 0;
    const making = (async () => {
      for (; made < EVENTS; made += 1) {
        const agent_name = `a${made}`;
        const input = { domain: 'example.com', agent_name, allowed_actions: [], monetary_limit_per_txn: 0 };
        await untilStored(() => service.passports.create(input, actor));
      }
    })();
    let kills = 0;
    const arrived = () => new Set(ids).size;
    while (arrived() < EVENTS) {
      const sender = await startVictim(PROGRAM, [file, SECRET, `${start}`, `${FASTER}`]);
      // It is killed while it sends; one that has nothing left to wait for is done.
      const before = arrived();
      const enough = Math.min(EVENTS, before + 1 + Math.ceil((EVENTS / 20) * ((kills % 3) + 1)));
      await expect.poll(arrived, { timeout: PATIENCE_MS, interval: 3 }).toBeGreaterThanOrEqual(enough);
      await kill(sender);
      kills += 1;
    }
    await making;
    const { data } = await service.webhooks.list({}, actor);
    expect([arrived(), data.length]).toEqual([EVENTS, 1]);
    expect(kills).toBeGreaterThan(5);
    // Each kill may repeat what was under way, and no more.
    expect(ids.length - EVENTS).toBeLessThanOrEqual(kills * 8);
    console.warn(`${EVENTS} events, ${kills} kills, ${ids.length - EVENTS} sent twice, none lost.`);
  },
  nightly(1_800_000, 240_000),
);
