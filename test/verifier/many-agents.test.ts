/** Very many agents: neither the verifier nor its service holds the event loop for long. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { memoryStorage } from '../../adapters/storage/memory/index.ts';
import { mainThreadCpu } from '../../bench/lib/thread-cpu.mjs';
import { createVisibilities } from '../../src/verifier/memory.ts';
import { putPassport } from '../support/put-passport.ts';
import { createRandom } from '../support/random.ts';
import { nightly, sized } from '../support/runs.ts';
import { keyOf, open, verifierWith, wireTo } from './stage.ts';

const AGENTS = nightly(100_000, sized(30_000, 6_000));
const AT_ONCE = 200;
/** The promise is 20 ms, which is for a machine at rest: a slow one that does other work takes several times the CPU. */
const LONGEST_MS = nightly(20, 150);
const WARM_UP = 3_000;

/** Notes how long the main thread works between two turns of the event loop, however busy the machine is. */
function watchTurns() {
  let longestMs = 0;
  let isOver = false;
  let before = mainThreadCpu() ?? Number.NaN;
  const watching = (async () => {
    while (!isOver) {
      await nextTurn();
      const now = mainThreadCpu() ?? Number.NaN;
      longestMs = Math.max(longestMs, (now - before) / 1_000);
      before = now;
    }
  })();
  return async () => {
    isOver = true;
    await watching;
    return longestMs;
  };
}

test(`${AGENTS} agents asked about once each`, { timeout: 600_000 }, async () => {
  const storage = memoryStorage();
  const service = open({ storage });
  const may = { allowed_actions: ['orders.*'], monetary_limit_per_txn: 5 };
  const { agent_id: sample } = await service.passports.create({
    domain: 'a.example',
    agent_name: 'a',
    ...may,
  });
  const passport = await service.passports.get(sample);
  const ids = Array.from({ length: AGENTS }, (_, place) => `did:web:a.example:agents:n${place}`);
  for (const agent_id of ids)
    await putPassport(storage, { ...passport, agent_id, account_id: 'acc_local' } as never);
  const { fetch } = wireTo(service);
  const verifier = verifierWith({
    apiKey: await keyOf(service),
    // Both ways of a network are turns of their own.
    fetch: async (...request) => {
      await nextTurn();
      const answer = await fetch(...request);
      await nextTurn();
      return answer;
    },
  });
  let end = async () => 0;
  for (let from = 0; from < AGENTS; from += AT_ONCE) {
    // The first ones run code that was not compiled yet.
    if (from === WARM_UP) end = watchTurns();
    const asked = ids
      .slice(from, from + AT_ONCE)
      .map((agent_id) => verifier.verify({ agent_id, action: 'orders.read' }));
    for (const { verdict } of await Promise.all(asked)) expect(verdict).toBe('ALLOW');
  }
  const longestMs = await end();
  console.info(AGENTS, 'agents, longest turn', longestMs, 'ms');
  expect(verifier.state()).toMatchObject({ decided: AGENTS, asked: 0 });
  expect(longestMs).toBeLessThan(LONGEST_MS);
});

test('those in use are the latest that were asked about, and those of half a minute ago are forgotten', () => {
  const random = createRandom(7);
  const sights = createVisibilities();
  const asked = new Map<string, number>();
  const there = (id: string) => !id.endsWith('7');
  for (let at = 0; at < 60_000; at += 1 + Math.floor(random() * 20)) {
    const id = `a${Math.floor(random() ** 3 * 1_500)}`;
    asked.set(id, at);
    sights.of(id, at);
    if (random() > 0.01) continue;
    const since = at - 30_000;
    sights.forgetUnused(since);
    for (const [each, last] of asked) if (last < since) asked.delete(each);
    expect(sights.size()).toBe(asked.size);
    const expected = [...asked].filter(([each]) => there(each)).map(([each]) => each);
    const found = sights.inUse(since, there);
    // Within 1,000, all of them.
    if (asked.size <= 1_000) expect([...found].sort()).toEqual(expected.sort());
    const times = found.map((each) => asked.get(each) ?? expect.fail());
    expect(times).toEqual([...times].sort((one, other) => other - one));
    // Nothing that was left out was asked about much later than what is there.
    const oldest = times.at(-1) ?? 0;
    const left = expected.filter((each) => !found.includes(each));
    expect(Math.max(0, ...left.map((each) => (asked.get(each) ?? 0) - oldest))).toBeLessThan(200);
  }
});

test('of very many only the latest 1,000 are looked at, three times a second', () => {
  const sights = createVisibilities();
  for (let count = 0; count < 50_000; count += 1) sights.of(`a${count}`, count);
  let looks = 0;
  const found = sights.inUse(0, () => {
    looks += 1;
    return true;
  });
  expect([looks, found.length, found[0], found[999]]).toEqual([1_000, 1_000, 'a49999', 'a49000']);
});

test('very many are forgotten some at a time', () => {
  const sights = createVisibilities();
  for (let count = 0; count < 25_000; count += 1) sights.of(`a${count}`, 0);
  expect(sights.inUse(0, () => true)).toHaveLength(1_000);
  const sizes = [0, 1, 2].map(() => {
    sights.forgetUnused(1);
    return sights.size();
  });
  expect(sizes).toEqual([15_000, 5_000, 0]);
});
