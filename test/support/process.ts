/** Starts the built command as a child process, as a shell would. */
import { type ChildProcess, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { PATIENT_MS } from './patience.ts';

/** The file behind the command `agent-identity`. */
export const CLI: string = fileURLToPath(new URL('../../dist/cli.js', import.meta.url));

/** A password and a secret that a test gives. */
export const GIVEN = {
  AGENT_IDENTITY_PASSWORD: 'Ein-Gutes-Kennwort-7',
  AGENT_IDENTITY_SECRET: 'Zq8-vW2.mK5_tR9+xB3~nL6*pH1=cJ4!',
} as const;

export interface RunOptions {
  readonly cwd: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly input?: string;
}

/** The exit code and the output of a process. */
export interface Ended {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** A process with what it has written so far. */
export interface Running {
  readonly child: ChildProcess;
  readonly stdout: () => string;
  readonly stderr: () => string;
  readonly ended: Promise<Ended>;
}

/** A server that answers. */
export interface Serving extends Running {
  /** Such as `http://localhost:40123`. */
  readonly origin: string;
  /** Ends it by a signal, and waits for that. */
  readonly stop: (signal?: NodeJS.Signals) => Promise<Ended>;
}

/** Starts a program whose environment has only `env`, `PATH` and `HOME`. */
export function start(program: string, args: readonly string[], { cwd, env, input }: RunOptions): Running {
  const { PATH, HOME } = process.env;
  const child = spawn(program, args, { cwd, env: { PATH, HOME, NO_COLOR: '1', ...env } });
  const written = { stdout: '', stderr: '' };
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    written.stdout += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    written.stderr += text;
  });
  child.stdin.on('error', () => {}).end(input);
  const ended = once(child, 'close').then(([code, signal]) => ({ code, signal, ...written }));
  return { child, ended, stdout: () => written.stdout, stderr: () => written.stderr };
}

/** Runs `agent-identity` to its end, in a separate process. */
export function runProcess(args: readonly string[], options: RunOptions): Promise<Ended> {
  return start(process.execPath, [CLI, ...args], options).ended;
}

/** Runs a script in a POSIX shell to its end. */
export function runShell(script: string, options: RunOptions): Promise<Ended> {
  return start('sh', ['-c', script], options).ended;
}

/** Starts `agent-identity serve` on a free port, with time for a slow machine, and waits until it is ready. */
export function startServe(options: RunOptions, args: readonly string[] = []): Promise<Serving> {
  const env = { AGENT_IDENTITY_STORAGE_TIMEOUT: `${PATIENT_MS}`, ...options.env };
  return ready(start(process.execPath, [CLI, 'serve', '--port', '0', ...args], { ...options, env }));
}

/** The server as soon as it says that it is ready; rejects with what it wrote when it ends before. */
export async function ready(running: Running): Promise<Serving> {
  const origin = await said(running, () => /^ {2}Page +(\S+)\/$/m.exec(running.stdout())?.[1]);
  return {
    ...running,
    origin,
    stop(signal = 'SIGTERM') {
      running.child.kill(signal);
      return running.ended;
    },
  };
}

/** Returns the result of `find` in the output of the process, as soon as there is one. */
export async function said<Found>(running: Running, find: () => Found | undefined): Promise<Found> {
  for (;;) {
    const found = find();
    if (found !== undefined) return found;
    const { stdout, stderr } = running.child;
    const more = [stdout, stderr].map((stream) => new Promise((resolve) => stream?.once('data', resolve)));
    const end = await Promise.race([running.ended, ...more.map((wait) => wait.then(() => undefined))]);
    if (end === undefined) continue;
    const last = find();
    if (last !== undefined) return last;
    throw new Error(`It ended with ${end.code ?? end.signal}: ${end.stdout}${end.stderr}`);
  }
}

/** An empty folder, and how to remove it. */
export function openFolder(parent: string = tmpdir()): {
  readonly folder: string;
  readonly remove: () => void;
} {
  const folder = mkdtempSync(join(parent, 'ais-cli-'));
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true }) };
}

/** Every file below a folder by the hash of its bytes; the shared memory of SQLite (-shm) holds no data. */
export function snapshot(folder: string): Readonly<Record<string, string>> {
  const names = readdirSync(folder, { recursive: true })
    .map(String)
    .filter((name) => !name.endsWith('-shm'));
  return Object.fromEntries(names.map((name) => [name, hashOf(join(folder, name))]));
}

function hashOf(path: string): string {
  if (!statSync(path).isFile()) return 'no file';
  return createHash('sha256').update(readFileSync(path)).digest('hex');
}
