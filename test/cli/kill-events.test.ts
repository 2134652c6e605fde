import { afterEach, beforeEach, expect, test } from 'vitest';
import { createAdminClient } from '../../src/client.ts';
import { GIVEN, type Serving, startServe } from '../support/process.ts';
import { sized } from '../support/runs.ts';
import { ADMIN, openUsedFolder } from '../support/used-folder.ts';

const ROUNDS = sized(6, 2);
const AGENT = 'did:web:example.com:agents:shopper';

let folder: string;
let remove: () => void;
let serving: Serving | undefined;

beforeEach(async () => {
  ({ folder, remove } = await openUsedFolder());
});

afterEach(async () => {
  await serving?.stop('SIGKILL');
  remove();
});

test(`every acknowledged change is sent over ${ROUNDS} kill -9 of the node, and a stop ends the streams`, async () => {
  serving = await startServe({ cwd: folder, env: GIVEN });
  const { origin } = serving;
  const again = () => startServe({ cwd: folder, env: GIVEN }, ['--port', new URL(origin).port]);
  const password = GIVEN.AGENT_IDENTITY_PASSWORD;
  const admin = createAdminClient({ baseUrl: `${origin}/api`, email: ADMIN, password });
  await admin.passports.create({
    domain: 'example.com',
    agent_name: 'shopper',
    allowed_actions: ['orders.*'],
    monetary_limit_per_txn: 10,
  });
  const told = new Set<number>();
  const stop = new AbortController();
  const reading = (async () => {
    for await (const { data } of admin.events({ types: ['passport.updated'] }, { signal: stop.signal }))
      told.add((data as { readonly version: number }).version);
  })();
  reading.catch(() => undefined);
  const acknowledged = new Set<number>();
  let count = 0;
  const change = () => {
    count += 1;
    return admin.passports.update(AGENT, { description: `${count}` }).then(
      ({ version }) => acknowledged.add(version),
      () => undefined,
    );
  };
  while (told.size === 0) await change();
  for (let round = 0; round < ROUNDS; round += 1) {
    const changing = Array.from({ length: 20 }, change);
    await Promise.race(changing);
    await serving.stop('SIGKILL');
    await Promise.all(changing);
    serving = await again();
    for (let more = 0; more < 10; more += 1) await change();
  }
  // What was made before the stream stood is not sent; all else is.
  const first = Math.min(...told);
  const missing = () => [...acknowledged].filter((version) => version > first && !told.has(version));
  for (let tried = 0; missing().length > 0 && tried < 1_500; tried += 1)
    await new Promise((resolve) => setTimeout(resolve, 20));
  expect(missing()).toEqual([]);
  expect(acknowledged.size).toBeGreaterThan(ROUNDS * 10);

  const began = performance.now();
  expect((await serving.stop()).code).toBe(0);
  expect(performance.now() - began).toBeLessThan(8_000);
  stop.abort();
});
