import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { test } from 'vitest';

/** A PostgreSQL server that a test may do anything to. */
export interface OwnPostgres {
  readonly url: string;
  /** Stops every process of it where it stands, as a machine does that hangs. */
  freeze(): void;
  thaw(): void;
  /** Kills every process of it, as a power cut does. */
  kill(): Promise<void>;
  /** Starts it on the same folder and port; resolves when it answers. */
  start(): Promise<void>;
  /** Kills it and removes its folder. */
  remove(): Promise<void>;
}

/** Whether a server can be started here; where it cannot, one case says so, and fails on CI. */
export function canOwnPostgres(): boolean {
  if (programs() !== undefined) return true;
  const what = 'There is no initdb: nothing about a server that fails was proved. Install postgresql.';
  test(what, () => {
    if (process.env['CI'] === 'true') throw new Error(what);
    console.warn(what);
  });
  return false;
}

/** A server that runs, with an empty database. */
export async function startOwnPostgres(): Promise<OwnPostgres> {
  const folder = mkdtempSync(join(tmpdir(), 'ais-postgres-'));
  // PostgreSQL refuses to run as root.
  if (process.geteuid?.() === 0) spawnSync('chown', ['postgres', folder]);
  chmodSync(folder, 0o700);
  const port = await freePort();
  const url = `postgres://root@127.0.0.1:${port}/postgres`;
  const made = spawnAsServer('initdb', ['-D', folder, '-A', 'trust', '-U', 'root', '-E', 'UTF8', '-N']);
  const [code] = await once(made, 'exit');
  if (code !== 0) throw new Error('initdb failed.');
  let server: ChildProcess | undefined;

  function signal(name: NodeJS.Signals): void {
    const pid = server?.pid;
    if (pid === undefined) return;
    // The first of them would start others in the place of those that are gone.
    for (const one of [pid, ...childrenOf(pid)]) {
      try {
        process.kill(one, name);
      } catch {
        // It has ended by itself.
      }
    }
  }

  async function kill(): Promise<void> {
    if (server === undefined) return;
    const ended = once(server, 'exit');
    signal('SIGSTOP');
    signal('SIGKILL');
    await ended;
    server = undefined;
  }

  async function start(): Promise<void> {
    const settings = [`port=${port}`, 'listen_addresses=127.0.0.1', `unix_socket_directories=${folder}`];
    // A process that is killed leaves to the system what it has written: only a machine needs the fsync.
    const options = [...settings, 'fsync=off'].flatMap((setting) => ['-c', setting]);
    server = spawnAsServer('postgres', ['-D', folder, ...options]);
    while (!(await answers(url))) {
      if (server.exitCode !== null) throw new Error('PostgreSQL has ended.');
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }

  await start();
  return {
    url,
    freeze: () => signal('SIGSTOP'),
    thaw: () => signal('SIGCONT'),
    kill,
    start,
    async remove() {
      await kill();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function programs(): string | undefined {
  const root = '/usr/lib/postgresql';
  const versions = existsSync(root) ? readdirSync(root).sort() : [];
  return versions
    .map((version) => join(root, version, 'bin'))
    .findLast((bin) => existsSync(join(bin, 'initdb')));
}

function spawnAsServer(program: string, args: readonly string[]): ChildProcess {
  const isRoot = process.geteuid?.() === 0;
  const prefix = isRoot ? ['setpriv', '--reuid=postgres', '--regid=postgres', '--clear-groups'] : [];
  const [command = '', ...rest] = [...prefix, join(programs() ?? '', program), ...args];
  return spawn(command, rest, { cwd: '/', stdio: 'ignore' });
}

function childrenOf(parent: number): readonly number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && parentOf(name) === parent)
    .map(Number);
}

function parentOf(pid: string): number | undefined {
  try {
    // The name of the program, in parentheses, may hold anything.
    return Number(
      readFileSync(`/proc/${pid}/stat`, 'utf8')
        .replace(/^.*\) /s, '')
        .split(' ')[1],
    );
  } catch {
    return undefined;
  }
}

async function answers(url: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 1_000 });
  client.on('error', () => {});
  try {
    await client.connect();
    await client.query('select 1');
    return true;
  } catch {
    return false;
  } finally {
    await client.end().catch(() => undefined);
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (typeof address !== 'object' || address === null) throw new Error('There is no port.');
  return address.port;
}
