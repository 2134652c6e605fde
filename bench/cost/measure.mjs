/** The calls of the port, timed at several sizes in turn. */
import { ACCOUNT, agentOf, flushOf, passportOf } from './records.mjs';

const PAGE = 50;
const IN_A_BLOCK = 250;
/** A sample of a call that takes less is made of many. */
const SAMPLE_US = 200;
const MAX_REPEATS = 50;
const FIRST_SAMPLES = 10;
const WRITER = 'cost'.padEnd(18, '0');

/** What `get` from memory can do at best. */
export const BARE = 'a bare Map';

/** One call each of a store; `turn` is a number that never comes back for the same store. */
const CALLS = {
  get: ({ storage, size }, turn) => storage.get('passports', agentOf(scattered(turn, size))),
  [BARE]: ({ bare, size }, turn) => bare.get(agentOf(scattered(turn, size))).version,
  insert: ({ storage, size }, turn) => written(storage, insertion(size + turn)),
  replace: ({ storage }, turn) => written(storage, replacement(turn)),
  add: ({ storage }, turn) => written(storage, addition(turn)),
  [`list, ${PAGE} of them`]: ({ storage }) =>
    storage.list('passports', { where: { account_id: ACCOUNT }, limit: PAGE }),
  [`file a block of ${IN_A_BLOCK} verdicts`]: filed,
};

/** The one call that need not be flat. */
export const isList = (call) => call.startsWith('list');

/** The median of each call in microseconds, by call and then by store. */
export async function measureCalls(stores, rounds) {
  const medians = new Map();
  for (const [name, call] of Object.entries(CALLS)) {
    if (name === BARE && stores[0].bare === undefined) continue;
    const turns = stores.map(() => 0);
    const sample = async (index, repeats) => {
      const startedAt = performance.now();
      for (let time = 0; time < repeats; time += 1) {
        await call(stores[index], turns[index]);
        turns[index] += 1;
      }
      return ((performance.now() - startedAt) * 1_000) / repeats;
    };
    const first = [];
    for (let time = 0; time < FIRST_SAMPLES; time += 1) first.push(await sample(time % stores.length, 1));
    const repeats = Math.max(1, Math.min(MAX_REPEATS, Math.round(SAMPLE_US / median(first))));
    const samples = stores.map(() => []);
    for (let round = 0; round < rounds; round += 1) {
      for (const index of stores.keys()) {
        // Who comes first in a round is another each time.
        const turn = (index + round) % stores.length;
        samples[turn].push(await sample(turn, repeats));
      }
    }
    medians.set(name, samples.map(median));
  }
  return medians;
}

/** The value in the middle. */
export function median(values) {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];
}

/** A number below `size` for each turn, all over the place. */
function scattered(turn, size) {
  return (turn * 7_919) % size;
}

function insertion(index) {
  return { op: 'insert', collection: 'passports', record: passportOf(index) };
}

/** The first thousand passports are changed in turn. */
function replacement(turn) {
  const version = 1 + Math.floor(turn / 1_000);
  const record = passportOf(turn % 1_000, version + 1);
  return { op: 'replace', collection: 'passports', record, version };
}

function addition(turn) {
  return { op: 'add', counter: `counter-${turn % 100}`, by: 1, at: '2026-11-20T12:00:00.000Z' };
}

async function filed({ storage }, turn) {
  if (turn === 0) await storage.journal.open(WRITER, '2026-01-01T00:00:00.000Z');
  const result = await storage.journal.file(flushOf(WRITER, turn + 1, IN_A_BLOCK));
  if (result !== 'filed') throw new Error(`Not filed: ${result}`);
}

async function written(storage, change) {
  const result = await storage.write([change]);
  if (!result.written) throw new Error(`Not written: ${result.failure}`);
}
