/**
 * What analytics cost by the number of verdicts behind them: npm run bench:analytics [-- few many]
 *
 * Two SQLite files hold the same 24 hours with the same agents and actions, one with 10^4 verdicts and one with 10^6.
 * Rounds alternate between them, the first is thrown away. The ratio of the medians is to be 1.5 at most.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';

const { createIdentityService } = await import('../dist/index.js');
const { sqliteStorage } = await import('../dist/storage/sql.js');

const FEW = Number(process.argv[2] ?? 10_000);
const MANY = Number(process.argv[3] ?? 1_000_000);
const MAX_TIMES = 1.5;
const ROUNDS = 40;
const AGENTS = 20;
const ACTIONS = 30;
const BATCH = 100;
const DAY_MS = 86_400_000;
const END = Date.parse('2026-11-20T12:00:00.000Z');

const folder = mkdtempSync(join(tmpdir(), 'ais-analytics-'));
try {
  const services = [await filled(FEW), await filled(MANY)];
  const queries = {
    'the last 24 hours, by hour': {},
    'by minute, of 16 hours': { from: new Date(END - 57_600_000).toISOString(), interval: 'minute' },
    'of one agent': { agent_id: agentOf(0) },
  };
  console.log(`${cpus()[0]?.model}, ${cpus().length} cores, Node ${process.version}`);
  for (const [name, query] of Object.entries(queries)) {
    const times = services.map(() => []);
    for (let round = 0; round <= ROUNDS; round += 1) {
      for (const [index, service] of services.entries()) {
        const startedAt = performance.now();
        const { overview } = await service.analytics(query);
        const ms = performance.now() - startedAt;
        if (overview.total_verifications === 0) throw new Error('Nothing was counted.');
        if (round > 0) times[index].push(ms);
      }
    }
    const [few, many] = times.map(median);
    const ratio = many / few;
    console.log(
      `${name}: ${FEW} ${few.toFixed(2)} ms, ${MANY} ${many.toFixed(2)} ms, ratio ${ratio.toFixed(2)}`,
    );
    if (ratio > MAX_TIMES) process.exitCode = 1;
  }
  for (const service of services) await service.close();
} finally {
  rmSync(folder, { recursive: true, force: true });
}

/** A service with so many verdicts, spread evenly over the last 24 hours, asked of it one after another. */
async function filled(verdicts) {
  const storage = await sqliteStorage({ file: join(folder, `${verdicts}.db`) });
  let at = END - DAY_MS;
  const service = createIdentityService({
    storage,
    clock: { now: () => Math.floor(at) },
    storageDeadlineMs: 60_000,
  });
  for (let agent = 0; agent < AGENTS; agent += 1) {
    const may = { allowed_actions: ['*'], denied_actions: ['denied.*'], monetary_limit_per_txn: 0 };
    await service.passports.create({ domain: 'example.com', agent_name: `agent-${agent}`, ...may });
  }
  let asked = 0;
  while (asked < verdicts) {
    for (let index = asked; index < asked + BATCH; index += 1) {
      const action = `${index % 3 === 0 ? 'denied' : 'actions'}.${(7 * index) % ACTIONS}`;
      at = END - DAY_MS + (DAY_MS * index) / verdicts;
      await service.verify({ agent_id: agentOf(index % AGENTS), action });
    }
    asked += BATCH;
    if (asked % 2_000 === 0) await service.verifications.list({ limit: 1 });
    if (asked % 100_000 === 0) console.log(`${asked} of ${verdicts} filed`);
  }
  await service.verifications.list({ limit: 1 });
  at = END;
  return service;
}

function agentOf(index) {
  return `did:web:example.com:agents:agent-${index}`;
}

function median(values) {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];
}
