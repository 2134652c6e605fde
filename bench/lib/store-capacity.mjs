/**
 * Measures the calls per second that a storage can handle with 64 at the same time, and the CPU of its server for each
 * call.
 */
import { createBlockBuilder } from '../../dist/bench/blocks.js';
import { openService, withoutFiling } from './service.mjs';
import { BLOCK_SIZES, STORE_ROWS } from './sizing.mjs';
import { storeCpuUs } from './store-cpu.mjs';

const IN_FLIGHT = 64;
const BUDGETS = 1_000;
const WRITERS = 16;
const WRITER_DIGITS = 18;
const LIMIT = 1e9;
const LATENCY_BUCKET = 3;

export async function storeRows(name, engine, { isQuick, report, records }) {
  const seconds = isQuick ? 0.05 : 2;
  const agents = isQuick ? 20 : BUDGETS;
  const storage = await engine.open();
  const opened = await openService([], { storage: withoutFiling(storage), domainProof: 'off' });
  const { service, account_id } = opened;
  const caller = { account_id };
  report('passports with budgets');
  const before = await engine.bytes?.();
  const ids = await inFlight(agents, async (index) => {
    const { agent_id } = await service.passports.create(passportOf(index), caller);
    return agent_id;
  });
  const passport = ((await engine.bytes?.()) - before) / agents;
  const rate = (row, ask) => {
    report(row);
    return perSecond(name, row, { ask, seconds });
  };
  const spend = (of) => async (index) => {
    const { verdict, reasons } = await service.verify(spendOf(ids[index % of]), caller);
    if (verdict !== 'ALLOW') throw new Error(`A spend is denied: ${JSON.stringify(reasons)}`);
  };
  const change = (index) => service.passports.update(ids[index % agents], notesOf(index), caller);
  const raw = { id: ids[0], note: 'a record of the raw client' };
  await engine.rawInsert(raw);
  const rows = [
    await rate(STORE_ROWS.change, change),
    await rate(STORE_ROWS.spendOne, spend(1)),
    await rate(STORE_ROWS.spendMany, spend(agents)),
    await rate(STORE_ROWS.read, (index) => storage.get('passports', ids[index % agents])),
    await rate(STORE_ROWS.rawRead, () => engine.rawGet(raw.id)),
  ];
  for (const [row, size] of Object.entries(BLOCK_SIZES)) {
    report(row);
    const block = sealedBlock(records.slice(0, size));
    rows.push(await blockRow(row, { name, engine, storage, account_id, block, seconds }));
  }
  await service.close();
  await storage.close?.();
  return [...rows, { name: STORE_ROWS.passport, bytes: passport }];
}

/** Stores the same block repeatedly, each time as the next flush of one of the writers. */
async function blockRow(row, { name, engine, storage, account_id, block, seconds }) {
  const writers = Array.from({ length: WRITERS }, (_, at) => ({
    id: `sizing${block.records}w${at}`.padEnd(WRITER_DIGITS, '0'),
    seq: 0,
  }));
  for (const { id } of writers) await storage.journal.open(id, new Date().toISOString());
  const ask = (_index, caller) => {
    const writer = writers[caller].id;
    // Flushes of one writer come one after the other.
    writers[caller].seq += 1;
    const { seq } = writers[caller];
    const blocks = [{ ...block, writer, seq, account_id }];
    return storage.journal.file({ writer, seq, at: new Date().toISOString(), blocks });
  };
  const before = await engine.bytes?.();
  const found = await perSecond(name, row, { ask, seconds, callers: WRITERS });
  const filed = writers.reduce((sum, { seq }) => sum + seq, 0) * block.records;
  return { ...found, bytes: ((await engine.bytes?.()) - before) / filed };
}

async function perSecond(engine, name, { ask, seconds, callers = IN_FLIGHT }) {
  // Its code is compiled, and what it reads is in the memory of the server.
  for (let caller = 0; caller < callers; caller += 1) await ask(caller, caller);
  const serverBefore = storeCpuUs(engine);
  const startedAt = performance.now();
  const endsAt = startedAt + seconds * 1e3;
  let asked = 0;
  const call = async (_, caller) => {
    do {
      const index = asked;
      asked += 1;
      await ask(index, caller);
    } while (performance.now() < endsAt);
  };
  await Promise.all(Array.from({ length: callers }, call));
  const took = (performance.now() - startedAt) / 1e3;
  const server = storeCpuUs(engine) - serverBefore;
  return { name, perSecond: asked / took, cpu: (server * 1e3) / asked };
}

async function inFlight(count, make) {
  const made = [];
  for (let from = 0; from < count; from += IN_FLIGHT) {
    const size = Math.min(IN_FLIGHT, count - from);
    made.push(...(await Promise.all(Array.from({ length: size }, (_, at) => make(from + at)))));
  }
  return made;
}

function passportOf(index) {
  return {
    domain: 'example.com',
    agent_name: `agent-${index}`,
    allowed_actions: ['payments.create', 'orders.get'],
    monetary_actions: ['payments.create'],
    monetary_limit_per_txn: 100,
    budgets: [{ window: 'month', limit: LIMIT }],
    currency: 'EUR',
  };
}

function spendOf(agent_id) {
  return { agent_id, action: 'payments.create', parameters: { amount: 0.01, currency: 'EUR' } };
}

function notesOf(index) {
  return { metadata: { change: `${index}` } };
}

function sealedBlock(records) {
  const builder = createBlockBuilder();
  for (const record of records) {
    if (!builder.push(record, LATENCY_BUCKET)) throw new Error('The records do not fit into one block.');
  }
  return builder.seal();
}
