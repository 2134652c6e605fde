/** SIGTERM to a node on which 500 verifiers wait for a change: it answers all of them at once, and ends. */
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createAdminClient } from '../../src/client.ts';
import { GIVEN } from '../support/process.ts';
import { ADMIN, serveUsed } from '../support/used-folder.ts';

const WAITING = 500;
const WAIT_MS = 1_000;
/** The state after a whole wait: it may be that of a read 100 ms before. */
const WHOLE_MS = 850;

test('500 waiting requests are answered before their wait is over', async () => {
  const { serving } = await serveUsed(['--rate-limits', 'off']);
  const { origin } = serving;
  const baseUrl = `${origin}/api`;
  const admin = createAdminClient({ baseUrl, email: ADMIN, password: GIVEN.AGENT_IDENTITY_PASSWORD });
  const may = { allowed_actions: ['orders.*'], monetary_limit_per_txn: 0 };
  const passport = await admin.passports.create({ domain: 'shop.example', agent_name: 'a', ...may });
  const { key } = await admin.keys.create({ name: 'verifier', scopes: ['verify', 'decide'] });
  const { agent_id, version, updated_at } = passport;
  const ask = async (waitMs: number) => {
    const answer = await fetch(`${baseUrl}/verifier/passports`, {
      method: 'POST',
      headers: { 'x-api-key': key, 'content-type': 'application/json' },
      body: JSON.stringify({ turn: 1, agents: { [agent_id]: `${version} ${updated_at}` }, wait_ms: waitMs }),
    });
    return { status: answer.status, asOfMs: (await answer.json()).as_of_ms as number };
  };
  // The connections of the requests that wait.
  await Promise.all(Array.from({ length: 60 }, () => ask(0)));
  // What the first use of a key notes ends a wait as well: from here on nothing does.
  while ((await ask(WAIT_MS)).asOfMs < WHOLE_MS);
  const waiting = Array.from({ length: WAITING }, () => ask(WAIT_MS));
  // A request that comes after all of them is answered when they have begun to wait.
  await ask(0);
  const ended = serving.stop();
  const answers = await Promise.all(waiting);
  expect(answers.map(({ status }) => status)).toEqual(Array(WAITING).fill(200));
  // By the clock of the node, from the arrival of each; on a busy machine the first ones had their whole wait.
  expect(answers.filter(({ asOfMs }) => asOfMs < WHOLE_MS).length).toBeGreaterThan(0);
  expect((await Promise.race([ended, sleep(10_000)]))?.code).toBe(0);
});
