import { Webhook } from 'standardwebhooks';
import { expect, onTestFinished, test } from 'vitest';
import { nodeWebhookTransport } from '../../../adapters/node/index.ts';
import { postgresStorage } from '../../../adapters/storage/sql/index.ts';
import { createIdentityService } from '../../../src/index.ts';
import type { StorageAdapter } from '../../../src/ports/index.ts';
import { webhooks } from '../../../src/webhooks/index.ts';
import { administer, hasPostgres } from '../../storage/postgres-database.ts';
import { createOpener, hasRedis, newNamespace } from '../../storage/redis-server.ts';
import { openDnsServer } from '../../support/dns-server.ts';
import { sayMissing } from '../../support/missing.ts';
import { nightly } from '../../support/runs.ts';
import { SECRET } from '../../support/service.ts';
import { startProxy } from '../../support/tcp-proxy.mjs';
import { openTlsServer } from '../../support/tls-server.ts';
import { GLOBAL, HOST } from './stage.ts';

const EVENTS = nightly(10_000, 300);
const SLOWEST_MS = 100;

type OpenNode = () => Promise<StorageAdapter>;
const stores: [string, () => Promise<OpenNode>][] = [];
if (await hasPostgres()) {
  // Where every answer takes its time, notices, lists and writes of the nodes overlap.
  stores.push([
    'a slow PostgreSQL',
    async () => {
      const server = administer();
      const url = new URL(await server.newSchema());
      onTestFinished(() => server.end());
      return async () => {
        const proxy = await startProxy(Number(url.port));
        const timer = setInterval(() => proxy.delay(Math.random() * SLOWEST_MS), 100);
        onTestFinished(async () => {
          clearInterval(timer);
          await proxy.close();
        });
        const through = new URL(url);
        through.port = String(proxy.port);
        return postgresStorage({ url: through.href, timeoutMs: 10_000 });
      };
    },
  ]);
} else sayMissing('Three nodes send webhooks from PostgreSQL: there is no server.');
if (await hasRedis()) {
  stores.push([
    'Redis',
    async () => {
      const opener = await createOpener();
      onTestFinished(() => opener.end());
      const namespace = newNamespace();
      return () => opener.open(namespace);
    },
  ]);
} else sayMissing('Three nodes send webhooks from Redis: there is no server.');

test.each(stores)(
  'three nodes on %s send each event, and at most one in a thousand twice',
  async (name, openStore) => {
    const open = await openStore();
    const dns = await openDnsServer();
    dns.set(HOST, { a: [GLOBAL] });
    const received: string[] = [];
    let verifier: Webhook | undefined;
    const web = await openTlsServer([HOST], (request, response) => {
      let body = '';
      request.on('data', (piece) => {
        body += String(piece);
      });
      request.on('end', () => {
        const names = ['webhook-id', 'webhook-timestamp', 'webhook-signature'];
        const headers = Object.fromEntries(names.map((name) => [name, String(request.headers[name])]));
        // At once: later their time would be too long ago.
        verifier?.verify(body, headers);
        received.push(headers['webhook-id'] ?? '');
        response.writeHead(204).end();
      });
    });
    const transport = nodeWebhookTransport({ ca: web.ca, dial: web.dial, resolver: dns.resolver });
    const node = async () => {
      const storage = await open();
      const service = createIdentityService({
        storage,
        session: { secret: SECRET },
        capabilities: [webhooks({ transport })],
        domainProof: 'off',
        storageDeadlineMs: 10_000,
      });
      onTestFinished(() => service.close());
      return service;
    };
    const nodes = [await node(), await node(), await node()];
    const actor = { account_id: 'acc_three' };
    const [first] = nodes;
    if (first === undefined) expect.fail('There is no node.');
    const { secret } = await first.webhooks.create(
      { url: `https://${HOST}/`, types: ['passport.created'] },
      actor,
    );
    verifier = new Webhook(secret);
    const begun = performance.now();
    for (let made = 0; made < EVENTS; made += 30) {
      await Promise.all(
        Array.from({ length: Math.min(30, EVENTS - made) }, (_, index) =>
          nodes[index % 3]?.passports.create(
            {
              domain: 'example.com',
              agent_name: `a${made + index}`,
              allowed_actions: [],
              monetary_limit_per_txn: 0,
            },
            actor,
          ),
        ),
      );
    }
    const ids = () => new Set(received).size;
    const created = seconds(begun);
    await expect.poll(ids, { timeout: EVENTS * 50 + 60_000, interval: 100 }).toBe(EVENTS);
    expect(received.length - EVENTS).toBeLessThanOrEqual(EVENTS / 1_000);
    console.warn(
      `${name}: ${EVENTS} events in ${seconds(begun)} s, of which their changes took ${created} s; ` +
        `${received.length - EVENTS} sent twice.`,
    );
  },
  nightly(1_800_000, 240_000),
);

const seconds = (since: number): string => ((performance.now() - since) / 1_000).toFixed(1);
