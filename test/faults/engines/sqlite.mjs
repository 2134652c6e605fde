/** Two SQLite files, one for each target, on a small disk of their own where there can be one. */
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, existsSync, linkSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { sqliteStorage } from '../../../dist/storage/sql.js';
import { agentOf } from '../load.mjs';
import { openSmallDisk, run } from '../resources.mjs';

const SMALL_DISK_MIB = 64;
/** Where programs that are given as text find `libsql`. */
const PACKAGE = new URL('../../..', import.meta.url).pathname;
const EVALUATED = ['--input-type=module', '--eval'];
const REFUSED = 'right verdicts or 503; every write 503; ready 503';

/** The engine; see `postgres.mjs`. */
export async function openSqlite() {
  const disk = openSmallDisk(SMALL_DISK_MIB);
  const files = ['node.db', 'service.db'].map((name) => join(disk.folder, name));
  const [forNode, forService] = files;
  const close = () => disk.remove();
  return {
    name: 'sqlite',
    storage: `sqlite:${forNode}`,
    isShared: false,
    stored: files.map((file) => () => agentsIn(file)),
    openStorage: () => sqliteStorage({ file: forService }),
    faults: [
      {
        name: 'file deleted',
        inQuick: true,
        expected: REFUSED,
        away: { writes: 'none', ready: 'none' },
        apply: async () => files.forEach(hide),
        undo: async () => files.forEach(show),
      },
      {
        name: 'file replaced',
        inQuick: true,
        expected: REFUSED,
        away: { writes: 'none', ready: 'none' },
        prepare: async () => (await sqliteStorage({ file: otherOf(disk) })).close(),
        async apply() {
          for (const file of files) {
            hide(file);
            copyFileSync(otherOf(disk), file);
          }
        },
        undo: async () => files.forEach(show),
      },
      {
        name: 'locked by another process',
        inQuick: true,
        expected: 'right verdicts or 503; every write 503',
        away: { writes: 'none' },
        ...locked(files),
      },
      {
        name: 'disk full',
        impossible: disk.impossible,
        expected: 'right verdicts or 503; a write that finds no room 503',
        away: { writes: 'some refused' },
        apply: async () => disk.fill(),
        undo: async () => disk.clear(),
      },
      {
        name: 'read-only files',
        impossible: whyNotReadOnly(disk),
        expected: 'right verdicts or 503; every write 503',
        away: { writes: 'none' },
        apply: async () => setImmutable('+i', files),
        undo: async () => setImmutable('-i', files),
      },
    ],
    close,
  };
}

function otherOf(disk) {
  return join(disk.folder, 'other.db');
}

/** The path leads nowhere, while the file lives on under another name. */
function hide(file) {
  rmSync(keptOf(file), { force: true });
  linkSync(file, keptOf(file));
  rmSync(file);
}

function show(file) {
  if (!existsSync(keptOf(file))) return;
  renameSync(keptOf(file), file);
}

function keptOf(file) {
  return `${file}.kept`;
}

/** Takes the lock for writing of every file, says so, and holds it until it is killed. */
const HOLDER = `
  import Database from 'libsql';
  for (const file of process.argv.slice(1)) {
    const database = new Database(file);
    database.exec('pragma busy_timeout = 10000');
    database.exec('begin immediate');
  }
  console.log('locked');
  setInterval(() => {}, 1000);
`;

/** Prints the names of the agents that have a passport in a file. */
const FINDER = `
  import Database from 'libsql';
  const rows = new Database(process.argv[1]).prepare('select agent_name from ais_passports').all();
  console.log(JSON.stringify(rows.map(({ agent_name }) => agent_name)));
`;

/** The agents that another process finds: those of which a new start would know. */
async function agentsIn(file) {
  const { stdout } = await promisify(execFile)(process.execPath, [...EVALUATED, FINDER, file], {
    cwd: PACKAGE,
    maxBuffer: 64 * 1_048_576,
  });
  return new Set(JSON.parse(stdout).map(agentOf));
}

function locked(files) {
  let holder;
  return {
    async apply() {
      holder = spawn(process.execPath, [...EVALUATED, HOLDER, ...files], {
        cwd: PACKAGE,
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      const end = () => holder.kill('SIGKILL');
      process.once('exit', end);
      holder.once('close', () => process.off('exit', end));
      const [said] = await Promise.race([once(holder.stdout, 'data'), once(holder, 'close')]);
      if (!`${said}`.startsWith('locked')) throw new Error('No other process could lock the files.');
    },
    async undo() {
      if (holder === undefined || holder.exitCode !== null) return;
      holder.kill('SIGKILL');
      await once(holder, 'close');
    },
  };
}

/** Immutable files refuse writes also to those who have them open, and to root. */
function setImmutable(flag, files) {
  const all = files.flatMap((file) => [file, `${file}-wal`]);
  run('chattr', [flag, ...all]);
}

function whyNotReadOnly(disk) {
  if (disk.impossible !== undefined) return disk.impossible;
  const probe = join(disk.folder, 'probe');
  try {
    writeFileSync(probe, '');
    for (const flag of ['+i', '-i']) run('chattr', [flag, probe]);
    return undefined;
  } catch (error) {
    return `no immutable files (${error.message})`;
  }
}
