import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { memoryStorage } from '../../../adapters/storage/memory/index.ts';
import { sqliteStorage } from '../../../adapters/storage/sql/index.ts';
import type { IdentityService } from '../../../src/core.ts';
import type { Intent } from '../../../src/records.ts';
import { eventually } from '../../support/eventually.ts';
import { rollupsIn } from '../../support/journal.ts';
import { sized } from '../../support/runs.ts';
import { HOUR, MINUTE, type Opened, openLocalService, START } from '../../support/service.ts';
import { probe } from '../../support/storage-probe.ts';

const DAY = 24 * HOUR;
const agentOf = (name: string) => `did:web:example.com:agents:${name}`;

async function issue(service: IdentityService, agent_name: string): Promise<void> {
  const allowed_actions = ['buy', 'sell'];
  await service.passports.create({
    domain: 'example.com',
    agent_name,
    allowed_actions,
    monetary_limit_per_txn: 1,
  });
}

const ask = (name: string, action: string): Intent => ({ agent_id: agentOf(name), action });

describe('analytics', () => {
  test('count agents as of now and verdicts of the last 24 hours, without holes', async () => {
    const { service, clock } = openLocalService();
    for (const name of ['a', 'b', 'c', 'd', 'e']) await issue(service, name);
    await service.revoke({ agent_id: agentOf('a') });
    await service.suspend({ agent_id: agentOf('b') });
    await service.suspend({ agent_id: agentOf('c'), until: clock.instant(MINUTE) });
    await service.passports.update(agentOf('d'), { expires_at: clock.instant(MINUTE) });
    clock.advance(HOUR);
    await service.verify(ask('e', 'buy'));
    await service.verify(ask('e', 'steal'));
    await service.verify(ask('nobody', 'buy'));
    await service.verify({ ...ask('e', 'buy'), dry_run: true });
    const { overview, series, top_agents, top_actions, top_reasons, latency_us } = await service.analytics();
    expect(overview).toEqual({
      total_agents: 5,
      active_agents: 2,
      suspended_agents: 1,
      revoked_agents: 1,
      total_verifications: 3,
      allowed: 1,
      denied: 2,
    });
    expect(series).toHaveLength(25);
    expect(series.at(-1)).toEqual({ start: '2026-11-20T13:00:00.000Z', allowed: 1, denied: 2 });
    expect(top_agents).toEqual([
      { key: agentOf('e'), count: 2 },
      { key: 'other', count: 1 },
    ]);
    expect(top_actions).toEqual([
      { key: 'buy', count: 2 },
      { key: 'steal', count: 1 },
    ]);
    expect(top_reasons.map(({ key }) => key).sort()).toEqual(['action_not_allowed', 'agent_not_found']);
    for (const value of Object.values(latency_us)) expect(value).toBeGreaterThanOrEqual(0);
  });

  test('count the agents alike over a storage that does not count passports', async () => {
    const storage = await sqliteStorage({ file: ':memory:' });
    const { service, clock } = openLocalService({ storage });
    const { countPassports: _, ...listing } = storage;
    const { service: other } = openLocalService({ storage: listing, clock });
    const names = Array.from({ length: 60 }, (_, at) => `a${at}`);
    for (const [at, name] of names.entries()) {
      await issue(service, name);
      const agent_id = agentOf(name);
      if (at % 4 > 0) await service.passports.update(agent_id, { expires_at: clock.instant(MINUTE) });
      if (at % 4 > 1) await service.suspend({ agent_id, until: clock.instant(at % 8 > 3 ? MINUTE : DAY) });
      if (at % 4 > 2) await service.revoke({ agent_id });
    }
    clock.advance(HOUR);
    const { overview } = await service.analytics();
    expect(overview).toMatchObject({ total_agents: 60, active_agents: 15, suspended_agents: 8 });
    expect((await other.analytics()).overview).toEqual(overview);
  });

  test('of one agent are its own, and of a foreign one nothing', async () => {
    const { service } = openLocalService();
    await issue(service, 'a');
    await issue(service, 'b');
    await service.verifyBatch({ intents: [ask('a', 'buy'), ask('a', 'x'), ask('b', 'sell')] });
    const a = await service.analytics({ agent_id: agentOf('a') });
    expect(a.overview).toMatchObject({ total_agents: 1, active_agents: 1, allowed: 1, denied: 1 });
    expect(a.top_actions.map(({ key }) => key)).toEqual(['buy', 'x']);
    const foreign = await service.analytics({ agent_id: agentOf('c') });
    expect(foreign.overview).toMatchObject({ total_agents: 0, total_verifications: 0 });
    expect(foreign.top_agents).toEqual([]);
  });

  test.each([
    ['a from after to', { from: '2026-11-20T12:00:01Z', to: '2026-11-20T12:00:00Z' }],
    ['what is no instant', { from: 'yesterday' }],
    ['1,001 intervals', { from: '2026-11-20T00:00:00Z', to: '2026-11-20T16:41:00Z', interval: 'minute' }],
  ] as const)('refuse %s', async (_what, query) => {
    const { service } = openLocalService();
    await expect(service.analytics(query)).rejects.toMatchObject({ code: 'invalid_request' });
  });

  test('take 1,000 intervals', async () => {
    const { service } = openLocalService();
    const query = { from: '2026-11-20T00:00:00Z', to: '2026-11-20T16:40:00Z', interval: 'minute' } as const;
    expect((await service.analytics(query)).series).toHaveLength(1_000);
  });
});

describe.each([
  ['memory', async () => memoryStorage()],
  ['SQLite', () => sqliteStorage({ file: ':memory:' })],
])('on %s', (_name, open) => {
  test('every range and interval counts what a plain count of the verdicts counts', async () => {
    const opened: Opened = openLocalService({ storage: await open() });
    const { service, clock } = opened;
    await issue(service, 'a');
    const verdicts: { at: number; allowed: boolean }[] = [];
    for (const step of fc.sample(fc.integer({ min: 0, max: 5 * HOUR }), { numRuns: 120, seed: 7 })) {
      clock.advance(step);
      const { verdict } = await service.verify(ask('a', step % 3 === 0 ? 'steal' : 'buy'));
      verdicts.push({ at: clock.now(), allowed: verdict === 'ALLOW' });
    }
    const days = Math.ceil((clock.now() - START) / DAY);
    const ranges = fc.record({
      from: fc.integer({ min: -60, max: days * 24 * 60 }),
      length: fc.integer({ min: 1, max: days * 24 * 60 }),
      interval: fc.constantFrom('hour' as const, 'day' as const),
    });
    for (const { from, length, interval } of fc.sample(ranges, { numRuns: sized(60, 15), seed: 8 })) {
      const begin = START + from * MINUTE;
      const end = Math.min(begin + length * MINUTE, begin + 900 * HOUR);
      const inside = verdicts.filter(({ at }) => at >= begin && at < end);
      const { overview, series } = await service.analytics({
        from: new Date(begin).toISOString(),
        to: new Date(end).toISOString(),
        interval,
      });
      expect(overview.allowed).toBe(inside.filter(({ allowed }) => allowed).length);
      expect(overview.denied).toBe(inside.filter(({ allowed }) => !allowed).length);
      expect(series.reduce((sum, point) => sum + point.allowed + point.denied, 0)).toBe(inside.length);
    }
  });

  test('ten thousand distinct actions take no more places than fit, and none is lost', async () => {
    const storage = await open();
    const { service, timers } = openLocalService({ storage });
    await issue(service, 'a');
    for (let round = 0; round < 100; round += 1) {
      const intents = Array.from({ length: 100 }, (_, index) => ask('a', `action-${round}-${index}`));
      await service.verifyBatch({ intents: [...intents.slice(0, 90), ...Array(10).fill(ask('a', 'buy'))] });
    }
    expect((await service.analytics()).top_actions[0]).toEqual({ key: 'buy', count: 1_000 });
    const sumsOf = () => rollupsIn(storage, 'acc_local', { kinds: ['action'] }, agentOf('a'));
    await eventually(async () => {
      await timers.pass(2_000);
      expect(await sumsOf()).not.toEqual([]);
    });
    const { top_actions } = await service.analytics();
    expect(top_actions[0]?.key).toBe('other');
    expect(top_actions[1]).toEqual({ key: 'buy', count: 1_000 });
    const sums = await sumsOf();
    expect(sums.length).toBeLessThanOrEqual(101);
    expect(sums.reduce((sum, { count }) => sum + count, 0)).toBe(10_000);
  });

  test('cost the same number of storage calls whatever the number of verdicts', async () => {
    const storage = probe(await open());
    const { service } = openLocalService({ storage });
    await issue(service, 'a');
    const calls = async () => {
      storage.calls.length = 0;
      await service.analytics();
      // Filing notes that an agent was seen; the numbers themselves are only read.
      return storage.calls.filter((call) => !['open', 'file', 'write'].includes(call)).length;
    };
    await service.verify(ask('a', 'buy'));
    const few = await calls();
    for (let round = 0; round < 50; round += 1) {
      await service.verifyBatch({ intents: Array(100).fill(ask('a', 'buy')) });
    }
    expect(await calls()).toBe(few);
  });
});
