/** Many verifiers and large passports: the node refuses what is too much, and everything else has its turn. */
import { expect, test, vi } from 'vitest';
import { memoryStorage } from '../../../adapters/storage/memory/index.ts';
import { fetchHandler } from '../../../src/http/index.ts';
import type { StorageAdapter } from '../../../src/ports/storage.ts';
import { expectProblem, openApi } from '../../support/api.ts';
import { ask, callerOf, issue, known, open } from './stage.ts';

/** A storage whose reads of passports wait until they are released. */
function stuck(inner: StorageAdapter) {
  const waiting = new Set<() => void>();
  const storage: StorageAdapter = {
    ...inner,
    async get(collection, id) {
      if (collection === 'passports') await new Promise<void>((resolve) => waiting.add(resolve));
      return inner.get(collection, id);
    },
  };
  return { storage, waiting };
}

test('an account has 64 places for requests that do not wait; one more is 503 with Retry-After', async () => {
  const inner = memoryStorage();
  const { storage, waiting } = stuck(inner);
  const passport = await issue(open(inner), 'a');
  const service = open(storage, { storageDeadlineMs: 60_000 });
  const caller = await callerOf(service);
  const other = await callerOf(service, { account_id: 'acc_other' });
  const { key } = await service.keys.create({ name: 'verifier', scopes: ['verify', 'decide'] });
  const input = ask({ [passport.agent_id]: null });
  const reads = Array.from({ length: 64 }, () => service.verifiers.confirm(input, caller));
  await expect(service.verifiers.confirm(input, caller)).rejects.toMatchObject({ code: 'overloaded' });
  const api = openApi({ service, secrets: new Set() });
  const answer = await api.ask('POST', '/verifier/passports', { key, json: input });
  expectProblem(answer, 503, 'overloaded');
  expect(answer.headers.get('retry-after')).toBe('1');
  const verdicts = { writer: '0'.repeat(32), seq: 1, block: 'AAAA' };
  expectProblem(await api.ask('POST', '/verifier/verdicts', { key, json: verdicts }), 503, 'overloaded');
  // Neither those that wait nor another account are concerned.
  await service.verifiers.confirm(ask({}, 1), caller);
  await service.verifiers.confirm(ask({}), other);
  for (const release of waiting) release();
  await Promise.all(reads);
  expect(await service.verifiers.confirm(ask({}), caller)).toMatchObject({ unread: [] });
});

test('200 passports of full size come in answers of 1 MB, and only what is sent is measured', async () => {
  const service = open();
  const caller = await callerOf(service);
  const names = (count: number) => Array.from({ length: count }, (_, at) => `${at}.${'x'.repeat(120)}`);
  const large = { allowed_actions: names(250), denied_actions: names(200) };
  const ids: string[] = [];
  for (let count = 0; count < 200; count += 1) {
    const input = { domain: 'shop.example', agent_name: `large-${count}`, monetary_limit_per_txn: 0 };
    ids.push((await service.passports.create({ ...input, ...large })).agent_id);
  }
  const stringify = vi.spyOn(JSON, 'stringify');
  let left: readonly string[] = ids;
  const got = new Set<string>();
  let turns = 0;
  let isOver = false;
  const tick = (): void => {
    turns += 1;
    if (!isOver) setImmediate(tick);
  };
  setImmediate(tick);
  while (left.length > 0) {
    turns = 0;
    stringify.mockClear();
    const named = left.length;
    const answer = await service.verifiers.confirm(
      ask(Object.fromEntries(left.map((id) => [id, null]))),
      caller,
    );
    const measured = stringify.mock.results.reduce((sum, { value }) => sum + `${value}`.length, 0);
    // One passport more than there is room for.
    expect(measured).toBeLessThan(1_000_000 + 65_536);
    // Other work has a turn between two pieces of 20 agents.
    expect(turns).toBeGreaterThanOrEqual(Math.ceil(named / 20) - 1);
    expect(Object.keys(answer.passports).length).toBeGreaterThan(0);
    for (const id of Object.keys(answer.passports)) got.add(id);
    left = answer.unread;
  }
  isOver = true;
  stringify.mockRestore();
  expect([...got].sort()).toEqual([...ids].sort());
});

test('requests that wait take no turn of others, and end with the node', async () => {
  // No wait ends by itself, however busy the machine is.
  const service = open(memoryStorage(), { after: () => () => {} });
  const handle = fetchHandler(service);
  const passport = await issue(service, 'a');
  const { key } = await service.keys.create({ name: 'verifier', scopes: ['verify', 'decide'] });
  const body = JSON.stringify(ask({ [passport.agent_id]: known(passport) }, 1_000));
  const headers = { 'x-api-key': key, 'content-type': 'application/json' };
  const request = () => new Request('http://h/api/verifier/passports', { method: 'POST', headers, body });
  const waiting = Array.from({ length: 500 }, () => handle(request()));
  const health = await handle(new Request('http://h/api/health/live'));
  expect(health.status).toBe(200);
  for (let turn = 0; turn < 50; turn += 1) await new Promise((resolve) => setImmediate(resolve));
  expect((await handle(request())).status).toBe(503);
  service.verifiers.end();
  const answers = await Promise.all(waiting);
  expect(answers.map(({ status }) => status)).toEqual(Array(500).fill(200));
});
