import { describe, expect, test } from 'vitest';
import type { PassportInput } from '../../../src/records.ts';
import { openLocalService } from '../../support/service.ts';
import { openShop, SHOPPER } from './stage.ts';

describe('a passport with approvals', () => {
  const refusals: readonly (readonly [string, Partial<PassportInput>, string])[] = [
    ['neither an amount nor actions', { approval: { seconds: 60 } }, '/approval'],
    ['no actions', { approval: { actions: [] } }, '/approval/actions'],
    ['what is no action', { approval: { actions: ['a b'] } }, '/approval/actions/0'],
    ['too little time', { approval: { above: 1, seconds: 59 } }, '/approval/seconds'],
    ['too much time', { approval: { above: 1, seconds: 604_801 } }, '/approval/seconds'],
    ['half a second', { approval: { above: 1, seconds: 60.5 } }, '/approval/seconds'],
    ['a negative amount', { approval: { above: -1 } }, '/approval/above'],
    ['more decimals than the currency', { approval: { above: '0.001' } }, '/approval/above'],
    ['what is no amount', { approval: { above: true as never } }, '/approval/above'],
    ['another field', { approval: { above: 1, days: 1 } as never }, '/approval/days'],
    ['a text', { approval: 'above 100' as never }, '/approval'],
    ['nothing', { approval: null as never }, '/approval'],
    ['no monetary actions', { approval: { above: 1 }, monetary_actions: [] }, '/monetary_actions'],
  ];

  test.each(refusals)('is refused with %s', async (_, input, path) => {
    const { service } = openLocalService();
    await expect(service.passports.create({ ...SHOPPER, ...input })).rejects.toMatchObject({
      code: 'invalid_request',
      details: { errors: [{ path }] },
    });
  });

  test('needs a currency where it has an amount, and shows what it was given, with its seconds', async () => {
    const { service } = openLocalService();
    const { currency: _, ...without } = SHOPPER;
    await expect(service.passports.create(without)).rejects.toMatchObject({
      details: { errors: [{ path: '/currency' }] },
    });
    const approval = { actions: ['payments.refund'] };
    const made = await service.passports.create({ ...without, approval });
    expect(made.approval).toEqual({ ...approval, seconds: 3_600 });
  });

  test('is checked as a whole after a patch, which merges it', async () => {
    const { service, agent_id } = await openShop();
    const patched = await service.passports.update(agent_id, { approval: { above: '99.50' } });
    expect(patched.approval).toEqual({ above: 99.5, actions: ['payments.refund'], seconds: 600 });
    const only = await service.passports.update(agent_id, { approval: { actions: null } as never });
    expect(only.approval).toEqual({ above: 99.5, seconds: 600 });
    for (const patch of [
      { approval: { above: null } as never },
      { currency: null },
      { monetary_actions: [] },
    ])
      await expect(service.passports.update(agent_id, patch)).rejects.toMatchObject({
        code: 'invalid_request',
      });
    const without = await service.passports.update(agent_id, { approval: null });
    expect(without).not.toHaveProperty('approval');
  });
});
