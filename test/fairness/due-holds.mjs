/** Holds of one account that are due, all at once, while a verdict of another account looks for due holds of its own. */
import { setTimeout as pause } from 'node:timers/promises';
import { createIdentityService } from '../../dist/index.js';
import { LOUD } from './records.mjs';

const HOLDS = 5_900;
/** A store in this process is filled in small pieces: filling is no request. */
const AT_ONCE = 50;
const AGENT = 'did:web:loud.example:agents:spender';
const BUDGET = {
  allowed_actions: ['*'],
  monetary_actions: ['pay'],
  monetary_limit_per_txn: 10,
  currency: 'EUR',
  budgets: [{ window: 'lifetime', limit: 10 }],
};

/** The request, and the intent of the other account that is asked meanwhile: its budget is held, so it looks for due holds. */
export const DUE_HOLDS = [`${HOLDS} due holds, lapsed by answers and by the sweep`, lapseAll, prepare];

async function prepare({ service }) {
  const owner = { account_id: 'acc_quiet' };
  const passport = { domain: 'quiet.example', agent_name: 'holder', ...BUDGET };
  const { agent_id } = await service.passports.create(passport, owner);
  const intent = { agent_id, action: 'pay', parameters: { amount: 10, currency: 'EUR' } };
  await service.verify({ ...intent, hold_seconds: 86_400 });
  return intent;
}

async function lapseAll({ service, storage, found, owner }) {
  const known = await storage.get('passports', AGENT);
  if (known === undefined) {
    await service.passports.create({ domain: 'loud.example', agent_name: 'spender', ...BUDGET }, owner);
  }
  await fill(storage);
  await service.passports.budgets(AGENT, {}, owner);
  found.pieces += 1;
  // A node that starts: its timers of a minute are over at once.
  const after = (ms, run) => {
    const timer = setTimeout(run, ms === 60_000 ? 0 : ms);
    return () => clearTimeout(timer);
  };
  const node = createIdentityService({
    ...{ storage: { ...storage, close: async () => {} }, after, domainProof: 'off', log: () => {} },
    storageDeadlineMs: 30_000,
  });
  try {
    while (
      (
        await storage.list('spends', {
          where: {},
          order: 'due_at',
          until: new Date().toISOString(),
          limit: 1,
        })
      ).length > 0
    )
      await pause(20);
    found.pieces += 1;
  } finally {
    await node.close();
  }
}

async function fill(storage) {
  const at = new Date(Date.now() - 1_000).toISOString();
  const run = at.replace(/\D/g, '');
  for (let from = 0; from < HOLDS; from += AT_ONCE) {
    const size = Math.min(AT_ONCE, HOLDS - from);
    const records = Array.from({ length: size }, (_, index) => spendOf(`${run}${from + index}`, at));
    await storage.write([
      { op: 'add', counter: `holds:live:${AGENT}`, by: size, at },
      ...records.map((record) => ({ op: 'insert', collection: 'spends', record })),
    ]);
    await pause(2);
  }
}

function spendOf(number, at) {
  return {
    ...{ id: `dec_${number}`, ...LOUD, version: 1, created_at: at, updated_at: at },
    ...{ agent_id: AGENT, root_agent_id: AGENT, environment: 'live', status: 'held', takings: [] },
    ...{ amount: '1', released_amount: '0', committed_amount: null, committed_whole: false },
    ...{ currency: 'EUR', decimals: 2, held_until: at, due_at: at },
  };
}
