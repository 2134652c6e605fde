/** Fail-overs after which acknowledged writes are missing, beside those after which none is. */
import { cpSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { redisStorage } from '../../../dist/storage/redis.js';
import { tellRedis, waitFor } from '../../support/redis-words.mjs';
import { ACKNOWLEDGED_MS, MISSING } from '../network-faults.mjs';
import { followed, followersOf, LASTS_MS, promotedBeside } from './redis-primaries.mjs';

const NOTHING = { verdicts: 'none', writes: 'none', ready: 'none' };
/** The nodes that have acknowledged a write which is missing refuse the store for as long as they live. */
const ENDED = MISSING.replace(/;.*/, '; well when the nodes are started again');

const COMMON = { away: {}, lastsMs: LASTS_MS / 2, inQuick: false };

/** A new node takes the store as it is: the others refuse it for what they know, and not because it is down. */
function isGood(url) {
  return waitFor('a new node', async () => {
    await (await redisStorage({ url })).close();
    return true;
  });
}

/** A fail-over without the latest writes ends the nodes that have acknowledged them; one with all of them does not. */
export function unconfirmed({ url, primary, servers }) {
  let lost;
  let others = [];
  const common = {
    ...COMMON,
    async prepare() {
      // A server that an earlier row has lost follows the present primary again.
      if (lost !== undefined) await lost.restart();
      lost = undefined;
      await followed(primary);
    },
    undo: async () => {},
  };
  const tellOthers = async (...words) => {
    for (const { port } of others) await tellRedis(port, words);
  };
  const find = async () => {
    lost = await primary();
    others = await followersOf(lost, servers);
  };
  const kill = async () => {
    await lost.kill();
    await promotedBeside(primary, lost);
  };
  return [
    {
      ...common,
      name: 'primary killed with writes that no replica has',
      expected: ENDED,
      away: NOTHING,
      endsNodes: true,
      async apply() {
        await find();
        // They cannot follow it again: it wants no password.
        await tellOthers('CONFIG', 'SET', 'masterauth', 'wrong');
        await tellOthers('CLIENT', 'KILL', 'TYPE', 'master');
        await pause(ACKNOWLEDGED_MS);
        await kill();
        await isGood(url);
      },
      undo: () => tellOthers('CONFIG', 'SET', 'masterauth', ''),
    },
    {
      ...common,
      name: 'primary killed when its replicas have every write',
      expected: 'right answers or 503; no acknowledged write is lost; well after the promotion',
      isQuiet: true,
      async apply() {
        await find();
        await tellRedis(lost.port, ['CLIENT', 'PAUSE', '30000', 'WRITE']);
        const offsetOf = async ({ port }) =>
          /^master_repl_offset:(\d+)/m.exec(await tellRedis(port, ['INFO', 'replication']))?.[1];
        await waitFor('the replicas have every write', async () => {
          const [most, ...offsets] = await Promise.all([lost, ...others].map(offsetOf));
          return offsets.every((offset) => offset === most);
        });
        await kill();
      },
    },
  ];
}

/**
 * The server that was promoted starts on a copy of its own files (a base in the form of an RDB, and what was appended)
 * that lacks the latest writes. `hold` keeps another one from taking over meanwhile; `lead` makes a server that has
 * started a primary.
 */
export function olderCopyPromoted({ url, primary, servers, hold, lead }) {
  let lost;
  const filesOf = ({ folder }) => ['appendonlydir', 'older'].map((name) => join(folder, name));
  return {
    ...COMMON,
    name: 'an older copy put on the server that was promoted',
    expected: ENDED,
    away: NOTHING,
    endsNodes: true,
    async prepare() {
      await followed(primary);
      for (const server of await followersOf(await primary(), servers)) {
        await waitFor('the files of a replica', async () =>
          /aof_rewrite_in_progress:0/.test(await tellRedis(server.port, ['INFO', 'persistence'])),
        );
        const [files, older] = filesOf(server);
        rmSync(older, { recursive: true, force: true });
        cpSync(files, older, { recursive: true });
      }
    },
    async apply() {
      // The load goes on meanwhile: both nodes acknowledge writes that the copy lacks.
      await pause(ACKNOWLEDGED_MS);
      lost = await primary();
      await lost.kill();
      await promotedBeside(primary, lost);
      const promoted = await primary();
      await pause(ACKNOWLEDGED_MS);
      await hold(true);
      await promoted.kill();
      const [files, older] = filesOf(promoted);
      rmSync(files, { recursive: true });
      renameSync(older, files);
      await promoted.restart();
      await lead(promoted);
      await isGood(url);
    },
    async undo() {
      await hold(false);
      // It follows the older copy.
      await lost.restart();
    },
  };
}
