/**
 * A node that sends webhooks, to be killed: `node sender.mjs <database file> <secret> <start> <faster>`. Its clock and its
 * timers run that many times as fast from the start on.
 */
import { createIdentityService } from 'agent-identity-service';
import { nodeWebhookTransport } from 'agent-identity-service/node';
import { sqliteStorage } from 'agent-identity-service/storage/sql';
import { webhooks } from 'agent-identity-service/webhooks';

const [, , file, secret, start, faster] = process.argv;

createIdentityService({
  storageDeadlineMs: 30_000,
  storage: await sqliteStorage({ file }),
  session: { secret },
  allowLocalhost: true,
  capabilities: [webhooks({ transport: nodeWebhookTransport() })],
  clock: { now: () => Number(start) + (Date.now() - Number(start)) * Number(faster) },
  after(ms, run) {
    const timer = setTimeout(run, ms / Number(faster));
    return () => clearTimeout(timer);
  },
  log: ({ level, message, cause }) => level === 'error' && console.error(message, cause ?? ''),
});
process.stdout.write('ready\n');
setInterval(() => {}, 60_000);
