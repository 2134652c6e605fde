import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createAdminClient } from 'agent-identity-service/client';
import { cpuUsOf, freePort, untilAnswers } from './server-process.mjs';
import { toInput } from './work.mjs';

const COMMAND = fileURLToPath(new URL('../../dist/cli.js', import.meta.url));
const TURNS = new URL('../servers/turns.mjs', import.meta.url).href;
const ACCOUNT = { email: 'bench@example.com', password: 'a password for the bench' };

/** The secret of nodes that share a storage. */
const SECRET = 'Zq8-vW2.mK5_tR9+xB3~nL6*pH1=cJ4!';

/**
 * Starts `agent-identity serve` as `npm start` does, in a separate folder, with these passports and an API key.
 *
 * Without `storage` it uses the default, an SQLite file in that folder. Its rate limits are off, as in the service
 * behind the plain listener. `key` is the key of a node that has already created the passports. With `withTurns`,
 * `longestTurn` returns the longest turn of the event loop and the longest garbage collection since the last call,
 * which costs the process a little work.
 */
export async function startServeCommand(passports, { storage, key: known, withTurns = false } = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'ais-serve-'));
  const port = await freePort();
  const args = ['serve', '--port', `${port}`, '--rate-limits', 'off', '--default-plan', 'enterprise'];
  if (storage !== undefined) args.push('--storage', storage);
  const env = {
    PATH: process.env.PATH,
    AGENT_IDENTITY_EMAIL: ACCOUNT.email,
    AGENT_IDENTITY_PASSWORD: ACCOUNT.password,
    ...(/^(?:postgres|redis)/.test(storage) && { AGENT_IDENTITY_SECRET: SECRET }),
  };
  const preload = withTurns ? ['--import', TURNS] : [];
  const stdio = ['ignore', 'ignore', 'ignore', ...(withTurns ? ['ipc'] : [])];
  const child = spawn(process.execPath, [...preload, COMMAND, ...args], { cwd: folder, env, stdio });
  const ended = once(child, 'exit');
  const stop = async () => {
    child.kill();
    await ended;
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    await untilAnswers(`http://127.0.0.1:${port}/api/health/ready`);
    const admin = createAdminClient({ baseUrl: `http://127.0.0.1:${port}/api`, ...ACCOUNT });
    const key = known ?? (await prepare(admin, passports));
    const usage = async () => ({ cpuUs: cpuUsOf(child.pid), requests: 0 });
    return { port, key, admin, pid: child.pid, stop, usage, longestTurn: () => longestTurn(child) };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Starts `agent-identity verifier` for a node that `startServeCommand` has started, with its key. */
export async function startVerifierCommand({ port: nodePort, key }) {
  const port = await freePort();
  const args = ['verifier', '--url', `http://127.0.0.1:${nodePort}/api`, '--port', `${port}`];
  const env = { PATH: process.env.PATH, AGENT_IDENTITY_API_KEY: key };
  const child = spawn(process.execPath, [COMMAND, ...args], { env, stdio: 'ignore' });
  const ended = once(child, 'exit');
  await untilAnswers(`http://127.0.0.1:${port}/api/health/ready`);
  const usage = async () => ({ cpuUs: cpuUsOf(child.pid), requests: 0 });
  const stop = async () => {
    child.kill();
    await ended;
  };
  return { port, pid: child.pid, stop, usage };
}

async function longestTurn(child) {
  const answer = once(child, 'message');
  child.send('turns');
  const [longest] = await answer;
  return longest;
}

async function prepare(admin, passports) {
  for (const passport of passports) {
    const { agent_id } = await admin.passports.create(toInput(passport));
    if (passport.status === 'revoked') await admin.revoke({ agent_id });
  }
  const { key } = await admin.keys.create({ name: 'bench', scopes: ['verify', 'decide'] });
  return key;
}
