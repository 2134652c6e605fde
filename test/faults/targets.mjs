/** The ways into the service, asked alike: `agent-identity serve` over HTTP, and the service in this process. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { createIdentityService } from '../../dist/index.js';
import { people } from '../../dist/people.js';

const CLI = new URL('../../dist/cli.js', import.meta.url).pathname;
const SECRET = 'Zq8-vW2.mK5_tR9+xB3~nL6*pH1=cJ4!';
const EMAIL = 'admin@localhost';
const PASSWORD = 'Ein-Gutes-Kennwort-7';
const START_MS = 60_000;
/** After this an answer counts as none. */
const PATIENCE_MS = 10_000;

/**
 * What a question came to. `outcome`: `ALLOW`, `DENY`, `done`, `unavailable` (503 as it has to look), `running` (409: the
 * first request under its key still runs), or `strange`.
 *
 * @typedef {{ outcome: string, detail?: string, body?: any }} Outcome
 */

/** A real node on a free port; `storage` goes by the environment, because it may hold a password. */
export async function startNode({ storage, cwd, name = 'serve' }) {
  const env = {
    PATH: process.env.PATH,
    HOME: process.env.HOME,
    NO_COLOR: '1',
    AGENT_IDENTITY_STORAGE: storage,
    AGENT_IDENTITY_SECRET: SECRET,
    AGENT_IDENTITY_EMAIL: EMAIL,
    AGENT_IDENTITY_PASSWORD: PASSWORD,
  };
  const args = ['serve', '--port', '0', '--rate-limits', 'off', '--default-plan', 'enterprise'];
  const child = spawn(process.execPath, [CLI, ...args], { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
  const kill = () => child.kill('SIGKILL');
  process.once('exit', kill);
  const port = Number(new URL(await originOf(child)).port);
  const agent = new Agent({ keepAlive: true, maxSockets: 64 });
  const ask = (method, path, headers, body) => exchange({ agent, port, method, path, headers, body });

  const login = await ask('POST', '/auth/login', {}, { email: EMAIL, password: PASSWORD });
  const bearer = { authorization: `Bearer ${login.body.access_token}` };
  const { key } = (await ask('POST', '/keys', bearer, { name: 'faults' })).body;
  const withKey = { 'x-api-key': key };

  return {
    name,
    verify: (intent, idempotencyKey) => {
      const once = idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey };
      return ask('POST', '/verify', { ...withKey, ...once }, intent);
    },
    budgets: (agent_id) => ask('GET', `/passports/${encodeURIComponent(agent_id)}/budgets`, bearer),
    create: (passport) => ask('POST', '/passports', bearer, passport),
    revoke: (agent_id) => ask('POST', '/revoke', withKey, { agent_id }),
    ready: () => ask('GET', '/health/ready', {}),
    live: () => ask('GET', '/health/live', {}),
    /** Resident memory in bytes. */
    rss: () =>
      Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))?.[1]) * 1_024,
    isAlive: () => child.exitCode === null && child.signalCode === null,
    async stop() {
      process.off('exit', kill);
      agent.destroy();
      kill();
      if (child.exitCode === null && child.signalCode === null) await once(child, 'close');
    },
  };
}

/** The service in this process over an open storage, asked by an API key as HTTP does. */
export async function openService({ storage }) {
  const service = createIdentityService({
    storage,
    session: { secret: SECRET },
    defaultPlan: 'enterprise',
    capabilities: [people()],
  });
  const [account] = (await service.accounts.list({ limit: 1 })).data;
  const { id: account_id } = account ?? (await service.accounts.create({ email: EMAIL, password: PASSWORD }));
  const { key } = await service.keys.create({ name: 'faults' }, { account_id });
  return {
    name: 'in process',
    verify: (intent, idempotencyKey) =>
      settled(async () => service.verifyAs(key, intent, idempotencyKey && { idempotencyKey })),
    budgets: (agent_id) => settled(() => service.passports.budgets(agent_id, {}, { account_id })),
    create: (passport) => settled(() => service.passports.create(passport, { account_id })),
    revoke: (agent_id) => settled(() => service.revoke({ agent_id }, { account_id })),
    ready: () => settled(() => service.health()),
    live: async () => ({ outcome: 'done' }),
    rss: () => 0,
    isAlive: () => true,
    stop: () => service.close(),
  };
}

/** @returns {Promise<Outcome>} */
async function settled(call) {
  const timer = new AbortController();
  const late = pause(PATIENCE_MS, undefined, { signal: timer.signal }).then(
    () => Promise.reject(new Error(`no answer in ${PATIENCE_MS} ms`)),
    () => undefined,
  );
  try {
    const body = await Promise.race([call(), late]);
    return { outcome: body.verdict ?? 'done', body };
  } catch (error) {
    const { code, details } = error;
    const isGood = UNAVAILABLE.includes(code) && details?.retryAfterSeconds > 0;
    if (isGood) return { outcome: 'unavailable' };
    if (code === RUNNING) return { outcome: 'running' };
    return { outcome: 'strange', detail: `${code ?? error.name}: ${error.message}` };
  } finally {
    timer.abort();
  }
}

/** @returns {Promise<Outcome>} */
function exchange({ agent, port, method, path, headers, body }) {
  return new Promise((resolve) => {
    const strange = (detail) => resolve({ outcome: 'strange', detail });
    const text = body === undefined ? undefined : JSON.stringify(body);
    const type = text === undefined ? {} : { 'content-type': 'application/json' };
    const all = { ...headers, ...type, 'content-length': `${Buffer.byteLength(text ?? '')}` };
    const sent = request({ agent, port, host: '127.0.0.1', method, path: `/api${path}`, headers: all });
    sent.setTimeout(PATIENCE_MS, () => sent.destroy(new Error(`no answer in ${PATIENCE_MS} ms`)));
    sent.once('error', (error) => {
      // The node may close an idle connection while a request is on its way to it, and has read nothing then.
      if (sent.reusedSocket && error.code === 'ECONNRESET') {
        resolve(exchange({ agent, port, method, path, headers, body }));
      } else strange(`${path}: ${error.code ?? error.message}`);
    });
    sent.once('response', (response) => {
      let answer = '';
      response.setEncoding('utf8').on('data', (chunk) => {
        answer += chunk;
      });
      response.once('error', (error) => strange(`${path}: ${error.message}`));
      response.once('end', () => resolve(read(path, response, answer)));
    });
    sent.end(text);
  });
}

const RUNNING = 'conflict';
const UNAVAILABLE = ['storage_unavailable', 'overloaded'];

function read(path, { statusCode, headers }, text) {
  const strange = (detail) => ({ outcome: 'strange', detail: `${path}: ${statusCode} ${detail}` });
  let body;
  try {
    body = JSON.parse(text);
  } catch {
    return strange('without JSON');
  }
  if (statusCode === 200 || statusCode === 201) return { outcome: body.verdict ?? 'done', body };
  if (statusCode === 409 && body.code === RUNNING) return { outcome: 'running' };
  if (statusCode !== 503) return strange(`${body.code}: ${body.detail}`);
  if (!/^[1-9]\d*$/.test(headers['retry-after'] ?? '')) return strange('without Retry-After');
  if (!headers['content-type']?.startsWith('application/problem+json')) return strange('is no problem+json');
  return UNAVAILABLE.includes(body.code) ? { outcome: 'unavailable' } : strange(`${body.code}`);
}

async function originOf(child) {
  let written = '';
  const timer = setTimeout(() => child.kill('SIGKILL'), START_MS);
  try {
    return await new Promise((resolve, reject) => {
      child.once('close', (code) => reject(new Error(`serve ended with ${code}: ${written}`)));
      for (const stream of [child.stdout, child.stderr]) {
        stream.setEncoding('utf8').on('data', (text) => {
          // Only its start is read; an outage writes on and on.
          if (written.length < 20_000) written += text;
          const found = /^ {2}Page +(\S+)\/$/m.exec(written)?.[1];
          if (found !== undefined) resolve(found);
        });
      }
    });
  } finally {
    clearTimeout(timer);
  }
}
