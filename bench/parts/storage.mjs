/** Measures reading one record by its id and inserting one, through each adapter and through the raw client. */
import { createIdentityService } from 'agent-identity-service';
import { confirmedWrites } from '../lib/confirmed-writes.mjs';
import { ENGINES } from '../lib/engines.mjs';
import { finish, progress, readTask } from '../lib/part.mjs';
import { withoutFiling } from '../lib/service.mjs';
import { median, quantile, range, ratios } from '../lib/stats.mjs';
import { column } from '../lib/table.mjs';
import { target } from '../lib/target.mjs';
import { makeWork, toInput } from '../lib/work.mjs';

const { isQuick, rounds } = readTask();
const RECORDS = isQuick ? 200 : 2_000;
const INSERTS = isQuick ? 20 : 200;
const IN_FLIGHT = 64;
const COLUMNS = [
  column('p50', 'p50 of calls', 'ns'),
  column('p99', 'p99 of calls', 'ns'),
  column('spread', 'rounds, low to high', 'ns'),
  column('ratio', 'x raw client', 'x'),
  column('perSecond', 'operations', 'per s'),
];

const SPEND = { op: 'add', counter: 'budget', by: 1, max: 1e12, at: new Date().toISOString() };

const template = await templateRecord();
const ids = Array.from({ length: RECORDS }, (_, index) => `did:web:example.com:agents:stored-${index}`);
const tables = [];
/** The number of inserted records, so that no id is used twice. */
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
const confirmed = await confirmedWrites({ isQuick, rounds, report: progress, insertOf }).catch((error) =>
  absent('redis with a replica', error),
);
if (confirmed !== undefined) {
  tables.push(confirmed.table);
  targets.push(...confirmed.targets);
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
    // A contestant and those after it with the same floor, which is the index of the first of them, are a group.
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
    {
      name: `spend on one counter, raw client, ${IN_FLIGHT} at a time`,
      floor: 7,
      keys: () => ids,
      inFlight: IN_FLIGHT,
      open: async () => ({ ask: () => engine.rawAdd('budget') }),
    },
    {
      name: `spend on one counter, ${IN_FLIGHT} at a time`,
      floor: 7,
      keys: () => ids,
      inFlight: IN_FLIGHT,
      open: async () => ({ ask: () => storage.write([SPEND]) }),
    },
  ];
  const figures = contestants.map(() => ({ samples: [], perRound: [], perSecond: [] }));
  for (let round = 0; round <= rounds; round += 1) {
    progress(`${name}: round ${round} of ${rounds}`);
    for (const floor of new Set(contestants.map((contestant) => contestant.floor))) {
      const group = contestants.filter((contestant) => contestant.floor === floor);
      const found = group[0].inFlight === undefined ? await inTurns(group, round) : await oneByOne(group);
      if (round === 0) continue;
      for (const [index, { samples, perSecond }] of found.entries()) {
        const figure = figures[floor + index];
        for (const sample of samples) figure.samples.push(sample);
        figure.perRound.push(median(samples));
        figure.perSecond.push(perSecond);
      }
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
  const missed = `verdict that reads its passport / read by the driver, ${name}`;
  if (bounded) targets.push(target(missed, rows[2].ratio, { atMost: 1.2 }));
  if (name !== 'postgres') return;
  const times = (index) => rows[index].perSecond / rows[index - 1].perSecond;
  targets.push(
    target(`joined reads / one by one, ${IN_FLIGHT} at a time`, times(4), { atLeast: 5 }),
    target(`joined spends of ${IN_FLIGHT} callers on one budget / one by one`, times(8), { atLeast: 5 }),
  );
}

/**
 * Measures the latency of each operation for each contestant. They take turns for each call, because the time to wake a
 * process varies by several times.
 */
async function inTurns(group, round) {
  const players = [];
  for (const { keys, open } of group) {
    players.push({ ...(await open()), todo: keys(), samples: [] });
  }
  const order = players.map((_, index) => players[(index + round) % players.length]);
  const calls = Math.max(...players.map(({ todo }) => todo.length));
  for (let call = 0; call < calls; call += 1) {
    for (const player of order) player.samples.push(await timed(player.ask, player.todo[call]));
  }
  const sum = (values) => values.reduce((total, value) => total + value, 0);
  for (const { close } of players) await close?.();
  return players.map(({ samples }) => ({ samples, perSecond: (samples.length / sum(samples)) * 1e9 }));
}

/** Measures the same with many operations at the same time, one contestant after the other. */
async function oneByOne(group) {
  const found = [];
  for (const { keys, inFlight, open } of group) {
    const { ask } = await open();
    const todo = keys();
    const samples = [];
    let next = 0;
    const worker = async () => {
      while (next < todo.length) samples.push(await timed(ask, todo[next++]));
    };
    const startedAt = performance.now();
    await Promise.all(Array.from({ length: inFlight }, worker));
    const seconds = (performance.now() - startedAt) / 1e3;
    found.push({ samples, perSecond: todo.length / seconds });
  }
  return found;
}

async function timed(ask, id) {
  const startedAt = performance.now();
  await ask(id);
  return (performance.now() - startedAt) * 1e6;
}

/** Opens a service that has not read any passport yet. Its journal is not timed. */
async function coldService(engine) {
  const storage = await engine.open();
  const service = createIdentityService({ storage: withoutFiling(storage) });
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
