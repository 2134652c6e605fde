/**
 * A node with a strict journal, to be killed: `node node.mjs <url of the storage> <accounts> <clients of each> [log]`. It asks for
 * verdicts, with `log` also for changes,
 * until then, and writes the account and the id of each that was answered on a line. Its timers run twenty times as
 * fast, so that sums are merged and blocks compacted all the time.
 */
import { evidence } from '../../../dist/evidence.js';
import { identity } from '../../../dist/identity.js';
import { createIdentityService } from '../../../dist/index.js';
import { openStorage } from '../../nodes/engines.mjs';

const FASTER = 20;

const SECRET = 'a secret of the nodes that are killed';
const EVIDENCE = {
  capabilities: [identity({ secret: SECRET, publicUrl: 'https://id.example/api' }), evidence()],
};

const [url, accounts, clients, log] = process.argv.slice(2);
const service = createIdentityService({
  storageDeadlineMs: 30_000,
  storage: await untilAnswered(() => openStorage(url)),
  journal: 'strict',
  domainProof: 'off',
  ...(log === 'log' && EVIDENCE),
  log: ({ level, message, cause }) => level === 'error' && console.error(message, cause ?? ''),
  after(ms, run) {
    const timer = setTimeout(run, ms / FASTER);
    return () => clearTimeout(timer);
  },
});

await Promise.all(Array.from({ length: Number(accounts) }, (_, index) => serve(`acc_${index}`)));

async function serve(account_id) {
  const passport = {
    domain: 'example.com',
    agent_name: account_id,
    allowed_actions: ['payments.create'],
    monetary_limit_per_txn: 100,
  };
  const agent_id = `did:web:example.com:agents:${account_id}`;
  await untilAnswered(() => service.passports.create(passport, { account_id })).catch((error) => {
    // A node before it has made the passport.
    if (error.code !== 'already_exists') throw error;
  });
  await Promise.all(
    Array.from({ length: Number(clients) }, (_, client) => ask({ account_id, agent_id }, client)),
  );
}

/** Tries again while the storage does not answer: a busy machine is late for the deadlines of a service. */
async function untilAnswered(call) {
  for (;;) {
    try {
      return await call();
    } catch (error) {
      if (!['storage_unavailable', 'overloaded'].includes(error.code)) throw error;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }
}

async function ask({ account_id, agent_id }, client) {
  for (let count = client; ; count += 1) {
    const action = count % 3 === 0 ? 'payments.refund' : 'payments.create';
    const intent = { agent_id, action, parameters: { amount: count % 200 } };
    try {
      const { decision_id } = await service.verify(intent, { account_id });
      process.stdout.write(`${account_id} ${decision_id}\n`);
      const description = `change ${count}`;
      if (log === 'log' && count % 20 === 0)
        await service.passports.update(agent_id, { description }, { account_id });
    } catch {
      // The server is being killed: no verdict was answered.
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }
}
