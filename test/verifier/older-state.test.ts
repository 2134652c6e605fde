/** A store that has gone back never widens what a verifier decides. */
import { describe, expect, test } from 'vitest';
import type { Passport } from '../../src/records.ts';
import { keyOf, open, passport, verifierWith, wireTo } from './stage.ts';

describe('an older state', () => {
  test('with a lower version is never used: the service is asked for a minute', async () => {
    const service = open();
    const wire = wireTo(service);
    const { agent_id } = await service.passports.create(passport('a'));
    const clock = { at: 0, now: () => Date.now(), monotonic: () => performance.now() + clock.at };
    let older: Passport | undefined;
    const fetch: typeof globalThis.fetch = async (input, init) => {
      const answer = await wire.fetch(input, init);
      if (!`${input}`.endsWith('/verifier/passports') || older === undefined) return answer;
      return Response.json({ ...(await answer.json()), passports: { [agent_id]: older } });
    };
    const verifier = verifierWith({
      apiKey: await keyOf(service),
      fetch,
      clock,
      after: () => () => undefined,
    });
    const intent = { agent_id, action: 'orders.pay', parameters: { amount: 5, currency: 'EUR' } };
    const wide = await service.passports.get(agent_id);
    await service.passports.update(agent_id, { monetary_limit_per_txn: 1 });
    expect((await verifier.verify(intent)).verdict).toBe('DENY');
    older = wide;
    clock.at += 1_000;
    expect((await verifier.verify(intent)).verdict).toBe('DENY');
    expect(verifier.state()).toMatchObject({ decided: 1, asked: 1 });
    clock.at += 58_000;
    await verifier.verify(intent);
    expect(verifier.state()).toMatchObject({ decided: 1, asked: 2 });
    // Then the known version is forgotten: the store has gone back for good.
    clock.at += 2_000;
    expect((await verifier.verify(intent)).verdict).toBe('ALLOW');
    expect(verifier.state()).toMatchObject({ decided: 2, asked: 2 });
  });

  test('a restored back-up that writes the same version with other content is noticed', async () => {
    const service = open();
    const wire = wireTo(service);
    const { agent_id } = await service.passports.create(passport('a'));
    const clock = { at: 0, now: () => Date.now(), monotonic: () => performance.now() + clock.at };
    let restored: Passport | undefined;
    const fetch: typeof globalThis.fetch = async (input, init) => {
      const answer = await wire.fetch(input, init);
      if (!`${input}`.endsWith('/verifier/passports') || restored === undefined) return answer;
      return Response.json({ ...(await answer.json()), passports: { [agent_id]: restored } });
    };
    const verifier = verifierWith({
      apiKey: await keyOf(service),
      fetch,
      clock,
      after: () => () => undefined,
    });
    const intent = { agent_id, action: 'orders.read' };
    expect((await verifier.verify(intent)).verdict).toBe('ALLOW');
    const before = await service.passports.get(agent_id);
    restored = { ...before, allowed_actions: [], updated_at: '2026-11-20T00:00:00.000Z' };
    clock.at += 1_000;
    expect((await verifier.verify(intent)).verdict).toBe('DENY');
  });
});
