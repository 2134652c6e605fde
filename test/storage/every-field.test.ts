import { describe, expect, test } from 'vitest';
import type { PassportInput, PassportPatch } from '../../src/index.ts';
import { optionalFields } from '../../src/schema/passport.ts';
import type { OptionalPassportField } from '../../src/types.ts';
import { ED25519_KEYS, P256_KEYS } from '../support/agent-keys.ts';
import { openLocalService } from '../support/service.ts';
import { openOne, sharedStores } from '../support/stores.ts';

/** The compiler asks for a value of a field that is new. */
const FULL: Required<PassportInput> = {
  domain: 'shop.example',
  agent_name: 'shopper',
  allowed_actions: ['orders.*'],
  monetary_limit_per_txn: 100,
  parent_agent_id: 'did:web:shop.example:agents:parent',
  denied_actions: ['orders.delete'],
  currency: 'EUR',
  allowed_targets: ['did:web:till.example'],
  monetary_actions: ['orders.pay'],
  budgets: [{ name: 'orders', window: 'day', count: 100, actions: ['orders.*'] }],
  approval: { actions: ['orders.pay'], seconds: 600 },
  not_before: '2026-01-31T09:00:00.000Z',
  expires_at: '2099-01-31T09:00:00.000Z',
  description: 'buys paper',
  public_keys: [...ED25519_KEYS, ...P256_KEYS],
  proof: 'optional',
  metadata: { team: 'purchasing' },
};

const optional = Object.keys(optionalFields).filter(
  (field) => field !== 'parent_agent_id',
) as (OptionalPassportField & keyof PassportPatch)[];
describe.each(await sharedStores())('a passport in $name', (store) => {
  test('keeps every field, and a patch stores and removes each', async () => {
    const { service } = openLocalService({ storage: await openOne(store) });
    const { parent_agent_id: _, ...parent } = FULL;
    await service.passports.create({ ...parent, agent_name: 'parent' });
    const { agent_id } = await service.passports.create(FULL);
    expect(await service.passports.get(agent_id)).toMatchObject(FULL);
    for (const field of optional) {
      await service.passports.update(agent_id, { [field]: null });
      const { [field]: removed, ...others } = FULL;
      const without = await service.passports.get(agent_id);
      expect(without).toMatchObject(others);
      expect(without).not.toHaveProperty(field);
      await service.passports.update(agent_id, { [field]: removed });
      expect(await service.passports.get(agent_id)).toMatchObject(FULL);
    }
    await service.close();
  });
});
