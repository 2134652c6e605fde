/** However much a request reads, everything else has its turn between two pieces of it, and it ends with its client. */
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { memoryStorage } from '../../adapters/storage/memory/index.ts';
import { sqliteStorage } from '../../adapters/storage/sql/index.ts';
import { turn } from '../../src/base/async/turns.ts';
import { everyCapability } from '../../src/capabilities.ts';
import type { Actor } from '../../src/core/shared/callers.ts';
import { createIdentityService } from '../../src/core.ts';
import { passwordHasher } from '../../src/credential/password.ts';
import { fetchHandler, nodeListener } from '../../src/http/index.ts';
import type { StorageAdapter } from '../../src/ports/storage.ts';
import type { Page, Passport } from '../../src/records.ts';
import { PATIENT_MS } from '../support/patience.ts';
import { listen } from '../support/servers.ts';
import type { PlainService } from '../support/service.ts';
import { type ManualClock, manualClock, PASSWORD, SECRET } from '../support/service.ts';
import { probe, type StorageProbe } from '../support/storage-probe.ts';

const AGENTS = 2_500;
const VERDICTS = 10_000;
const DAY = 86_400_000;
const WALKS = /^(list|blocks|load|sums|countPassports|purge)/;

test('those who wait for their turn get it in their order, one each time the event loop comes round', async () => {
  const order: string[] = [];
  const wait = async (name: string): Promise<void> => {
    for (let piece = 1; piece <= 3; piece += 1) {
      await turn();
      order.push(`${name}${piece}`);
    }
  };
  let isOver = false;
  const tick = (): void => {
    order.push('-');
    if (!isOver) setImmediate(tick);
  };
  setImmediate(tick);
  await Promise.all([wait('a'), wait('b')]);
  isOver = true;
  expect(order.filter((name) => name !== '-')).toEqual(['a1', 'b1', 'a2', 'b2', 'a3', 'b3']);
  expect(order.join('')).not.toMatch(/\d[ab]/);
});

interface Filled {
  readonly storage: StorageProbe;
  readonly service: PlainService;
  readonly clock: ManualClock;
  readonly owner: Actor;
  readonly headers: Readonly<Record<string, string>>;
}

/** A service over passports that have expired, and verdicts that are all alike. */
async function fill(inner: StorageAdapter): Promise<Filled> {
  const storage = probe(inner);
  const clock = manualClock();
  const service = createIdentityService({
    storageDeadlineMs: PATIENT_MS,
    storage,
    clock,
    capabilities: everyCapability(),
    session: { secret: SECRET },
    passwordHasher: passwordHasher({ cost: { ln: 4, r: 8, p: 1 } }),
  });
  const credentials = { email: 'owner@example.com', password: PASSWORD };
  const owner = { account_id: (await service.accounts.create(credentials)).id };
  const { access_token } = await service.login(credentials);
  const expires_at = clock.instant(1_000);
  const may = { domain: 'example.com', allowed_actions: ['*'], monetary_limit_per_txn: 1, expires_at };
  for (let at = 0; at < AGENTS; at += 1)
    await service.passports.create({ ...may, agent_name: `a${at}` }, owner);
  const intent = { agent_id: 'did:web:example.com:agents:a0', action: 'orders.get' };
  const intents = Array.from({ length: 100 }, () => intent);
  for (let at = 0; at < VERDICTS; at += 1_000) {
    for (let batch = 0; batch < 10; batch += 1) await service.verifyBatch({ intents }, owner);
    await service.verifications.list({ limit: 1 }, owner);
  }
  clock.advance(2_000);
  return { storage, service, clock, owner, headers: { authorization: `Bearer ${access_token}` } };
}

/** The calls of the storage that walk through records, with a dash each time the event loop came round. */
async function trace(storage: StorageProbe, run: () => Promise<unknown>): Promise<readonly string[]> {
  const order: string[] = [];
  let isOver = false;
  storage.fail = (call) => {
    if (WALKS.test(call)) order.push(call);
    return undefined;
  };
  const tick = (): void => {
    order.push('-');
    if (!isOver) setImmediate(tick);
  };
  setImmediate(tick);
  await run();
  isOver = true;
  storage.fail = undefined;
  return order;
}

async function exportAll(service: PlainService, owner: Actor): Promise<void> {
  for await (const _ of await service.verifications.csv({}, owner));
}

type Ask = (service: PlainService, owner: Actor) => Promise<unknown>;

const requests: readonly (readonly [string, number, Ask])[] = [
  [
    'a list of passports that finds nothing',
    10,
    (it, owner) => it.passports.list({ status: 'active' }, owner),
  ],
  ['a list of what has expired', 1, (it, owner) => it.passports.list({ status: 'expired' }, owner)],
  [
    'a filter of verdicts that finds nothing',
    1,
    (it, owner) => it.verifications.list({ reason: 'none' }, owner),
  ],
  ['a filter by environment', 1, (it, owner) => it.verifications.list({ environment: 'test' }, owner)],
  // Ten at once share the 40 blocks that they read.
  ['an export', 4, exportAll],
  ['analytics', 2, (it, owner) => it.analytics({}, owner)],
];

describe.each<[string, () => Promise<StorageAdapter>]>([
  ['memory', async () => memoryStorage()],
  ['sqlite', () => sqliteStorage({ file: ':memory:' })],
])('over %s', (_, open) => {
  let filled: Filled;
  beforeAll(async () => {
    filled = await fill(await open());
  });
  afterAll(() => filled.service.close());

  /** Does something with each call that walks through records, by its number. */
  function onWalk(act: (number: number) => Promise<undefined> | undefined): void {
    let walks = 0;
    filled.storage.fail = (call) => {
      if (!WALKS.test(call)) return undefined;
      walks += 1;
      return act(walks);
    };
    onTestFinished(() => {
      filled.storage.fail = undefined;
    });
  }

  test.each(requests)(
    '%s gives way after each piece, also when ten are asked for at once',
    async (_name, pieces, ask) => {
      const { service, storage, owner } = filled;
      const order = await trace(storage, () =>
        Promise.all(Array.from({ length: 10 }, () => ask(service, owner))),
      );
      expect(order.filter((call) => call !== '-').length).toBeGreaterThanOrEqual(10 * pieces);
      const together = order.filter((call, at) => call !== '-' && (order[at + 1] ?? '-') !== '-');
      expect(together).toEqual([]);
    },
  );

  test('a call ends with its signal, whatever it walks through', async () => {
    const { service, owner } = filled;
    const walks: number[] = [];
    const gone = new AbortController();
    onWalk((number) => {
      walks.push(number);
      if (number === 3) gone.abort();
      return undefined;
    });
    const options = { signal: gone.signal };
    const aborted = { name: 'AbortError' };
    await expect(
      service.passports.list({ status: 'active' }, { ...owner, ...options }),
    ).rejects.toMatchObject(aborted);
    await expect(service.verifications.list({}, { ...owner, ...options })).rejects.toMatchObject(aborted);
    await expect(service.verifications.csv({}, { ...owner, ...options })).rejects.toMatchObject(aborted);
    await expect(service.analytics({}, { ...owner, ...options })).rejects.toMatchObject(aborted);
    expect(walks).toEqual([1, 2, 3]);
  });

  test.each(['node:http', 'Fetch'])(
    'a client that goes away ends the walk it has asked for, over %s',
    async (face) => {
      const { service, storage, headers } = filled;
      const gone = new AbortController();
      const { list } = storage;
      let walks = 0;
      storage.list = async (...asked) => {
        walks += 1;
        if (walks === 2) gone.abort();
        // Time for the end of the connection to be seen.
        if (walks === 2) await new Promise((resolve) => setTimeout(resolve, 50));
        return list(...asked);
      };
      onTestFinished(() => {
        storage.list = list;
      });
      const origin = face === 'Fetch' ? 'http://localhost' : await listen(nodeListener(service));
      const request = new Request(`${origin}/api/passports?status=active`, { headers, signal: gone.signal });
      const answer = face === 'Fetch' ? fetchHandler(service)(request) : fetch(request);
      await answer.catch(() => undefined);
      await new Promise((resolve) => setTimeout(resolve, 100));
      expect(walks).toBe(2);
    },
  );

  test('pages that come short have a cursor, and hold every record once', async () => {
    const { service, clock, owner } = filled;
    // Each piece takes so long that the page is over after it.
    onWalk(() => {
      clock.advance(250);
      return undefined;
    });
    const suspended = 'did:web:example.com:agents:a7';
    await service.suspend({ agent_id: suspended, until: clock.instant(DAY) }, owner);
    await service.passports.update(suspended, { expires_at: null }, owner);
    await service.reinstate({ agent_id: suspended }, owner);
    const found: string[] = [];
    let cursor: string | null | undefined;
    let pages = 0;
    while (cursor !== null) {
      const page: Page<Passport> = await service.passports.list(
        { status: 'active', ...(cursor !== undefined && { cursor }) },
        owner,
      );
      found.push(...page.data.map(({ agent_id }) => agent_id));
      pages += 1;
      expect(page.has_more).toBe(page.next_cursor !== null);
      cursor = page.next_cursor;
    }
    expect(found).toEqual([suspended]);
    expect(pages).toBeGreaterThanOrEqual(AGENTS / 200);
  });
});
