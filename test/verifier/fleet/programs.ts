/** The processes of a fleet: each is started with a clock that a test sets, and may have one other line of code. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { tiedToParent } from '../../support/private-servers.mjs';
import { CLI } from '../../support/process.ts';
import type { Patch } from './mutants.ts';

const PRELOAD = new URL('preload.mjs', import.meta.url).href;
const NODE = fileURLToPath(new URL('node.mjs', import.meta.url));
const ASKER = fileURLToPath(new URL('asker.mjs', import.meta.url));

/** A process that is stopped and goes on, and whose wall clock is set. */
export interface Program {
  /** Its end, unless a test asked for it, is an error of this process. */
  readonly child: ChildProcess;
  /** True while it stands still or its clock is off. */
  isAway: boolean;
  setClock(offMs: number): void;
  kill(): Promise<void>;
}

/** The calls of one node. */
export interface FleetNode extends Program {
  readonly port: number;
  setFaults(faults: { readonly lost: number; readonly slow: number }): void;
  /** Calls a method of the service, and returns its result and when it settled, by the clock of the machine. */
  call<Result>(
    method: string,
    ...args: readonly unknown[]
  ): Promise<{ readonly result: Result; readonly at: number }>;
}

/** The sight of one subject by one application: the beginning of its last ALLOW, and of its last answered question. */
export interface Sight {
  readonly last: number;
  readonly answered: number;
}

/** The questions that were answered by the verifier, by its service, and not at all. */
export interface AskedCounts {
  own: number;
  asked: number;
  failed: number;
}

/** A subject: an agent that is asked about with a key. */
export interface Subject {
  readonly id: string;
  readonly agent_id: string;
  readonly apiKey: string;
}

/** An application with a verifier in its process, or beside it. */
export interface Asker extends Program {
  readonly sights: ReadonlyMap<string, Sight>;
  readonly counts: AskedCounts;
  begin(subject: Subject, command?: string): void;
  end(id: string): void;
}

interface Spawned extends Program {
  readonly stdout: () => string;
}

function spawnProgram(
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  patch?: Patch,
): Spawned {
  const program = [process.execPath, '--import', PRELOAD, ...args];
  const [command = '', ...rest] = [...tiedToParent('KILL'), ...program];
  const { PATH, HOME } = process.env;
  const patched = patch && { FLEET_PATCH: JSON.stringify(patch) };
  const child = spawn(command, rest, {
    cwd: '/',
    env: { PATH, HOME, ...env, ...patched },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  const written = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const)
    child[name]?.setEncoding('utf8').on('data', (text: string) => (written[name] += text));
  const ended = once(child, 'close');
  let isKilled = false;
  ended.then(([code]) => {
    if (!isKilled) throw new Error(`${args[0]} ended by itself with ${code}: ${written.stderr}`);
  });
  return {
    ...{ child, isAway: false, stdout: () => written.stdout },
    setClock: (offMs) => child.send({ offMs }),
    async kill() {
      isKilled = true;
      child.kill('SIGKILL');
      await ended;
    },
  };
}

/** Starts a node on the store of that URL. */
export async function startNode(url: string, patch?: Patch): Promise<FleetNode> {
  const program = spawnProgram([NODE, url], {}, patch);
  const { child } = program;
  const [{ port }] = await once(child, 'message');
  const open = new Map<number, (answer: { error?: string; result: never; at: number }) => void>();
  child.on('message', (answer: { id: number; error?: string; result: never; at: number }) => {
    open.get(answer.id)?.(answer);
    open.delete(answer.id);
  });
  let count = 0;
  return Object.assign(program, {
    ...{ port },
    setFaults: (faults: object) => child.send({ faults }),
    async call(method: string, ...args: readonly unknown[]) {
      count += 1;
      const id = count;
      const { error, result, at } = await new Promise<{ error?: string; result: never; at: number }>(
        (resolve) => {
          open.set(id, resolve);
          child.send({ id, method, args });
        },
      );
      if (error !== undefined) throw new Error(error);
      return { result, at };
    },
  });
}

/** Starts an application. */
export function startAsker(baseUrl: string, patch?: Patch): Asker {
  const program = spawnProgram([ASKER], {}, patch);
  const { child } = program;
  const sights = new Map<string, Sight>();
  const counts = { own: 0, asked: 0, failed: 0 };
  interface Report {
    readonly seen: readonly (readonly [id: string, last: number, answered: number])[];
    readonly counts: AskedCounts;
  }
  child.on('message', (report: Report) => {
    Object.assign(counts, report.counts);
    for (const [id, last, answered] of report.seen) sights.set(id, { last, answered });
  });
  return Object.assign(program, {
    ...{ sights, counts },
    begin: (subject: Subject, command?: string) => child.send({ subject: { ...subject, baseUrl, command } }),
    end(id: string) {
      child.send({ over: id });
      sights.delete(id);
    },
  });
}

/** Starts `agent-identity verifier`, and returns it with its base URL. */
export async function startCommand(
  baseUrl: string,
  apiKey: string,
  patch?: Patch,
): Promise<Program & { readonly at: string }> {
  const args = [CLI, 'verifier', '--url', baseUrl, '--port', '0'];
  const program = spawnProgram(args, { AGENT_IDENTITY_API_KEY: apiKey }, patch);
  for (;;) {
    const port = /^ {2}API +\S+:(\d+)\/api$/m.exec(program.stdout())?.[1];
    if (port !== undefined) return Object.assign(program, { at: `http://127.0.0.1:${port}/api` });
    await once(program.child.stdout ?? program.child, 'data');
  }
}
