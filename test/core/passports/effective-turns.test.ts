import { expect, test } from 'vitest';
import type { IdentityService } from '../../../src/core.ts';
import { openLocalService } from '../../support/service.ts';

/** The lists of a passport that has as many patterns as it may, none of them the same as another's. */
function lists(place: number) {
  const targets = Array.from({ length: 255 }, (_, at) => `did:web:*.x${at}.y${place}.example.com`);
  const actions = Array.from({ length: 255 }, (_, at) => `a.b${at}.c${place}.*`);
  return {
    allowed_targets: [...targets, 'did:web:*.example.com'],
    allowed_actions: [...actions, 'a.*'],
  };
}

/** Five passports in a chain. */
async function chain(service: IdentityService): Promise<string> {
  let agent_id: string | undefined;
  for (let place = 0; place < 5; place += 1) {
    const parent = agent_id === undefined ? {} : { parent_agent_id: agent_id };
    const fields = { domain: 'shop.example', agent_name: `a${place}`, monetary_limit_per_txn: 1 };
    ({ agent_id } = await service.passports.create({ ...fields, ...lists(place), ...parent }));
  }
  return agent_id ?? '';
}

test('what five passports with 256 patterns each allow together leaves turns to others meanwhile', async () => {
  const { service } = openLocalService();
  const agent_id = await chain(service);
  let turns = 0;
  let isOver = false;
  const count = (): void => {
    turns += 1;
    if (!isOver) setImmediate(count);
  };
  setImmediate(count);
  const found = await service.passports.effective(agent_id);
  isOver = true;
  expect(found.allowed_targets).toHaveLength(5 * 255 + 1);
  expect(found.allowed_actions).toHaveLength(5 * 255 + 1);
  expect(turns).toBeGreaterThanOrEqual(10);
});

test('it ends with its client', async () => {
  const { service } = openLocalService();
  const agent_id = await chain(service);
  const gone = new AbortController();
  const asked = service.passports.effective(agent_id, { signal: gone.signal });
  setImmediate(() => gone.abort());
  await expect(asked).rejects.toMatchObject({ name: 'AbortError' });
});
