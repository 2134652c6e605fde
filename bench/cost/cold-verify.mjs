/** `verify` without a cache against the read of one row by the engine's own client. */
import { createIdentityService } from '../../dist/index.js';
import { median } from './measure.mjs';
import { agentOf } from './records.mjs';

const PER_ROUND = 100;
const PAUSE_MS = 5;

/** Reads one row; `undefined` for an engine that has no client of its own. */
const RAW = {
  async sqlite({ place }) {
    const { default: Database } = await import('libsql');
    const database = new Database(place, { readonly: true });
    const statement = database.prepare('select * from ais_passports where id = ?');
    return { read: (id) => statement.get([id]), close: () => database.close() };
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

/** Microseconds of one call of each, by round: `{ verify, raw }`. */
export async function compareColdVerify(engine, filled, rounds) {
  const open = RAW[engine.name];
  if (open === undefined) return undefined;
  const raw = await open(filled);
  const service = createIdentityService({ storage: filled.storage, consistency: 'strict' });
  const contestants = {
    verify: (agent_id) => service.verify({ agent_id, action: 'orders.place' }),
    raw: (agent_id) => raw.read(agent_id),
  };
  try {
    const { verdict } = await contestants.verify(agentOf(0));
    const { id } = await contestants.raw(agentOf(0));
    if (verdict !== 'ALLOW' || id !== agentOf(0)) throw new Error('They do not see the same passport.');
    const samples = { verify: [], raw: [] };
    for (let round = 0; round <= rounds; round += 1) {
      for (const name of round % 2 === 0 ? ['verify', 'raw'] : ['raw', 'verify']) {
        const us = await timed(contestants[name]);
        if (round > 0) samples[name].push(us);
      }
    }
    return samples;
  } finally {
    await raw.close();
  }
}

/** The median of single calls, one after another, as one caller sees them. The journal is filed in between. */
async function timed(ask) {
  await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  const each = [];
  for (let index = 0; index < PER_ROUND; index += 1) {
    const startedAt = performance.now();
    await ask(agentOf(index));
    each.push((performance.now() - startedAt) * 1_000);
  }
  return median(each);
}
