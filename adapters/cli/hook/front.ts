/**
 * The hook process that a coding agent starts. The process passes the event on, checks the answer, and blocks the call
 * if no answer comes.
 */
import { lstatSync, realpathSync, statSync, writeSync } from 'node:fs';
import { createConnection } from 'node:net';
import { dirname, isAbsolute, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { EvaluateModule } from './program.ts';
import {
  answerIn,
  type HookAnswer,
  type HookQuestion,
  type HookReply,
  MAX_EVENT_BYTES,
  SOCKET,
} from './wire.ts';

/** An error whose message may be shown to the person who uses the coding agent. */
class Blocked extends Error {}

const DEADLINE_MS = 10_000;
const program = realpathSync(process.argv[1] ?? '');
const folder = dirname(program);
let deadline = setTimeout(giveUp, DEADLINE_MS);

process.on('uncaughtException', () => block('The hook has failed. Run: agent-identity hook check'));
for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const)
  process.on(signal, () => block('The hook was stopped. Repeat the call.'));
run().then(end, (error: unknown) =>
  block(error instanceof Blocked ? error.message : 'The hook has failed. Run: agent-identity hook check'),
);

async function run(): Promise<HookAnswer> {
  const [, , codingAgent = '', flag, config = ''] = process.argv;
  if (flag !== '--config' || !isAbsolute(config))
    throw new Blocked('Usage: hook <host> --config <absolute file>');
  // Windows has no /usr/bin/env -i, and the variables of a project can replace this program.
  if (process.platform === 'win32' && process.env['NODE_OPTIONS'])
    throw new Blocked('NODE_OPTIONS is set. Unset it.');
  const event = await readEvent();
  if (isStart(event)) {
    await startResident(config);
    return { code: 0, stdout: '{}', stderr: '' };
  }
  return (await askResident(codingAgent, config, event)) ?? evaluateHere(codingAgent, config, event);
}

async function readEvent(): Promise<Buffer> {
  const pieces: Buffer[] = [];
  let size = 0;
  for await (const piece of process.stdin) {
    size += piece.length;
    if (size > MAX_EVENT_BYTES) throw new Blocked('The event is larger than 16 MiB.');
    pieces.push(piece);
  }
  return Buffer.concat(pieces);
}

/** Says whether the event begins a session. This only decides whether the resident process is started. */
function isStart(event: Buffer): boolean {
  if (event.length > 65_536 || !event.includes('essionStart')) return false;
  try {
    return /^sessionStart$/i.test(JSON.parse(event.toString()).hook_event_name);
  } catch {
    return false;
  }
}

/** Returns the path of the socket; `undefined` if there is none. Throws if the socket belongs to another user. */
function socketOf(config: string): string | undefined {
  if (process.platform === 'win32') return undefined;
  let ownPath: string;
  let path: string;
  try {
    ownPath = dirname(realpathSync(config));
    path = join(ownPath, SOCKET);
    if (!lstatSync(path).isSocket()) return undefined;
  } catch {
    return undefined;
  }
  for (const place of [ownPath, path]) {
    const { uid, mode } = lstatSync(place);
    if (uid !== process.getuid?.() || (mode & 0o077) !== 0)
      throw new Blocked(`Others may use ${place}. Run chmod go-rwx on it, or remove ${path}.`);
  }
  return path;
}

async function askResident(
  codingAgent: string,
  config: string,
  event: Buffer,
): Promise<HookAnswer | undefined> {
  const path = socketOf(config);
  if (path === undefined) return undefined;
  const id = `${process.pid}-${process.hrtime.bigint()}`;
  const { dev, ino } = statSync(program);
  const question: HookQuestion = {
    of: id,
    program: `${program}:${dev}:${ino}`,
    host: codingAgent,
    config,
    size: event.length,
  };
  const socket = createConnection(path);
  socket.on('connect', () => {
    socket.write(`${JSON.stringify(question)}\n`);
    socket.end(event);
  });
  try {
    for await (const line of linesOf(socket.setEncoding('utf8'))) {
      const reply = JSON.parse(line) as HookReply;
      if (reply.of !== id) throw new Blocked('The resident process answers another hook. Repeat the call.');
      if ('isOther' in reply) return undefined;
      if ('wait' in reply) extend(reply.wait);
      else return answerIn(reply);
    }
  } catch (error) {
    // Nobody listens: a process that was killed leaves its socket behind.
    if (['ECONNREFUSED', 'ENOENT'].includes((error as NodeJS.ErrnoException).code ?? '')) return undefined;
    throw error;
  }
  throw new Blocked('The resident process gave no whole answer. Repeat the call.');
}

async function* linesOf(pieces: AsyncIterable<string>): AsyncGenerator<string> {
  let text = '';
  for await (const piece of pieces) {
    text += piece;
    for (let end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n')) {
      yield text.slice(0, end);
      text = text.slice(end + 1);
    }
  }
}

async function evaluateHere(codingAgent: string, config: string, event: Buffer): Promise<HookAnswer> {
  const { evaluateHere: evaluate }: EvaluateModule = await import(
    pathToFileURL(join(folder, 'hook-judge.js')).href
  );
  return evaluate({ host: codingAgent, config, event, onWait: extend });
}

async function startResident(config: string): Promise<void> {
  if (process.platform === 'win32') return;
  const { spawn } = await import('node:child_process');
  const { HOME, PATH } = process.env;
  const args = [join(folder, 'cli.js'), 'hook', 'serve', '--config', config];
  const child = spawn(process.execPath, args, {
    cwd: '/',
    detached: true,
    stdio: 'ignore',
    env: { HOME, PATH },
  });
  child.on('error', () => undefined).unref();
}

function extend(seconds: number): void {
  if (!(seconds > 0 && seconds <= 540)) return;
  clearTimeout(deadline);
  deadline = setTimeout(giveUp, DEADLINE_MS + seconds * 1_000);
}

function giveUp(): void {
  block('There was no verdict in time. Repeat the call.');
}

function block(problem: string): never {
  return end({ code: 2, stdout: '', stderr: `agent-identity: ${problem} The tool was not run.\n` });
}

function end({ code, stdout, stderr }: HookAnswer): never {
  try {
    if (stdout !== '') writeAll(1, stdout);
    if (stderr !== '') writeAll(2, stderr);
  } catch {
    // Without a reader the coding agent must not take half an answer for a whole one.
    process.exit(2);
  }
  process.exit(code);
}

function writeAll(target: number, text: string): void {
  let otherBytes = Buffer.from(text);
  while (otherBytes.length > 0) otherBytes = otherBytes.subarray(writeSync(target, otherBytes));
}
