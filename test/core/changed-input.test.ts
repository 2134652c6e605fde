/** What is stored is what was checked, whatever its caller changes while the storage is asked. */
import { expect, test } from 'vitest';
import { openLocalService } from '../support/service.ts';

const MAY = { allowed_actions: ['orders.get'], monetary_limit_per_txn: 1 };

test('a passport that its caller changes while it is issued', async () => {
  const { service } = openLocalService();
  const input = {
    domain: 'example.com',
    agent_name: 'a',
    ...MAY,
    allowed_actions: ['orders.get'],
    metadata: { a: 'b' },
  };
  const issuing = service.passports.create(input);
  input.allowed_actions.push('*');
  input.metadata.a = 'c';
  expect(await issuing).toMatchObject({ allowed_actions: ['orders.get'], metadata: { a: 'b' } });
});

test('a patch that its caller changes while the passport is read', async () => {
  const { service } = openLocalService();
  const { agent_id } = await service.passports.create({ domain: 'example.com', agent_name: 'a', ...MAY });
  const patch = { allowed_actions: ['orders.list'] };
  const changing = service.passports.update(agent_id, patch);
  patch.allowed_actions.push('no action at all \0');
  expect((await changing).allowed_actions).toEqual(['orders.list']);
});

test('a key, and a patch of a key', async () => {
  const { service } = openLocalService();
  const input = { name: 'a', agent_ids: ['did:web:example.com:agents:a'] };
  const making = service.keys.create(input, { idempotencyKey: 'once' });
  input.agent_ids.push('did:web:example.com:agents:b');
  const { id, agent_ids } = await making;
  expect(agent_ids).toEqual(['did:web:example.com:agents:a']);
  const patch = { agent_ids: ['did:web:example.com:agents:c'] };
  const changing = service.keys.update(id, patch);
  patch.agent_ids.length = 0;
  expect((await changing).agent_ids).toEqual(['did:web:example.com:agents:c']);
});

test.each([
  [
    'a getter',
    Object.defineProperty({ agent_name: 'a', ...MAY }, 'domain', {
      enumerable: true,
      get: () => 'a.example',
    }),
  ],
  [
    'a class',
    new (class {
      readonly domain = 'a.example';
      readonly agent_name = 'a';
      readonly allowed_actions = ['*'];
      readonly monetary_limit_per_txn = 1;
    })(),
  ],
])('input with %s is refused: it may say something else each time', async (_, input) => {
  const { service } = openLocalService();
  await expect(service.passports.create(input as never)).rejects.toMatchObject({ code: 'invalid_request' });
});
