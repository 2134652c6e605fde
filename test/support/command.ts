/** Runs the command in the process of the tests, because a separate process for each takes half a second of work. */
import { Readable, Writable } from 'node:stream';
import type { Ended, RunOptions } from './process.ts';

/** The parts of its process that the command changes, and that must be restored once it has ended. */
const STREAMS = ['stdin', 'stdout', 'stderr'] as const;
const SIGNALS = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const;

/** The end of the call before: the folder, the environment and the streams of a process are there once. */
let last: Promise<unknown> = Promise.resolve();

interface CommandOptions extends RunOptions {
  /** Whether it reads from a terminal and writes to one. */
  readonly isTerminal?: boolean;
}

/** Runs `agent-identity` to its end; calls at the same time take turns. */
export function run(args: readonly string[], options: CommandOptions): Promise<Ended> {
  const ended = last.then(() => runNow(args, options));
  last = ended.catch(() => undefined);
  return ended;
}

async function runNow(
  args: readonly string[],
  { cwd, env, input, isTerminal = false }: CommandOptions,
): Promise<Ended> {
  const { runCommand } = await import('../../adapters/cli/program.ts');
  const written = { stdout: '', stderr: '' };
  const into = (name: 'stdout' | 'stderr') =>
    Object.assign(
      new Writable({
        decodeStrings: false,
        write(chunk, _encoding, done) {
          written[name] += typeof chunk === 'string' ? chunk : Buffer.from(chunk).toString('utf8');
          done();
        },
      }),
      { isTTY: isTerminal },
    );
  const restore = keepProcess();
  try {
    process.chdir(cwd);
    const { PATH, HOME } = process.env;
    setEnvironment({ PATH, HOME, NO_COLOR: '1', ...env });
    const stdin = Object.assign(Readable.from([input ?? '']), { isTTY: isTerminal });
    const streams = { stdin, stdout: into('stdout'), stderr: into('stderr') };
    for (const name of STREAMS) Object.defineProperty(process, name, { ...CHANGEABLE, value: streams[name] });
    await runCommand(args);
    return { code: Number(process.exitCode ?? 0), signal: null, ...written };
  } finally {
    restore();
  }
}

const CHANGEABLE = { configurable: true, enumerable: true } as const;

/** How to give the process back what it has now. */
function keepProcess(): () => void {
  const { exitCode } = process;
  const folder = process.cwd();
  const environment = { ...process.env };
  const streams = STREAMS.map((name) => [name, Object.getOwnPropertyDescriptor(process, name)] as const);
  const listeners = SIGNALS.map((signal) => [signal, process.listeners(signal)] as const);
  const warners = process.listeners('warning');
  process.exitCode = undefined;
  process.removeAllListeners('warning');
  // Guards of files that ran before may still warn; no command that runs in this process guards a tool.
  process.on('warning', (warning) => {
    if (warning.name !== 'ToolGuardWarning') for (const warner of warners) warner.call(process, warning);
  });
  return () => {
    process.removeAllListeners('warning');
    for (const warner of warners) process.on('warning', warner);
    for (const [signal, before] of listeners) {
      for (const one of process.listeners(signal)) if (!before.includes(one)) process.off(signal, one);
    }
    for (const [name, descriptor] of streams) Object.defineProperty(process, name, descriptor ?? CHANGEABLE);
    setEnvironment(environment);
    process.chdir(folder);
    process.exitCode = exitCode;
  };
}

function setEnvironment(wanted: Readonly<Record<string, string | undefined>>): void {
  for (const name of Object.keys(process.env)) delete process.env[name];
  for (const [name, value] of Object.entries(wanted)) if (value !== undefined) process.env[name] = value;
}
