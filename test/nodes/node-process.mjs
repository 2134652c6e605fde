/** Starts nodes as processes of their own: the real command, or the same with a channel that says nothing. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { tiedToParent } from '../support/private-servers.mjs';

/** The account that the first node makes. */
export const ACCOUNT = { email: 'admin@localhost', password: 'Ein-Gutes-Kennwort-7' };
const SECRET = 'Zq8-vW2.mK5_tR9+xB3~nL6*pH1=cJ4!';

const CLI = fileURLToPath(new URL('../../dist/cli.js', import.meta.url));
const DEAF = fileURLToPath(new URL('deaf-node.mjs', import.meta.url));

const START_MS = 60_000;
const MAX_KEPT = 64 * 1024;

/**
 * A node that says that it is ready. `isDeaf`: it gets no notice of a change, and does not know that.
 * `port` 0 is any. `kill` is SIGKILL, `stop` SIGTERM; both settle with the exit code or the signal.
 */
export async function startNode({ storage, consistency = 'default', port = 0, isDeaf = false, cwd = '/' }) {
  const flags = ['--consistency', consistency, '--port', `${port}`];
  const rest = ['--rate-limits', 'off', '--default-plan', 'enterprise', '--log', 'json'];
  const program = isDeaf ? [DEAF, ...flags] : [CLI, 'serve', ...flags, ...rest];
  const env = {
    PATH: process.env.PATH,
    HOME: process.env.HOME,
    AGENT_IDENTITY_STORAGE: storage,
    AGENT_IDENTITY_SECRET: SECRET,
    AGENT_IDENTITY_PASSWORD: ACCOUNT.password,
  };
  const [command, ...args] = [...tiedToParent('KILL'), process.execPath, ...program];
  const child = spawn(command, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
  let written = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text) => {
      written = (written + text).slice(-MAX_KEPT);
    });
  }
  const ended = once(child, 'close').then(([code, signal]) => signal ?? code);
  const endWith = (signal) => {
    child.kill(signal);
    return ended;
  };
  const onExit = () => child.kill('SIGKILL');
  process.once('exit', onExit);
  ended.then(() => process.off('exit', onExit));

  const origin = await new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(`A node was not ready in time.\n${written}`)), START_MS);
    const settle = (settleWith, value) => {
      clearTimeout(timer);
      child.stdout.off('data', look);
      settleWith(value);
    };
    const look = () => {
      const found = /^ {2}Page +http:\/\/localhost:(\d+)\/$/m.exec(written)?.[1];
      if (found !== undefined) settle(resolve, `http://127.0.0.1:${found}`);
    };
    child.stdout.on('data', look);
    ended.then((end) => settle(reject, new Error(`A node ended with ${end}:\n${written}`)));
  }).catch((error) => {
    child.kill('SIGKILL');
    throw error;
  });
  return {
    origin,
    port: Number(new URL(origin).port),
    isRunning: () => child.exitCode === null && child.signalCode === null,
    written: () => written,
    kill: () => endWith('SIGKILL'),
    stop: () => endWith('SIGTERM'),
  };
}
