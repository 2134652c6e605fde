/**
 * Measures a replay of recorded verdicts, compared with only opening their columns. Also measures the comparison of two
 * passports.
 */
import assert from 'node:assert/strict';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import { replay } from 'agent-identity-service/replay';
import { memoryStorage } from 'agent-identity-service/storage/memory';
import { defaultRules } from 'agent-identity-service/verdict';
import { compare } from 'agent-identity-service/verdict/compare';
import { openBlock } from '../../dist/bench/blocks.js';
import { finish, progress, readTask } from '../lib/part.mjs';
import { KEPT_IN_MEMORY, openService } from '../lib/service.mjs';
import { median, range } from '../lib/stats.mjs';
import { column } from '../lib/table.mjs';
import { target } from '../lib/target.mjs';

const { isQuick } = readTask();
const RECORDS = isQuick ? 2_000 : KEPT_IN_MEMORY;
const ROUNDS = isQuick ? 1 : 5;
const PAGE = 256;
const LOADED = 16;
const MIB = 1_048_576;

const storage = memoryStorage();
const { service, account_id, settle } = await openService([], { storage, capabilities: [replay()] });
const agent = {
  domain: 'example.com',
  agent_name: 'shopper',
  allowed_actions: ['payments.*', 'orders.get'],
  monetary_limit_per_txn: 100,
};
const { agent_id } = await service.passports.create(agent, { account_id });
progress(`${RECORDS} verdicts are recorded`);
for (let index = 0; index < RECORDS; index += 1) {
  await service.verify(intentOf(index), { account_id });
  if (index % 500 === 0) await nextTurn();
}
await settle();
// Sums are merged behind the verdicts, which is no work of a replay.
while ((await storage.journal.writers()).some(({ merged, flushed }) => merged < flushed)) await sleep(100);

const patch = { monetary_limit_per_txn: 110 };
const rules = [...defaultRules, () => null];
const ways = [
  { name: 'a replay', options: {} },
  { name: 'with a rule of the application', options: { rules } },
];
const turns = monitorEventLoopDelay({ resolution: 1 });
let heap = 0;
let found;
const columns = [];
// A service has rules of the application or none: one way is measured after the other.
for (const way of ways) {
  way.figures = [];
  way.ratios = [];
  // The first round compiles the code.
  for (let round = isQuick ? 0 : -1; round < ROUNDS; round += 1) {
    progress(`${way.name}: round ${round + 1} of ${ROUNDS}`);
    const floor = await measured(openColumns);
    const cpu = await measured(async () => {
      const { judged, now_allowed, now_denied } = await replayed(way.options);
      found ??= { judged: RECORDS, now_allowed, now_denied };
      assert.deepEqual({ judged, now_allowed, now_denied }, found, 'The ways of a replay differ.');
    });
    if (round < 0) continue;
    columns.push(floor);
    way.figures.push(cpu);
    way.ratios.push(cpu / floor);
  }
}
// Apart from the rounds: a collection before each of them throws away what is compiled.
for (const { options } of ways) await watched(() => replayed(options));
const rows = [
  { name: 'the columns alone', p50: median(columns), spread: range(columns), ratio: 1 },
  ...ways.map(({ name, figures, ratios }) => ({
    ...{ name, p50: median(figures), spread: range(figures), ratio: median(ratios) },
  })),
];
const compared = [comparison(20, 0), comparison(256, 8)];
finish({
  tables: [
    {
      title: `A replay of ${RECORDS.toLocaleString('en')} verdicts of one agent, a record`,
      note: 'CPU of the process; the patch raises the limit.',
      columns: [
        column('p50', 'p50', 'ns'),
        column('spread', 'rounds, low to high', 'ns'),
        column('ratio', 'times the columns', 'x'),
      ],
      rows,
    },
    { title: 'compare', columns: [column('ms', 'p50', 'ms')], rows: compared },
  ],
  targets: [
    target('replay of 1,000,000 verdicts, CPU', rows[1].p50, { atMost: 2_000, unit: 'ms' }),
    target('longest turn of a replay', turns.max / 1e6, { atMost: 20, unit: 'ms' }),
    target('more memory of a replay', heap, { atMost: 64 * MIB, unit: 'MiB' }),
    target('compare, 20 entries in every list', compared[0].ms, { atMost: 1, unit: 'ms' }),
    target('compare, 256 entries in every list and 8 budgets', compared[1].ms, { atMost: 20, unit: 'ms' }),
  ],
});

/** Returns the CPU nanoseconds per record. */
async function measured(work) {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return ((user + system) * 1e3) / RECORDS;
}

/** Records the longest turn of the event loop, and the maximum of additional memory. */
async function watched(work) {
  globalThis.gc?.();
  const idle = used();
  const sampler = setInterval(() => {
    heap = Math.max(heap, used() - idle);
  }, 20);
  turns.enable();
  await work();
  turns.disable();
  clearInterval(sampler);
}

function used() {
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

function replayed(options) {
  return service.passports.replay(agent_id, { patch }, { account_id, ...options });
}

async function openColumns() {
  const headers = [];
  for (;;) {
    const after = headers.at(-1);
    const page = await storage.journal.blocks({ account_id, limit: PAGE, ...(after && { after }) });
    headers.push(...page);
    if (page.length < PAGE) break;
  }
  let length = 0;
  for (let from = 0; from < headers.length; from += LOADED) {
    for (const { data } of await storage.journal.load(headers.slice(from, from + LOADED))) {
      const view = openBlock(data);
      const { times, agents, actions, targets, contexts, amounts, reasons, proofs, approvals } = view;
      if (
        [times, agents, actions, targets, contexts, amounts, reasons, proofs, approvals].includes(undefined)
      )
        throw new Error('A column is missing.');
      length += view.length;
      await nextTurn();
    }
  }
  if (length < RECORDS) throw new Error(`There are ${length} records.`);
}

/** Returns the milliseconds to compare two passports that differ in one entry of each list. */
function comparison(entries, budgets) {
  const before = passportOf(entries, budgets, 0);
  const after = passportOf(entries, budgets, 1);
  const times = [];
  for (let count = 0; count < (isQuick ? 1 : 30); count += 1) {
    const startedAt = performance.now();
    const { result } = compare(before, after);
    times.push(performance.now() - startedAt);
    if (result === 'equal') throw new Error('The passports differ.');
  }
  return { name: `${entries} entries in every list, ${budgets} budgets`, ms: median(times) };
}

function passportOf(entries, budgets, from) {
  const list = (prefix) => Array.from({ length: entries }, (_, index) => `${prefix}.a${index + from}.*`);
  const instant = new Date(0).toISOString();
  return {
    ...{ ...agent, agent_id, version: 1, status: 'active', created_at: instant, updated_at: instant },
    allowed_actions: list('payments'),
    denied_actions: list('orders'),
    monetary_actions: list('payments'),
    allowed_targets: Array.from({ length: entries }, (_, index) => `did:web:shop-${index + from}.example`),
    currency: 'EUR',
    ...(budgets > 0 && {
      budgets: Array.from({ length: budgets }, (_, index) => ({
        name: `b${index}`,
        window: 'day',
        limit: 100 + index,
      })),
    }),
  };
}

function intentOf(index) {
  if (index % 4 === 0) return { agent_id, action: 'orders.get' };
  const action = `payments.a${index % 50}`;
  return { agent_id, action, parameters: { amount: (index % 12_000) / 100, currency: 'EUR' } };
}
