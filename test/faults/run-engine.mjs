/** All rows of one engine. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { turnOfCommit } from '../support/turn-of-commit.mjs';
import { isOfTime } from './evaluate.mjs';
import { openWorld } from './load.mjs';
import { runRow } from './row.mjs';
import { openService, startNode } from './targets.mjs';

const OPENERS = {
  postgres: async () => (await import('./engines/postgres.mjs')).openPostgres(),
  'postgres-hosts': async () => (await import('./engines/postgres-hosts.mjs')).openPostgresHosts(),
  redis: async () => (await import('./engines/redis.mjs')).openRedis(),
  'redis-cluster': async () => (await import('./engines/redis-groups.mjs')).openRedisCluster(),
  'redis-cluster-unconfirmed': async () =>
    (await import('./engines/redis-groups.mjs')).openClusterUnconfirmed(),
  'redis-unconfirmed': async () => (await import('./engines/redis-groups.mjs')).openRedisUnconfirmed(),
  'redis-sentinel': async () => (await import('./engines/redis-groups.mjs')).openRedisSentinel(),
  sqlite: async () => (await import('./engines/sqlite.mjs')).openSqlite(),
};

/** Long enough for the cache to expire and a deadline to pass. */
const QUICK_MS = 2_500;

/** How often a row is run whose only problems are of time. */
const MAX_TRIES = 3;

/** Runs the faults of an engine one after another, on the same processes as long as they recover. */
export async function runEngine(name, { only, isQuick, isThree }) {
  const folder = mkdtempSync(join(tmpdir(), 'ais-faults-'));
  const removeFolder = () => rmSync(folder, { recursive: true, force: true });
  process.once('exit', removeFolder);
  const rows = [];
  let engine;
  let opened;
  try {
    engine = await OPENERS[name]();
    const faults = chosenFaults(engine.faults, only, isQuick);
    if (faults.length === 0) throw new Error('It has no such fault.');
    for (const fault of faults) {
      for (let tries = 1; ; tries += 1) {
        opened ??= await openTargets(engine, folder, isThree);
        const row = await tryRow(fault, opened.pairs, isQuick);
        console.log(
          `${name}, ${fault.name}: ${row.seen}${row.problems.map((text) => `\n  NOT OK: ${text}`).join('')}`,
        );
        const isAgain = tries < MAX_TRIES && row.problems.length > 0 && row.problems.every(isOfTime);
        if (!isAgain) rows.push(row);
        const isGood = row.problems.length === 0;
        if (!isGood || fault.endsNodes) {
          await closeTargets(opened);
          opened = undefined;
        }
        if (isGood || !isAgain) break;
      }
    }
  } catch (error) {
    rows.push({
      fault: { name: 'all that follow', expected: 'a run' },
      problems: [error.message],
      seen: 'none',
    });
    console.log(`${name}: ${error.stack}`);
  } finally {
    await closeTargets(opened);
    await engine?.close();
    process.off('exit', removeFolder);
    removeFolder();
  }
  return rows;
}

/** A short run has one fault of each engine, which the commit chooses. */
function chosenFaults(faults, only, isQuick) {
  if (only !== undefined) return faults.filter(({ name }) => only.includes(name));
  if (!isQuick) return faults;
  const quick = faults.filter(({ inQuick }) => inQuick);
  return [quick[turnOfCommit() % quick.length]];
}

/** A row that cannot be run is a row that does not hold. */
async function tryRow(fault, pairs, isQuick) {
  if (fault.impossible !== undefined) {
    return { fault, problems: [`not possible here: ${fault.impossible}`], seen: 'nothing' };
  }
  try {
    await fault.prepare?.();
    return await runRow(isQuick ? { ...fault, lastsMs: QUICK_MS } : fault, pairs);
  } catch (error) {
    return { fault, problems: [error.message], seen: 'nothing' };
  }
}

/**
 * A node and a service in this process; over one store they know of the same passports, and another node is there if it is
 * wanted. `stored` of an engine has for each of them how the agents in its store are read without it.
 */
async function openTargets(engine, folder, isThree) {
  const targets = [];
  try {
    targets.push(await startNode({ storage: engine.storage, cwd: folder }));
    targets.push(await openService({ storage: await engine.openStorage() }));
    if (isThree && engine.isShared) {
      targets.push(await startNode({ storage: engine.storage, cwd: folder, name: 'another serve' }));
    }
    const world = await openWorld(targets[0]);
    const other = engine.isShared ? world : await openWorld(targets[1]);
    const worlds = [world, other, world];
    return {
      targets,
      pairs: targets.map((target, place) => ({
        target,
        world: worlds[place],
        stored: engine.stored?.[place],
      })),
    };
  } catch (error) {
    await closeTargets({ targets });
    throw error;
  }
}

async function closeTargets(opened) {
  for (const target of opened?.targets ?? []) await target.stop();
}
