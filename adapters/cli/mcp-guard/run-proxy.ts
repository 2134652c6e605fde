/** Runs an MCP server as a child process, with a gate between the server and the client on stdin and stdout. */
import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { constants } from 'node:os';
import type { Readable, Writable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { outputError } from '../output/error.ts';
import { printError, writeOutput } from '../output/terminal.ts';
import { createGate, type GateOptions } from './gate.ts';
import { type Message, writeMessage } from './message.ts';
import type { ToolLists } from './tool-list.ts';

const LINE_FEED = 0x0a;

/**
 * Yields each line without its line break; `undefined` for a line of more than `limit` bytes. An incomplete last line
 * is left out.
 */
async function* linesOf(
  stream: AsyncIterable<Uint8Array>,
  limit: number,
): AsyncIterable<Uint8Array | undefined> {
  let parts: Uint8Array[] = [];
  let size = 0;
  const line = (): Uint8Array | undefined => {
    const [first] = parts;
    const whole = size > limit ? undefined : parts.length === 1 ? first : Buffer.concat(parts);
    parts = [];
    size = 0;
    return whole;
  };
  const take = (part: Uint8Array): void => {
    size += part.length;
    // What is too long is not kept.
    if (size > limit) parts = [];
    else parts.push(part);
  };
  for await (const chunk of stream) {
    let start = 0;
    for (let end = chunk.indexOf(LINE_FEED); end !== -1; end = chunk.indexOf(LINE_FEED, start)) {
      take(chunk.subarray(start, end));
      start = end + 1;
      yield line();
    }
    if (start < chunk.length) take(chunk.subarray(start));
  }
}

export interface ProxyOptions extends Omit<GateOptions, 'forward' | 'answer' | 'onList'> {
  readonly command: string;
  readonly args: readonly string[];
  readonly lists: ToolLists;
}

type Child = ChildProcessByStdio<Writable, Readable, null>;

const MAX_CLIENT_LINE = 16 * 1024 * 1024;
/**
 * The maximum length of a server line in bytes. A longer line ends the server, because a line stays in memory until it
 * is complete.
 */
const MAX_SERVER_LINE = 256 * 1024 * 1024;
const MAX_PENDING = 1_000;
const SIGNALS = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const;
/** The milliseconds to wait for the last output of an ended child process, or for the end of a stopped one. */
const LAST_MS = 1_000;
/** The milliseconds of silence after which a server without a client is stopped. */
const IDLE_MS = 5_000;
const LOOK_MS = 250;
const HAS_GROUPS = process.platform !== 'win32';

export async function runProxy(options: ProxyOptions): Promise<number> {
  const { command, args, lists, ...gateOptions } = options;
  const child: Child = spawn(command, args, {
    shell: false,
    stdio: ['pipe', 'pipe', 'inherit'],
    env: withoutSecrets(process.env),
    // A group of its own: what a shell or npx has started ends with it.
    detached: HAS_GROUPS,
  });
  // A server that has ended takes no more calls.
  child.stdin.on('error', () => undefined);
  const exitPromise = exitCodeOf(child, command);
  const stops = SIGNALS.map((signal) => [signal, () => killAll(child, signal)] as const);
  for (const [signal, stop] of stops) process.on(signal, stop);
  const gate = createGate({
    ...gateOptions,
    forward: (message) => child.stdin.write(writeMessage(message)),
    answer: (message: Message) => void writeOutput(writeMessage(message)),
    onList: lists.expect,
  });

  let lastLineAt = 0;

  async function serveClient(): Promise<void> {
    for await (const line of linesOf(process.stdin, MAX_CLIENT_LINE)) {
      gate.receive(line);
      if (gate.pendingCount() >= MAX_PENDING) await gate.settled();
      if (child.stdin.writableNeedDrain) await drained(child.stdin);
    }
    await gate.settled();
    child.stdin.end();
    await endIdle();
  }

  /**
   * Stops a server that continues after its client has closed the connection. Waits until the server has sent
   * everything.
   */
  async function endIdle(): Promise<void> {
    lastLineAt = performance.now();
    while (!isOver(child)) {
      await sleep(LOOK_MS, undefined, { ref: false });
      if (performance.now() - lastLineAt >= IDLE_MS) return stop(child);
    }
  }

  async function serveServer(): Promise<void> {
    for await (const line of linesOf(child.stdout, MAX_SERVER_LINE)) {
      if (line === undefined) throw new Error('The server wrote a line that is too long.');
      await gate.heard(line);
      const ownLine = await lists.lineFor(line);
      const isTaken = await writeOutput(Buffer.concat([Buffer.from(ownLine), NEW_LINE]));
      lastLineAt = performance.now();
      if (!isTaken) void stop(child);
    }
  }

  const client = serveClient();
  client.catch(() => child.stdin.end());
  const failurePromise = serveServer().catch((error: unknown) => {
    outputError(error);
    void stop(child);
    return Number(process.exitCode);
  });
  const code = await exitPromise;
  const ownCode = await Promise.race([failurePromise, sleep(LAST_MS)]);
  killAll(child, 'SIGTERM');
  await gate.end();
  for (const [signal, stopOn] of stops) process.off(signal, stopOn);
  return ownCode ?? code;
}

const NEW_LINE = Buffer.from('\n');

function withoutSecrets(environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(
    Object.entries(environment).filter(([name]) => !name.toUpperCase().startsWith('AGENT_IDENTITY_')),
  );
}

function exitCodeOf(child: Child, command: string): Promise<number> {
  return new Promise((resolve) => {
    child.once('exit', (code, signal) =>
      resolve(code ?? 128 + (signal === null ? 0 : constants.signals[signal])),
    );
    child.once('error', ({ code }: NodeJS.ErrnoException) => {
      printError(`agent-identity: ${command} cannot be started (${code}).`);
      resolve(code === 'ENOENT' ? 127 : 126);
    });
  });
}

async function drained(stream: Writable): Promise<void> {
  await new Promise<void>((resolve) => {
    stream.once('drain', resolve);
    stream.once('close', resolve);
  });
}

async function stop(child: Child): Promise<void> {
  killAll(child, 'SIGTERM');
  await sleep(LAST_MS, undefined, { ref: false });
  if (!isOver(child)) killAll(child, 'SIGKILL');
}

function isOver({ exitCode, signalCode }: Child): boolean {
  return exitCode !== null || signalCode !== null;
}

function killAll(child: Child, signal: NodeJS.Signals): void {
  if (child.pid === undefined) return;
  try {
    if (HAS_GROUPS) process.kill(-child.pid, signal);
    else child.kill(signal);
  } catch {
    // None of them is left.
  }
}
