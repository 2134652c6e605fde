/** One record by its id, and one record more, through each adapter and through the raw client beside it. */
import { createIdentityService } from 'agent-identity-service';
import { ENGINES } from '../lib/engines.mjs';
import { finish, progress, readTask, target } from '../lib/part.mjs';
import { median, quantile, range, ratios } from '../lib/stats.mjs';
import { column } from '../lib/table.mjs';
import { makeWork, toInput } from '../lib/work.mjs';

const { isQuick, rounds } = readTask();
const RECORDS = isQuick ? 200 : 2_000;
const INSERTS = isQuick ? 20 : 200;
const IN_FLIGHT = 64;
const COLUMNS = [
  column('p50', 'p50', 'ns'),
  column('p99', 'p99', 'ns'),
  column('spread', 'rounds, low to high', 'ns'),
  column('ratio', 'x raw client', 'x'),
  column('perSecond', 'operations', 'per s'),
];

const template = await templateRecord();
const ids = Array.from({ length: RECORDS }, (_, index) => `did:web:example.com:agents:stored-${index}`);
const tables = [];
/** How many records were inserted while it was timed: no id comes twice. */
let made = 0;
const targets = [];
for (const [name, openEngine] of Object.entries(ENGINES)) {
  const engine = await openEngine().catch((error) => absent(name, error));
  if (engine === undefined) continue;
  try {
    await measureEngine(name, engine);
  } finally {
    await engine.remove();
  }
}
finish({ tables, targets });

async function measureEngine(name, engine) {
  progress(`${name} is filled`);
  const storage = await engine.open();
  for (const id of ids) {
    const record = { ...template, id };
    await engine.rawInsert(record);
    const changes = [{ op: 'insert', collection: 'passports', record }];
    const { written } = await storage.write(changes);
    if (!written) throw new Error(`${name} did not take ${id}`);
  }
  await assertSame(name, engine, storage);

  const get = (id) => storage.get('passports', id);
  const miss = 'verify of a passport that is not in memory';
  const contestants = [
    { name: 'get, raw client', floor: 0, keys: () => ids, open: async () => ({ ask: engine.rawGet }) },
    { name: 'get', floor: 0, keys: () => ids, open: async () => ({ ask: get }) },
    { name: miss, floor: 0, keys: () => ids, open: () => coldService(engine) },
    {
      name: `get, raw client, ${IN_FLIGHT} at a time`,
      floor: 3,
      keys: () => ids,
      inFlight: IN_FLIGHT,
      open: async () => ({ ask: engine.rawGet }),
    },
    {
      name: `get, ${IN_FLIGHT} at a time`,
      floor: 3,
      keys: () => ids,
      inFlight: IN_FLIGHT,
      open: async () => ({ ask: get }),
    },
    {
      name: 'insert, raw client',
      floor: 5,
      keys: newIds,
      open: async () => ({ ask: (id) => engine.rawInsert({ ...template, id }) }),
    },
    {
      name: 'insert',
      floor: 5,
      keys: newIds,
      open: async () => ({ ask: (id) => storage.write([insertOf(id)]) }),
    },
  ];
  const figures = contestants.map(() => ({ samples: [], perRound: [], perSecond: [] }));
  for (let round = 0; round <= rounds; round += 1) {
    progress(`${name}: round ${round} of ${rounds}`);
    for (const [index, contestant] of contestants.entries()) {
      const found = await turn(contestant);
      if (round === 0) continue;
      for (const sample of found.samples) figures[index].samples.push(sample);
      figures[index].perRound.push(median(found.samples));
      figures[index].perSecond.push(found.perSecond);
    }
  }
  await storage.close();
  const rows = contestants.map(({ name: row, floor }, index) => ({
    name: row,
    p50: quantile(figures[index].samples, 0.5),
    p99: quantile(figures[index].samples, 0.99),
    spread: range(figures[index].perRound),
    ratio: median(ratios(figures[index].perRound, figures[floor].perRound)),
    perSecond: median(figures[index].perSecond),
  }));
  tables.push({ title: `Storage: ${name}`, columns: COLUMNS, rows });
  // Beside a Map in memory everything is long; the bound is for a round trip.
  const bounded = name === 'postgres' || name === 'redis';
  if (bounded) targets.push(target(`a miss / a bare read, ${name}`, rows[2].ratio, { atMost: 1.2 }));
}

/** Latency of each operation, so many under way at a time. */
async function turn({ keys, inFlight = 1, open }) {
  const { ask, close = async () => {} } = await open();
  const todo = keys();
  const samples = [];
  let next = 0;
  const worker = async () => {
    while (next < todo.length) {
      const id = todo[next++];
      const startedAt = performance.now();
      await ask(id);
      samples.push((performance.now() - startedAt) * 1e6);
    }
  };
  const startedAt = performance.now();
  await Promise.all(Array.from({ length: inFlight }, worker));
  const seconds = (performance.now() - startedAt) / 1e3;
  await close();
  return { samples, perSecond: todo.length / seconds };
}

/** A service that has seen none of the passports yet. Its journal is kept out of what is timed. */
async function coldService(engine) {
  const storage = await engine.open();
  const service = createIdentityService({ storage: { ...storage, append: async () => {} } });
  await service.verify({ agent_id: 'did:web:example.com:agents:nobody', action: 'payments.create' });
  return {
    ask: (agent_id) => service.verify({ agent_id, action: 'payments.create' }),
    close: () => service.close(),
  };
}

async function assertSame(name, { rawGet }, storage) {
  const [id] = ids;
  const record = await storage.get('passports', id);
  const raw = await rawGet(id);
  if (record?.id !== id || raw?.id !== id)
    throw new Error(`${name} and its client do not give the same record`);
  if ((await storage.get('passports', `${id}-x`)) !== undefined)
    throw new Error(`${name} finds what is not there`);
}

/** A passport as the service stores it. */
async function templateRecord() {
  const storage = await ENGINES.memory().then(({ open }) => open());
  const service = createIdentityService({ storage });
  const { agent_id } = await service.passports.create(toInput(makeWork({ intents: 1 }).passports[1]));
  return storage.get('passports', agent_id);
}

function newIds() {
  return Array.from({ length: INSERTS }, () => `did:web:example.com:agents:new-${made++}`);
}

function insertOf(id) {
  return { op: 'insert', collection: 'passports', record: { ...template, id } };
}

function absent(name, error) {
  const reason = error.code ?? 'no answer';
  const note = `Not measured: ${name} is not there (${reason}).`;
  progress(note);
  tables.push({ title: `Storage: ${name}`, note, columns: COLUMNS, rows: [] });
  return undefined;
}
