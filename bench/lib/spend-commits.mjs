/**
 * Measures the cost of committing a held spend: its write, with the record of its event, and with the leaf of the
 * record.
 */
import { memoryStorage } from 'agent-identity-service/storage/memory';
import { openService } from './service.mjs';
import { median } from './stats.mjs';

const PASSPORT = {
  domain: 'shop.example',
  agent_name: 'payer',
  allowed_actions: ['payments.create'],
  monetary_limit_per_txn: 100,
  currency: 'EUR',
  budgets: [{ window: 'lifetime', limit: 1_000_000 }],
};
const INTENT = {
  agent_id: 'did:web:shop.example:agents:payer',
  action: 'payments.create',
  parameters: { amount: '1.50', currency: 'EUR' },
  hold_seconds: 3_600,
};

/** The names of the three rows. The first row is the cost of a commit without an event. */
export const COMMITS = ['a commit, without its event', 'with its event, log off', 'with its event, log on'];

/**
 * Measures the CPU nanoseconds for a commit (`cpu`), and with the leaves that are written until the service is closed
 * (`whole`). The figures are medians of alternating rounds.
 */
export async function measureCommits({ calls, rounds, report }) {
  const open = [
    () => openOn(withoutSettled(memoryStorage()), false),
    () => openOn(memoryStorage(), false),
    () => openOn(memoryStorage(), true),
  ];
  const found = open.map(() => []);
  for (let round = 0; round <= rounds; round += 1) {
    report(round, rounds);
    for (const [index, make] of open.entries()) {
      const figures = await commitAll(await make(), calls);
      if (round > 0) found[index].push(figures);
    }
  }
  return COMMITS.map((name, index) => ({
    name,
    cpu: median(found[index].map(({ cpu }) => cpu)),
    ratio: median(found[index].map(({ cpu }, round) => cpu / found[0][round].cpu)),
    whole: median(found[index].map(({ whole }) => whole)),
  }));
}

function openOn(storage, isLogged) {
  const identity = { publicUrl: 'https://id.example.com/api' };
  const evidence = isLogged ? {} : undefined;
  return openService([PASSPORT], { storage, identity, evidence, domainProof: 'off' });
}

/** Creates holds without timing. Then it commits them and closes the service, which appends the missing leaves. */
async function commitAll({ service, settle, account_id }, calls) {
  const held = [];
  for (let call = 0; call < calls; call += 1) {
    const { verdict, decision_id } = await service.verify(INTENT);
    if (verdict !== 'ALLOW') throw new Error('Nothing is held.');
    held.push(decision_id);
  }
  await settle();
  globalThis.gc?.();
  const before = process.cpuUsage();
  for (const decision of held) {
    if ((await service.spends.commit(decision, {}, { account_id })).status !== 'committed')
      throw new Error('Not committed.');
  }
  const cpu = sinceOf(before) / calls;
  await service.close();
  return { cpu, whole: sinceOf(before) / calls };
}

function sinceOf(before) {
  const { user, system } = process.cpuUsage(before);
  return (user + system) * 1e3;
}

/** Wraps the storage so that it does not store the events of settled spends. */
function withoutSettled(storage) {
  const isSettled = ({ op, collection, record }) =>
    op === 'insert' && collection === 'events' && record.type === 'spend.settled';
  return { ...storage, write: (steps) => storage.write(steps.filter((step) => !isSettled(step))) };
}
