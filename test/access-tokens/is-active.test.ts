import { expect, test } from 'vitest';
import { makeKeyPair, openIssuer } from './stage.ts';

test('an agent is active while it and all above it are', async () => {
  const { service, issue } = openIssuer();
  const parent = await issue([await makeKeyPair()]);
  const child = await issue([await makeKeyPair()], { parent_agent_id: parent.agent_id });
  const { isActive } = service;
  expect([await isActive(parent.agent_id), await isActive(child.agent_id)]).toEqual([true, true]);
  await service.suspend({ agent_id: parent.agent_id }, { account_id: 'acc_1' });
  expect([await isActive(parent.agent_id), await isActive(child.agent_id)]).toEqual([false, false]);
  await service.reinstate({ agent_id: parent.agent_id }, { account_id: 'acc_1' });
  await service.revoke({ agent_id: child.agent_id }, { account_id: 'acc_1' });
  expect([await isActive(parent.agent_id), await isActive(child.agent_id)]).toEqual([true, false]);
  expect(await isActive('did:web:example.com:agents:nobody')).toBe(false);
});

test('an agent that is not yet valid, or is expired, is not active', async () => {
  const { service, issue } = openIssuer();
  const early = await issue([], { not_before: '2099-01-01T00:00:00.000Z' });
  const late = await issue([], { expires_at: new Date(Date.now() + 1_000).toISOString() });
  expect(await service.isActive(early.agent_id)).toBe(false);
  expect(await service.isActive(late.agent_id)).toBe(true);
  await expect.poll(() => service.isActive(late.agent_id), { timeout: 4_000 }).toBe(false);
});
