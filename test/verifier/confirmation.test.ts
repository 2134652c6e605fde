/** The loop that confirms the passports in use. */
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { manualClock } from '../support/service.ts';
import { open, passport, verifierWith, wireTo } from './stage.ts';

/** Enough for a request and its answer within a process, where nothing waits. */
const SETTLED_MS = 100;

test('waits again after one early answer without news, and pauses after the next, as a node that stops gives them', async () => {
  const clock = manualClock();
  // A request waits until a notice ends it.
  const service = open({ clock, after: () => () => undefined });
  const wire = wireTo(service);
  const { agent_id } = await service.passports.create(passport('a'));
  const { key, id } = await service.keys.create({ name: 'verifier', scopes: ['verify', 'decide'] });
  const pauses: (() => void)[] = [];
  const verifier = verifierWith({
    ...{ apiKey: key, fetch: wire.fetch, clock },
    after(ms, callback) {
      if (ms > 100 && ms <= 300) pauses.push(callback);
      return () => undefined;
    },
  });
  const waiting = () =>
    wire.to('/verifier/passports').filter(({ body }) => Number(body['wait_ms']) > 0).length;
  /** A change of the key that leaves its rights as they are. */
  async function renameKey(name: string): Promise<void> {
    await service.keys.update(id, { name });
    await sleep(SETTLED_MS);
  }

  await verifier.verify({ agent_id, action: 'orders.read' });
  await sleep(SETTLED_MS);
  expect([waiting(), pauses.length]).toEqual([1, 0]);
  await renameKey('one');
  expect([waiting(), pauses.length]).toEqual([2, 0]);
  await renameKey('two');
  expect([waiting(), pauses.length]).toEqual([2, 1]);
  pauses[0]?.();
  await sleep(SETTLED_MS);
  expect(waiting()).toBe(3);
});

test('an agent that the key sees no more is not decided by a passport that was read later than the answer says', async () => {
  const clock = manualClock();
  const service = open({ clock, after: () => () => undefined });
  const wire = wireTo(service);
  const { agent_id } = await service.passports.create(passport('a'));
  const { key, id } = await service.keys.create({ name: 'verifier', scopes: ['verify', 'decide'] });
  // A node may answer by a passport that it read a tenth of a second before.
  const fetch: typeof globalThis.fetch = async (input, init) => {
    const answer = await wire.fetch(input, init);
    if (!`${input}`.endsWith('/verifier/passports')) return answer;
    const body = await answer.json();
    return Response.json(body.passports[agent_id] === null ? { ...body, as_of_ms: -100 } : body);
  };
  const verifier = verifierWith({ apiKey: key, fetch, clock, after: () => () => undefined });
  const intent = { agent_id, action: 'orders.read' };
  expect(await verifier.verify(intent)).toMatchObject({ verdict: 'ALLOW' });
  await sleep(SETTLED_MS);
  await service.keys.update(id, { agent_ids: ['did:web:shop.example:agents:other'] });
  await sleep(SETTLED_MS);
  expect(await verifier.verify(intent)).toMatchObject({
    verdict: 'DENY',
    reasons: [{ code: 'agent_not_found' }],
  });
});
