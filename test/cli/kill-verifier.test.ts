/** Whatever is killed, the verifier or its node: an answered record is stored at most once, and not lost but at the end. */
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { survivingStores } from '../support/kills.ts';
import { freePort } from '../support/private-servers.mjs';
import {
  CLI,
  GIVEN,
  openFolder,
  type Running,
  ready,
  type Serving,
  said,
  start,
} from '../support/process.ts';
import { createRandom } from '../support/random.ts';
import { nightly, sized } from '../support/runs.ts';
import { startProxy } from '../support/tcp-proxy.mjs';
import { ADMIN, openUsedFolder } from '../support/used-folder.ts';

/** Ten instants in CI, together. */
const ROUNDS: Readonly<Record<string, number>> = {
  SQLite: nightly(200, sized(4, 2)),
  PostgreSQL: nightly(200, sized(3, 1)),
  Redis: nightly(200, sized(3, 1)),
};
const AGENT = 'did:web:shop.example:agents:a';
/** Less than a verifier keeps its records before it sends them. */
const LAST_MS = 400;

async function call(origin: string, path: string, headers: Record<string, string>, body?: object) {
  const answer = await fetch(`${origin}/api${path}`, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { ...headers, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  });
  return { status: answer.status, body: await answer.json() };
}

/** A folder, and the storage of the nodes that are started in it: two where nodes can share it. */
async function openPlace(name: string, make: () => Promise<{ url: string; remove(): Promise<void> }>) {
  if (name === 'SQLite') {
    const { folder, remove } = await openUsedFolder();
    onTestFinished(remove);
    return { folder, env: GIVEN, count: 1 };
  }
  const { folder, remove } = openFolder();
  onTestFinished(remove);
  const store = await make();
  onTestFinished(store.remove);
  return { folder, env: { ...GIVEN, AGENT_IDENTITY_STORAGE: store.url }, count: 2 };
}

test.each(survivingStores())(
  'kills at random instants over %s',
  { timeout: 7_200_000 },
  async (name, make) => {
    const seed = Math.floor(Math.random() * 2 ** 31);
    const random = createRandom(seed);
    const rounds = ROUNDS[name] as number;
    const { folder, env, count } = await openPlace(name, make);
    const running: Running[] = [];
    onTestFinished(async () => {
      for (const { child, ended } of running) {
        child.kill('SIGKILL');
        await ended;
      }
    });

    /** A busy machine may not connect to its store within the second that a call has. */
    async function startNode(port: number, tries = 5): Promise<Serving> {
      const args = [CLI, 'serve', '--port', `${port}`, '--rate-limits', 'off'];
      const started = start(process.execPath, args, { cwd: folder, env });
      running.push(started);
      return ready(started).catch((error) => {
        if (tries === 1) throw error;
        return startNode(port, tries - 1);
      });
    }

    const nodes: { readonly port: number; serving: Serving }[] = [];
    for (let place = 0; place < count; place += 1) {
      const port = await freePort();
      nodes.push({ port, serving: await startNode(port) });
    }
    /** The node that is asked; another one takes over when it dies. */
    let current = 0;
    const node = () => nodes[current] as (typeof nodes)[number];
    const proxy = await startProxy(node().port);
    onTestFinished(() => proxy.close());
    const origin = `http://127.0.0.1:${proxy.port}`;
    const credentials = { email: ADMIN, password: GIVEN.AGENT_IDENTITY_PASSWORD };
    const { access_token } = (await call(origin, '/auth/login', {}, credentials)).body;
    const bearer = { authorization: `Bearer ${access_token}` };
    const scopes = ['verify', 'decide'];
    const { key } = (await call(origin, '/keys', bearer, { name: 'verifier', scopes })).body;
    const may = { allowed_actions: ['orders.*'], monetary_limit_per_txn: 0 };
    await call(origin, '/passports', bearer, { domain: 'shop.example', agent_name: 'a', ...may });

    async function startVerifier(): Promise<Running & { readonly at: string }> {
      const args = [CLI, 'verifier', '--url', `${origin}/api`, '--port', '0'];
      const keyed = { AGENT_IDENTITY_API_KEY: key };
      const verifier = start(process.execPath, args, { cwd: '/', env: keyed });
      running.push(verifier);
      const at = await said(verifier, () => /^ {2}API +(\S+)\/api$/m.exec(verifier.stdout())?.[1]);
      return { ...verifier, at: at.replace('localhost', '127.0.0.1') };
    }

    let verifier = await startVerifier();

    /** A node has died, and what it has answered is not known to the verifier: the next one gets the same blocks. */
    async function replaceNode(): Promise<void> {
      const dead = node();
      current = (current + 1) % nodes.length;
      proxy.switchTo(node().port);
      dead.serving = await startNode(dead.port);
    }

    let asked = 0;

    /** The action of a question that was decided beside it; `undefined` if nothing was answered. */
    async function ask(): Promise<string | undefined> {
      asked += 1;
      const action = `orders.n${asked}`;
      const answer = await call(
        verifier.at,
        '/verify',
        { 'x-api-key': key },
        { agent_id: AGENT, action },
      ).catch(() => undefined);
      return answer?.status === 200 && answer.body.verifier !== null ? action : undefined;
    }

    interface Page {
      readonly data: readonly { readonly action: string }[];
      readonly next_cursor: string | null;
    }

    /** A page of the records; a busy store is asked again. */
    async function latest(cursor = ''): Promise<Page> {
      for (;;) {
        const { status, body } = await call(origin, `/verifications?limit=100${cursor}`, bearer);
        if (status === 200) return body;
        expect(status).toBe(503);
        await sleep(50);
      }
    }

    async function stored(): Promise<ReadonlyMap<string, number>> {
      const found = new Map<string, number>();
      let cursor = '';
      do {
        const page = await latest(cursor);
        for (const { action } of page.data) found.set(action, (found.get(action) ?? 0) + 1);
        cursor = page.next_cursor === null ? '' : `&cursor=${page.next_cursor}`;
      } while (cursor !== '');
      return found;
    }

    /** It is one of the latest. */
    async function untilStored(wanted: string): Promise<void> {
      while (!(await latest()).data.some(({ action }) => action === wanted)) await sleep(50);
    }

    const kept: string[] = [];
    const mayBeLost: string[] = [];
    for (let round = 0; round < rounds; round += 1) {
      let last: string | undefined;
      for (let count = 0; count < 20; count += 1) {
        last = (await ask()) ?? last;
        if (last !== undefined && last !== kept.at(-1)) kept.push(last);
      }
      if (last !== undefined) await untilStored(last);
      const isNode = random() < 0.5;
      const until = performance.now() + random() * LAST_MS;
      const victim = isNode ? node().serving : verifier;
      let isGone = false;
      const killed = sleep(until - performance.now()).then(() => {
        victim.child.kill('SIGKILL');
        isGone = true;
      });
      while (!isGone) {
        const action = await ask();
        if (action !== undefined) (isNode ? kept : mayBeLost).push(action);
      }
      await killed;
      await victim.ended;
      if (isNode) await replaceNode();
      else verifier = await startVerifier();
    }
    // What the verifier has not sent yet is sent at its end.
    verifier.child.kill('SIGTERM');
    expect((await verifier.ended).code).toBe(0);
    const found = await stored();
    expect(kept.length, `seed ${seed}`).toBeGreaterThan(rounds * 10);
    expect(
      kept.filter((action) => !found.has(action)),
      `seed ${seed}`,
    ).toEqual([]);
    expect(
      [...found].filter(([, count]) => count > 1),
      `seed ${seed}`,
    ).toEqual([]);
    const others = [...found.keys()].filter(
      (action) => !kept.includes(action) && !mayBeLost.includes(action),
    );
    // An answer that was lost on its way may be on file: by one question at each kill.
    expect(others.length, `seed ${seed}`).toBeLessThanOrEqual(rounds);
    for (const { serving } of nodes) expect((await serving.stop()).code).toBe(0);
  },
);
