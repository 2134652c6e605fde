/** `verify` without a cache against the read of one row by the engine's own client. */
import { createIdentityService } from '../../dist/index.js';
import { median } from './measure.mjs';
import { agentOf } from './records.mjs';

const PER_ROUND = 100;
const PAUSE_MS = 5;
const IN_FLIGHT = 64;
const TOGETHER = 1_000;
/** Rounds thrown away, until the code of both is compiled. */
const WARM_UP = 20;

/** Reads one row; `undefined` for an engine that has no client of its own. */
const RAW = {
  async sqlite({ place }) {
    const { default: Database } = await import('libsql');
    const database = new Database(place, { readonly: true });
    const statement = database.prepare('select * from ais_passports where id = ?');
    return { read: async (id) => statement.get([id]), close: () => database.close() };
  },

  async postgres({ place }) {
    const { default: pg } = await import('pg');
    const client = new pg.Client({ connectionString: place });
    await client.connect();
    const text = 'select * from ais_passports where id = $1';
    return {
      read: async (id) => (await client.query({ name: 'raw', text, values: [id] })).rows[0],
      close: () => client.end(),
    };
  },

  async redis({ place, storage }) {
    const { createClient } = await import('@keyv/redis');
    const client = createClient({ url: place });
    await client.connect();
    for (let index = 0; index < PER_ROUND; index += 1) {
      const record = await storage.get('passports', agentOf(index));
      await client.set(`raw:${agentOf(index)}`, JSON.stringify(record));
    }
    return { read: async (id) => JSON.parse(await client.get(`raw:${id}`)), close: () => client.destroy() };
  },
};

/**
 * Microseconds of one call of each, by round: `{ one: { verify, raw }, many: { verify, raw } }`, of calls one at a
 * time and of calls of which `IN_FLIGHT` are under way. The journal keeps what it is given, out of the engine.
 */
export async function compareColdVerify(engine, filled, rounds) {
  const open = RAW[engine.name];
  if (open === undefined) return undefined;
  const raw = await open(filled);
  const storage = { ...filled.storage, append: async () => {} };
  const service = createIdentityService({ storage, consistency: 'strict' });
  const contestants = {
    verify: (agent_id) => service.verify({ agent_id, action: 'orders.place' }),
    raw: (agent_id) => raw.read(agent_id),
  };
  try {
    const { verdict } = await contestants.verify(agentOf(0));
    const { id } = await contestants.raw(agentOf(0));
    if (verdict !== 'ALLOW' || id !== agentOf(0)) throw new Error('They do not see the same passport.');
    const found = { one: { verify: [], raw: [] }, many: { verify: [], raw: [] } };
    for (let round = -WARM_UP; round < rounds; round += 1) {
      const names = round % 2 === 0 ? ['verify', 'raw'] : ['raw', 'verify'];
      const one = await inTurns(contestants, names);
      for (const name of names) {
        const many = await together(contestants[name]);
        if (round < 0) continue;
        found.one[name].push(one[name]);
        found.many[name].push(many);
      }
    }
    return found;
  } finally {
    await raw.close();
  }
}

/**
 * The median of single calls, as one caller sees them. The contestants take turns call by call: how long a process
 * takes to wake up differs several times over from one moment to the next.
 */
async function inTurns(contestants, names) {
  await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  const each = { verify: [], raw: [] };
  for (let index = 0; index < PER_ROUND; index += 1) {
    for (const name of names) {
      const startedAt = performance.now();
      await contestants[name](agentOf(index));
      each[name].push((performance.now() - startedAt) * 1_000);
    }
  }
  return { verify: median(each.verify), raw: median(each.raw) };
}

/** Microseconds for each of many calls, so many of them under way at a time. */
async function together(ask) {
  let next = 0;
  const worker = async () => {
    while (next < TOGETHER) {
      const index = next;
      next += 1;
      await ask(agentOf(index % PER_ROUND));
    }
  };
  const startedAt = performance.now();
  await Promise.all(Array.from({ length: IN_FLIGHT }, worker));
  return ((performance.now() - startedAt) * 1_000) / TOGETHER;
}
