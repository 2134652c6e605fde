import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** The root of the project. */
export const root: string = fileURLToPath(new URL('../..', import.meta.url));
const cli = join(root, 'dist/cli.js');

/** A folder inside the package, so that snippets in it import the package by its name. */
export interface Workplace {
  readonly folder: string;
  readonly env: NodeJS.ProcessEnv;
  /** Runs the text as a module and gives back what it prints. */
  runModule(text: string): Promise<string>;
  /** Runs the scripts in one shell, and gives back what each of them prints. */
  runShell(scripts: readonly string[]): Promise<string[]>;
  remove(): Promise<void>;
}

/** What a server listens on is left free, and no server keeps a snippet running. */
const PRELOAD = `
import { Server } from 'node:net';
const { listen } = Server.prototype;
Server.prototype.listen = function (_port, ...rest) {
  return listen.call(this, 0, ...rest).unref();
};
`;

/** Starts an empty workplace; `agent-identity` is a command in its shell. */
export async function openWorkplace(variables: Readonly<Record<string, string>>): Promise<Workplace> {
  await mkdir(join(root, '.build'), { recursive: true });
  const folder = await mkdtemp(join(root, '.build/readme-'));
  const command = join(folder, 'bin/agent-identity');
  await mkdir(join(folder, 'bin'));
  await writeFile(command, `#!/bin/sh\nexec '${process.execPath}' '${cli}' "$@"\n`);
  await chmod(command, 0o755);
  await writeFile(join(folder, 'preload.mjs'), PRELOAD);
  const PATH = `${join(folder, 'bin')}${delimiter}${process.env['PATH']}`;
  const env = { ...process.env, ...variables, PATH, NO_COLOR: '1' };
  const options = { cwd: folder, env, timeout: 60_000 };
  let count = 0;
  return {
    folder,
    env,
    async runModule(text) {
      count += 1;
      const file = `snippet-${count}.mjs`;
      await writeFile(join(folder, file), text);
      return (await run(process.execPath, ['--import', './preload.mjs', file], options)).stdout;
    },
    async runShell(scripts) {
      const marked = scripts.map((script) => `${script}\nprintf '\\036'`).join('\n');
      await writeFile(join(folder, 'script.sh'), marked);
      const { stdout } = await run('sh', ['-eu', 'script.sh'], options);
      return stdout.split('\u001e').slice(0, -1);
    },
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}

/** A service that runs, as `agent-identity serve` starts it. */
export interface Running {
  readonly port: number;
  stop(): Promise<void>;
}

/** Starts the command on a free port with nothing stored. */
export async function startServer({ folder, env }: Workplace): Promise<Running> {
  const args = [cli, 'serve', '--port', '0', '--storage', 'memory:'];
  const server = spawn(process.execPath, args, { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'] });
  const port = await portOf(server);
  return {
    port,
    async stop() {
      const ended = once(server, 'exit');
      server.kill('SIGTERM');
      await ended;
    },
  };
}

/** An API key of a service that runs, for snippets that ask it. */
export async function newApiKey({ port }: Running, password: string): Promise<string> {
  const api = `http://localhost:${port}/api`;
  const post = async (path: string, body: object, headers?: Readonly<Record<string, string>>) => {
    const init = { method: 'POST', headers: { 'content-type': 'application/json', ...headers } };
    const response = await fetch(`${api}${path}`, { ...init, body: JSON.stringify(body) });
    if (!response.ok) throw new Error(`${path} answered ${response.status}: ${await response.text()}`);
    return response.json();
  };
  const { access_token } = await post('/auth/login', { email: 'admin@localhost', password });
  return (await post('/keys', { name: 'snippets' }, { authorization: `Bearer ${access_token}` })).key;
}

async function portOf(server: ChildProcess): Promise<number> {
  if (server.stdout === null || server.stderr === null) throw new Error('The server has no output.');
  const complaints: string[] = [];
  server.stderr.on('data', (chunk: Uint8Array) => complaints.push(`${chunk}`));
  for await (const line of createInterface(server.stdout)) {
    const port = /http:\/\/localhost:(\d+)\/api/.exec(line)?.[1];
    if (port !== undefined) return Number(port);
  }
  throw new Error(`The server did not start: ${complaints.join('')}`);
}
