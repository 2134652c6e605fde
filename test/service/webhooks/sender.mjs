/**
 * A node that sends webhooks, to be killed: `node sender.mjs <database file> <secret> <start>`. Its clock and its timers run
 * twenty times as fast from the start on, so that a lease is over after 1.5 s.
 */
import { createIdentityService } from 'agent-identity-service';
import { nodeWebhookTransport } from 'agent-identity-service/domain-check';
import { sqliteStorage } from 'agent-identity-service/storage/sql';

const FASTER = 20;
const [, , file, secret, start] = process.argv;

createIdentityService({
  storage: await sqliteStorage({ file }),
  session: { secret },
  allowLocalhost: true,
  webhooks: { transport: nodeWebhookTransport() },
  clock: { now: () => Number(start) + (Date.now() - Number(start)) * FASTER },
  after(ms, run) {
    const timer = setTimeout(run, ms / FASTER);
    return () => clearTimeout(timer);
  },
  log: ({ level, message, cause }) => level === 'error' && console.error(message, cause ?? ''),
});
process.stdout.write('ready\n');
setInterval(() => {}, 60_000);
