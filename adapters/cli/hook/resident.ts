/** The resident process. It keeps the service open, so that a hook takes only a few milliseconds. */
import { chmod, lstat, realpath, rm, stat } from 'node:fs/promises';
import { createConnection, createServer, type Server, type Socket } from 'node:net';
import { dirname, join } from 'node:path';
import { readHookConfig } from './config.ts';
import { blocked, evaluateEvent } from './evaluate-event.ts';
import { refusal } from './refused.ts';
import { createSession, type HookSession } from './session.ts';
import { type HookQuestion, type HookReply, MAX_EVENT_BYTES, SOCKET } from './wire.ts';

export interface ResidentOptions {
  /** The absolute path of the configuration. */
  readonly config: string;
  readonly program: string;
  /** The milliseconds without a request after which the process ends. */
  readonly idleMs?: number;
}

const IDLE_MS = 30 * 60_000;
const MAX_LINE = 65_536;
/** The milliseconds within which a request must be complete. */
const WHOLE_MS = 20_000;

/**
 * Serves until no request comes for `idleMs`, or until SIGTERM. Resolves to `false` if another process already serves.
 */
export async function serveHook({ config, program, idleMs = IDLE_MS }: ResidentOptions): Promise<boolean> {
  await readHookConfig(config);
  const file = await realpath(config);
  const path = join(dirname(file), SOCKET);
  await assertPrivate(dirname(file));
  if (await isAnswered(path)) return false;
  await rm(path, { force: true });
  const ownName = await nameOf(program);
  const session = createSession({ isResident: true });
  const server = createServer({ allowHalfOpen: true });
  const endedPromise = new Promise<void>((resolve) => server.once('close', resolve));
  const idle = setTimeout(() => server.close(), idleMs);
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.once(signal, () => server.close());
  const asking = { session, config: file, own: ownName, program };
  server.on('connection', (socket) => {
    idle.refresh();
    serve(socket, asking).then(
      (isReplaced) => isReplaced && server.close(),
      () => socket.destroy(),
    );
  });
  await listen(server, path);
  const { ino } = await lstat(path);
  await endedPromise;
  clearTimeout(idle);
  await removeOwn(path, ino);
  await session.close();
  return true;
}

async function listen(server: Server, path: string): Promise<void> {
  const mask = process.umask(0o077);
  try {
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject).listen(path, resolve);
    });
    await chmod(path, 0o600);
  } finally {
    process.umask(mask);
  }
}

async function assertPrivate(folder: string): Promise<void> {
  const { uid, mode } = await stat(folder);
  if (uid === process.getuid?.() && (mode & 0o077) === 0) return;
  throw refusal(`Others may use ${folder}. Run: chmod 700 ${folder}`);
}

function isAnswered(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = createConnection(path);
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
    socket.once('connect', () => socket.destroy());
  });
}

/** Removes the socket, unless another process has replaced it. */
async function removeOwn(path: string, ino: number): Promise<void> {
  const info = await lstat(path).catch(() => undefined);
  if (info?.ino === ino) await rm(path, { force: true });
}

/** Identifies a program by its file. A new version of the package has another file. */
async function nameOf(program: string): Promise<string> {
  const { dev, ino } = await stat(program);
  return `${program}:${dev}:${ino}`;
}

interface AskingHook {
  readonly session: HookSession;
  readonly config: string;
  readonly own: string;
  readonly program: string;
}

/** Answers one request. Resolves to `true` if the program of this process was replaced. */
async function serve(socket: Socket, { session, config, own, program }: AskingHook): Promise<boolean> {
  socket.setTimeout(WHOLE_MS, () => socket.destroy());
  const { question, event } = await readQuestion(socket);
  socket.setTimeout(0);
  const { of, host } = question;
  const reply = (value: Omit<HookReply, 'of'>): boolean =>
    socket.write(`${JSON.stringify({ of, ...value })}\n`);
  const file = await realpath(question.config).catch(() => undefined);
  if (question.program !== own || file !== config) {
    reply({ isOther: true });
    socket.end();
    return (await nameOf(program).catch(() => '')) !== own;
  }
  const input = { host, config, event, onWait: (wait: number) => void reply({ wait }) };
  reply(await evaluateEvent(session, input).catch(blocked));
  socket.end();
  return false;
}

interface AskedEvent {
  readonly question: HookQuestion;
  readonly event: Uint8Array;
}

/** Reads a request to its end. An iterator would close the socket before the answer. */
function readQuestion(socket: Socket): Promise<AskedEvent> {
  const pieces: Buffer[] = [];
  let size = 0;
  return new Promise((resolve, reject) => {
    socket.on('data', (piece: Buffer) => {
      pieces.push(piece);
      size += piece.length;
      if (size > MAX_EVENT_BYTES + MAX_LINE) reject(refusal('The question is too long.'));
    });
    socket.once('error', reject).once('close', () => reject(refusal('The question is not whole.')));
    socket.once('end', () => {
      try {
        resolve(questionIn(Buffer.concat(pieces)));
      } catch (error) {
        reject(error);
      }
    });
  });
}

function questionIn(bytes: Buffer): AskedEvent {
  const end = bytes.indexOf('\n');
  const question = JSON.parse(bytes.subarray(0, Math.min(end, MAX_LINE)).toString()) as HookQuestion;
  const event = bytes.subarray(end + 1);
  if (end < 0 || event.length !== question.size) throw refusal('The question is not whole.');
  return { question, event };
}
