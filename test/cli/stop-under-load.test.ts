import { once } from 'node:events';
import { Agent, type IncomingMessage, request } from 'node:http';
import { text } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { GIVEN, type Serving, startServe } from '../support/process.ts';
import { sized } from '../support/runs.ts';
import { ADMIN, openUsedFolder } from '../support/used-folder.ts';

const TEN_SECONDS = 10_000;
/** Between an answer and the next request, in milliseconds: one connection each. */
const PAUSES = [0, 0, 0, 0, 1, 2, 5, 10, 20, 30, 50, 80, 120, 200, 300, 400];
const ROUNDS = sized(3, 1);

/** What became of the requests of all connections. */
interface Tally {
  answered: number;
  /** Answered after the signal was sent. */
  late: number;
  /** Connections that the server had announced to be its last answer on. */
  closed: number;
  /** Connections that were not taken any more: nothing was sent over them. */
  refused: number;
  readonly failures: string[];
}

let folder: string;
let remove: () => void;

beforeAll(async () => {
  ({ folder, remove } = await openUsedFolder());
});

afterAll(() => remove());

test(`SIGTERM in the middle of requests fails none of them, ${ROUNDS} times`, async () => {
  for (let round = 0; round < ROUNDS; round += 1) {
    const serving = await startServe({ cwd: folder, env: { ...GIVEN, AGENT_IDENTITY_RATE_LIMITS: 'off' } });
    try {
      const tally: Tally = { answered: 0, late: 0, closed: 0, refused: 0, failures: [] };
      const ask = await prepare(serving, `shopper-${round}`);
      const stopping = new AbortController();
      const clients = PAUSES.map((pauseMs) => keepAsking(ask, pauseMs, tally, stopping.signal));
      while (tally.answered < 300) await pause(5);
      stopping.abort();
      const sentAt = performance.now();
      const { code } = await serving.stop();
      const tookMs = Math.round(performance.now() - sentAt);
      await Promise.all(clients);
      const { failures, ...counts } = tally;
      console.log(`round ${round}: ${JSON.stringify(counts)}, stopped after ${tookMs} ms`);
      expect(failures).toEqual([]);
      expect(code).toBe(0);
      expect(tookMs).toBeLessThan(TEN_SECONDS);
      expect(counts.refused).toBe(PAUSES.length);
      // All of them, but for one that this machine lets wait until it counts as quiet.
      expect(counts.closed).toBeGreaterThan(PAUSES.length / 2);
      expect(counts.late).toBeGreaterThan(PAUSES.length / 2);
    } finally {
      serving.child.kill('SIGKILL');
    }
  }
});

type Ask = (agent: Agent) => Promise<IncomingMessage>;

/** An account with a key and a passport; asks for a verdict that is an ALLOW. */
async function prepare({ origin }: Serving, name: string): Promise<Ask> {
  const base = `${origin.replace('localhost', '127.0.0.1')}/api`;
  const post = async (path: string, headers: Record<string, string>, body: object): Promise<Answered> => {
    const answer = await fetch(`${base}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', connection: 'close', ...headers },
      body: JSON.stringify(body),
    });
    return (await answer.json()) as Answered;
  };
  const credentials = { email: ADMIN, password: GIVEN.AGENT_IDENTITY_PASSWORD };
  const { access_token } = await post('/auth/login', {}, credentials);
  const session = { authorization: `Bearer ${access_token}` };
  const { key = '' } = await post('/keys', session, { name });
  const { agent_id } = await post('/passports', session, {
    domain: 'example.com',
    agent_name: name,
    allowed_actions: ['payments.create'],
    monetary_limit_per_txn: 100,
  });
  const body = JSON.stringify({ agent_id, action: 'payments.create', parameters: { amount: 25 } });
  const headers = {
    'content-type': 'application/json',
    'x-api-key': key,
    'content-length': `${body.length}`,
  };
  return async (agent) => {
    const asked = request(`${base}/verify`, { method: 'POST', agent, headers });
    asked.end(body);
    const [answer] = (await once(asked, 'response')) as [IncomingMessage];
    return answer;
  };
}

interface Answered {
  readonly access_token?: string;
  readonly key?: string;
  readonly agent_id?: string;
}

/** Asks over one connection at a time, again and again, until no connection is taken any more. */
async function keepAsking(ask: Ask, pauseMs: number, tally: Tally, stopping: AbortSignal): Promise<void> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  try {
    for (;;) {
      const answer = await ask(agent);
      const { verdict } = JSON.parse(await text(answer)) as { verdict?: unknown };
      if (answer.statusCode !== 200 || verdict !== 'ALLOW') {
        tally.failures.push(`${answer.statusCode} ${String(verdict)}`);
      }
      tally.answered += 1;
      if (stopping.aborted) tally.late += 1;
      if (answer.headers.connection === 'close') tally.closed += 1;
      if (pauseMs > 0) await pause(pauseMs);
    }
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'ECONNREFUSED') tally.refused += 1;
    else tally.failures.push(`${code}: ${message}, paused ${pauseMs} ms, stopping ${stopping.aborted}`);
  } finally {
    agent.destroy();
  }
}
