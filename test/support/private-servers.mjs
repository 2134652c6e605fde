/**
 * Private PostgreSQL and Redis servers, to kill and to freeze. Each has its own port and folder, and acknowledges a
 * write only when it is on the disk. They end with the process that started them.
 */
import { execFile, execFileSync, spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import {
  chownSync,
  closeSync,
  existsSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
} from 'node:fs';
import { connect, createServer } from 'node:net';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { rowsOf } from './promote-postgres.mjs';

/**
 * Below the ports that the kernel gives to clients, because a client that dials a dead server there can reach itself.
 */
const FIRST_PORT = 20_000;
const LAST_PORT = 32_000;

/** The functions that remove the servers that still run when this process ends. */
const atExit = new Set();
process.once('exit', () => {
  for (const removeNow of atExit) removeNow();
});

const START_MS = 30_000;
const STOP_MS = 20_000;

/**
 * A new PostgreSQL, ready; `options` are settings as for `-c`, `of` the URL of the primary that it is a standby of.
 * See the declarations for what it can do.
 */
export async function startPostgres({ port, options = {}, of } = {}) {
  const bin = postgresBin();
  if (bin === undefined)
    throw new Error('There is no PostgreSQL server to start: apt-get install postgresql.');
  const owner = ownerOfPostgres();
  const folder = folderOfPostgres('ais-postgres-');
  const data = join(folder, 'data');
  const init = ['initdb', '--auth', 'trust', '--username', 'root', '--encoding', 'UTF8', '--no-locale'];
  const copy = ['pg_basebackup', '--dbname', of, '--checkpoint', 'fast', '--write-recovery-conf'];
  const [make, ...how] = of === undefined ? init : copy;
  const [program, ...args] = [...owner, join(bin, make), ...how, '--pgdata', data, '--no-sync'];
  // Not synchronously: the primary may be reached by a proxy in this process.
  await promisify(execFile)(program, args, { cwd: '/' });
  const urlOf = (own) => `postgres://root@127.0.0.1:${own}/postgres`;
  return startServer({
    port,
    folder,
    urlOf,
    stopSignal: 'SIGINT',
    commandOf: (own) => {
      const settings = {
        port: `${own}`,
        listen_addresses: '127.0.0.1',
        unix_socket_directories: folder,
        shared_buffers: '32MB',
        ...options,
      };
      const given = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
      return [...tiedToParent('QUIT', owner), join(bin, 'postgres'), '-D', data, ...given];
    },
    answers: (own) => postgresAnswers(urlOf(own)),
  });
}

/** A new Redis, ready; `options` are settings as in its configuration. See the declarations for what it can do. */
export async function startRedis({ port, options = {} } = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'ais-redis-'));
  return startServer({
    port,
    folder,
    urlOf: (own) => `redis://127.0.0.1:${own}`,
    stopSignal: 'SIGTERM',
    commandOf: (own) => {
      const settings = {
        port: `${own}`,
        bind: '127.0.0.1',
        dir: folder,
        save: '',
        appendonly: 'yes',
        appendfsync: 'always',
        'maxmemory-policy': 'noeviction',
        ...options,
      };
      const given = Object.entries(settings).flatMap(([name, value]) => [`--${name}`, value]);
      return [...tiedToParent('KILL'), 'redis-server', ...given];
    },
    answers: redisAnswers,
  });
}

/** The words before a command that make a signal end it when this process has died, as another user where given. */
export function tiedToParent(signalName, owner = []) {
  if (process.platform !== 'linux') return owner;
  return [...(owner.length > 0 ? owner : ['setpriv']), '--pdeathsig', signalName];
}

/** A server of one's own by its command line; `answers` says whether it is ready. */
export async function startServer({ port, folder, urlOf, stopSignal, commandOf, answers }) {
  let child;
  let ended = Promise.resolve();
  const own = port ?? (await freePort());

  async function start() {
    const log = openSync(join(folder, 'log'), 'a');
    const [program, ...args] = commandOf(own);
    child = spawn(program, args, { cwd: '/', detached: true, stdio: ['ignore', log, log] });
    closeSync(log);
    ended = once(child, 'exit');
    ended.catch(() => {});
    const started = performance.now();
    while (!(await answers(own))) {
      if (!isRunning() || performance.now() - started > START_MS) {
        killAll(child.pid);
        throw new Error(`The private server on port ${own} did not start:\n${lastOf(join(folder, 'log'))}`);
      }
      await pause(20);
    }
  }

  const isRunning = () => child.pid !== undefined && child.exitCode === null && child.signalCode === null;

  async function kill() {
    if (!isRunning()) return;
    const killed = killAll(child.pid);
    await ended;
    while (killed.some(isAlive)) await pause(2);
  }

  async function stop() {
    if (!isRunning()) return;
    thaw();
    child.kill(stopSignal);
    const timer = setTimeout(() => killAll(child.pid), STOP_MS);
    await ended;
    clearTimeout(timer);
  }

  function freeze() {
    // The first one first: it starts no other any more.
    process.kill(child.pid, 'SIGSTOP');
    for (const pid of childrenOf(child.pid)) signal(pid, 'SIGSTOP');
  }

  function thaw() {
    for (const pid of [...childrenOf(child.pid), child.pid]) signal(pid, 'SIGCONT');
  }

  async function restart() {
    await stop();
    await start();
  }

  function removeNow() {
    if (isRunning()) killAll(child.pid);
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  }

  async function remove() {
    await kill();
    atExit.delete(removeNow);
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  }

  atExit.add(removeNow);
  try {
    await start();
  } catch (error) {
    await remove();
    throw error;
  }
  return { url: urlOf(own), port: own, folder, kill, stop, freeze, thaw, restart, remove };
}

/** Kills a process and all that it has started, as one: it cannot notice that they die. Their ids. */
function killAll(pid) {
  if (pid === undefined || !signal(pid, 'SIGSTOP')) return [];
  const all = [...childrenOf(pid), pid];
  for (const one of all) signal(one, 'SIGKILL');
  return all;
}

function signal(pid, name) {
  try {
    return process.kill(pid, name);
  } catch (error) {
    if (error.code !== 'ESRCH') throw error;
    return false;
  }
}

function childrenOf(pid) {
  try {
    return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8')
      .trim()
      .split(' ')
      .filter(Boolean)
      .map(Number);
  } catch {
    return [];
  }
}

/** Says whether a process still holds any resource. An ended process that its parent has not read holds none. */
function isAlive(pid) {
  try {
    return !/^\d+ \(.*\) Z/.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return false;
  }
}

/** The words before a command that refuses to run as root, as PostgreSQL and PgBouncer do. */
export function ownerOfPostgres() {
  if (userInfo().uid !== 0) return [];
  return ['setpriv', '--reuid=postgres', '--regid=postgres', '--clear-groups'];
}

/** A new folder for a program that runs as `ownerOfPostgres` says. */
export function folderOfPostgres(prefix) {
  const folder = mkdtempSync(join(tmpdir(), prefix));
  if (ownerOfPostgres().length > 0) chownSync(folder, Number(idOf('-u')), Number(idOf('-g')));
  return folder;
}

function idOf(flag) {
  return execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' });
}

/** Whether a PostgreSQL is installed that can be started. */
export function hasPostgresProgram() {
  return postgresBin() !== undefined;
}

function postgresBin() {
  const root = '/usr/lib/postgresql';
  const versions = existsSync(root) ? readdirSync(root).sort((a, b) => Number(b) - Number(a)) : [];
  return versions.map((version) => join(root, version, 'bin')).find((bin) => existsSync(join(bin, 'initdb')));
}

/** The ports that this process was given. Their servers may not listen yet. */
const given = new Set();
/** Processes take different ports, unless their ids have the same remainder. */
const LANES = 16;

/** A port of 127.0.0.1 that no process listens on, and that the kernel gives to no client. Each is given once. */
export async function freePort() {
  for (;;) {
    const port = FIRST_PORT + LANES * randomInt((LAST_PORT - FIRST_PORT) / LANES) + (process.pid % LANES);
    if (given.has(port)) continue;
    const server = createServer();
    const isFree = await new Promise((resolve) => {
      server.once('error', () => resolve(false)).listen(port, '127.0.0.1', () => resolve(true));
    });
    if (!isFree) continue;
    server.close();
    await once(server, 'close');
    given.add(port);
    return port;
  }
}

/** Whether a PostgreSQL answers a question. */
export async function postgresAnswers(url) {
  return (await rowsOf(url, 'select 1').catch(() => [])).length > 0;
}

/** Whether it has read its data: until then it answers another error than to who does not know its password. */
export function redisAnswers(port) {
  return new Promise((resolve) => {
    const socket = connect({ port, host: '127.0.0.1' }, () => socket.write('PING\r\n'));
    const end = (answer) => {
      socket.destroy();
      resolve(answer);
    };
    socket.setTimeout(2_000, () => end(false));
    socket.once('data', (text) => end(/^(\+PONG|-NOAUTH)/.test(text.toString('latin1'))));
    socket.once('error', () => end(false));
    socket.once('close', () => end(false));
  });
}

function lastOf(file) {
  return readFileSync(file, 'utf8').split('\n').slice(-15).join('\n');
}
