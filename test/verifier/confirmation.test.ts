/** The loop that confirms the passports in use. */
import { expect, test } from 'vitest';
import { manualClock } from '../support/service.ts';
import { open, passport, verifierWith, wireTo } from './stage.ts';

/** A busy machine is late. */
const PATIENT = { timeout: 20_000 };

/** A service with an agent and a key; a request to it waits until a notice ends it. */
async function stage() {
  const clock = manualClock();
  const service = open({ clock, after: () => () => undefined });
  const wire = wireTo(service);
  const { agent_id } = await service.passports.create(passport('a'));
  const { key, id } = await service.keys.create({ name: 'verifier', scopes: ['verify', 'decide'] });
  return { clock, service, wire, agent_id, key, id };
}

test('waits again after one early answer without news, and pauses after the next, as a node that stops gives them', async () => {
  const { clock, service, wire, agent_id, key, id } = await stage();
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
  const seen = () => expect.poll(() => [waiting(), pauses.length], PATIENT);
  /** Changes the key, and leaves its rights as they are. */
  const renameKey = (name: string) => service.keys.update(id, { name });

  await verifier.verify({ agent_id, action: 'orders.read' });
  await seen().toEqual([1, 0]);
  await renameKey('one');
  await seen().toEqual([2, 0]);
  await renameKey('two');
  await seen().toEqual([2, 1]);
  pauses[0]?.();
  await seen().toEqual([3, 1]);
});

test('an agent that the key sees no more is not decided by a passport that was read later than the answer says', async () => {
  const { clock, service, wire, agent_id, key, id } = await stage();
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
  await service.keys.update(id, { agent_ids: ['did:web:shop.example:agents:other'] });
  const code = async () => (await verifier.verify(intent)).reasons[0]?.code;
  await expect.poll(code, PATIENT).toBe('agent_not_found');
});
