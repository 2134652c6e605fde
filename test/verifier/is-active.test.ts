/** Whether an agent may still act, by the state that a local verifier holds. */
import { expect, test } from 'vitest';
import { defaultRules } from '../../src/verdict/index.ts';
import { keyOf, open, passport, stage, verifierWith, wireTo } from './stage.ts';

/** Time passes by hand: 1,001 ms later every change counts. */
async function openClocked() {
  const service = open();
  const wire = wireTo(service);
  const clock = { at: 0, now: () => Date.now(), monotonic: () => performance.now() + clock.at };
  const apiKey = await keyOf(service);
  const verifier = verifierWith({ apiKey, fetch: wire.fetch, clock });
  const later = (): void => {
    clock.at += 1_001;
  };
  return { service, wire, verifier, later };
}

test('an agent is active while it and all above it are, and nothing is recorded', async () => {
  const { service, wire, verifier, later } = await openClocked();
  const parent = await service.passports.create(passport('parent'));
  const child = await service.passports.create(passport('child', { parent_agent_id: parent.agent_id }));
  const both = async (): Promise<readonly boolean[]> => {
    later();
    return [await verifier.isActive(parent.agent_id), await verifier.isActive(child.agent_id)];
  };
  expect(await both()).toEqual([true, true]);
  await service.suspend({ agent_id: parent.agent_id });
  expect(await both()).toEqual([false, false]);
  await service.reinstate({ agent_id: parent.agent_id });
  await service.revoke({ agent_id: child.agent_id });
  expect(await both()).toEqual([true, false]);
  expect(await verifier.isActive('did:web:shop.example:agents:nobody')).toBe(false);
  expect(verifier.state()).toMatchObject({ decided: 0, asked: 0, unsent: 0 });
  expect(wire.to('/verify')).toEqual([]);
});

test('an agent that the key does not see is not active', async () => {
  const service = open();
  const [own, other] = [
    await service.passports.create(passport('own')),
    await service.passports.create(passport('other')),
  ];
  const apiKey = await keyOf(service, { agent_ids: [own.agent_id] });
  const verifier = verifierWith({ apiKey, fetch: wireTo(service).fetch });
  expect(await verifier.isActive(own.agent_id)).toBe(true);
  expect(await verifier.isActive(other.agent_id)).toBe(false);
});

test('rejects where the service does not answer, and after the close', async () => {
  const { service, verifier, wire } = await stage();
  const { agent_id } = await service.passports.create(passport('a'));
  expect(await verifier.isActive(agent_id)).toBe(true);
  const cut = verifierWith({
    apiKey: await keyOf(service),
    fetch: async (input, init) =>
      `${input}`.endsWith('/verifier/passports') ? Promise.reject(new Error('cut')) : wire.fetch(input, init),
  });
  await expect(cut.isActive(agent_id)).rejects.toMatchObject({ code: 'service_unreachable' });
  await verifier.close();
  await expect(verifier.isActive(agent_id)).rejects.toMatchObject({ code: 'service_unreachable' });
});

test('rejects where the service decides by rules of its own', async () => {
  const { service, verifier } = await stage({ rules: [...defaultRules, () => undefined] });
  const { agent_id } = await service.passports.create(passport('a'));
  await expect(verifier.isActive(agent_id)).rejects.toMatchObject({ code: 'service_unreachable' });
});
