import { expect, test } from 'vitest';
import type { Order, PassportInput } from '../../../src/records.ts';
import { openLocalService } from '../../support/service.ts';

const PASSPORT: PassportInput = {
  domain: 'example.com',
  agent_name: 'deployer',
  allowed_actions: ['deploy', 'test'],
  monetary_limit_per_txn: 0,
};
const NEEDS = { actions: ['test'], seconds: 60 };
const RULE: Order = { name: 'tested', actions: ['deploy'], needs: NEEDS };

/** The pointers of the errors of a passport with this order; `undefined` if it is accepted. */
async function pointersOf(order: unknown, more: object = {}): Promise<readonly string[] | undefined> {
  const { service } = openLocalService();
  const refused: { details?: { errors?: readonly { path: string; message: string }[] } } | undefined =
    await service.passports.create({ ...PASSPORT, ...more, order } as PassportInput).then(
      () => undefined,
      (error) => error,
    );
  if (refused === undefined) return undefined;
  const errors = refused.details?.errors ?? [];
  for (const { message } of errors) expect(message).toMatch(/\.$/);
  return errors.map(({ path }) => path);
}

const { needs: _, ...BARE } = RULE;

test.each<[unknown, readonly string[]]>([
  ['first', ['/order']],
  [Array.from({ length: 9 }, (_, place) => ({ ...RULE, name: `a${place}` })), ['/order']],
  [['text'], ['/order/0']],
  [[BARE], ['/order/0']],
  [[{ ...RULE, forbids: NEEDS }], ['/order/0']],
  [[{ actions: ['deploy'], needs: NEEDS }], ['/order/0/name']],
  [[{ ...RULE, name: 'Tested' }], ['/order/0/name']],
  [[RULE, RULE], ['/order/1/name']],
  [[{ name: 'tested', needs: NEEDS }], ['/order/0/actions']],
  [[{ ...RULE, actions: [] }], ['/order/0/actions']],
  [[{ ...RULE, actions: ['deploy', 'no action'] }], ['/order/0/actions/1']],
  [[{ ...RULE, needs: 'test' }], ['/order/0/needs']],
  [[{ ...RULE, needs: { seconds: 60 } }], ['/order/0/needs/actions']],
  [[{ ...RULE, needs: { actions: ['test'] } }], ['/order/0/needs/seconds']],
  [[{ ...RULE, needs: { ...NEEDS, seconds: 86_401 } }], ['/order/0/needs/seconds']],
  [[{ ...RULE, needs: { ...NEEDS, failed: 1 } }], ['/order/0/needs/failed']],
  [[{ ...BARE, forbids: { ...NEEDS, failed: 101 } }], ['/order/0/forbids/failed']],
  [[{ ...BARE, forbids: { ...NEEDS, actions: ['*', 'a b'] } }], ['/order/0/forbids/actions/1']],
  [[{ ...RULE, same: 'session' }], ['/order/0/same']],
  [[{ ...RULE, same: ['session', '/a', '/b', '/c'] }], ['/order/0/same']],
  [[{ ...RULE, same: ['session', 'session'] }], ['/order/0/same']],
  [[{ ...RULE, same: ['subject'] }], ['/order/0/same/0']],
  [[{ ...RULE, same: ['/a', '/b/*'] }], ['/order/0/same/1']],
  [[{ ...RULE, same: [''] }], ['/order/0/same/0']],
  [[{ ...RULE, 'a/b': 1 }], ['/order/0/a~1b']],
])('the order %j is refused with the place of the fault', async (order, expected) => {
  expect(await pointersOf(order)).toEqual(expected);
});

test('a name is unique over pace and order, also where a change adds one of them', async () => {
  const pace = [{ max: 5, seconds: 60 }];
  expect(await pointersOf([{ ...RULE, name: 'pace' }], { pace })).toEqual(['/order/0/name']);
  expect(await pointersOf([{ ...RULE, name: 'pace' }])).toBeUndefined();
  const { service } = openLocalService();
  const { agent_id } = await service.passports.create({ ...PASSPORT, order: [{ ...RULE, name: 'pace' }] });
  await expect(service.passports.update(agent_id, { pace })).rejects.toMatchObject({
    details: { errors: [{ path: '/order/0/name' }] },
  });
});

test('an order is stored, shown with its agent in effect, and can be removed', async () => {
  const { service } = openLocalService();
  const order = [{ ...RULE, same: ['session', '/commit'] }];
  const parent = await service.passports.create({ ...PASSPORT, order });
  expect(parent.order).toEqual(order);
  const child = { ...PASSPORT, agent_name: 'child', parent_agent_id: parent.agent_id };
  const { agent_id } = await service.passports.create({ ...child, order: [RULE] });
  expect((await service.passports.effective(agent_id)).order).toEqual([
    { agent_id, ...RULE },
    { agent_id: parent.agent_id, ...order[0] },
  ]);
  const changed = await service.passports.update(parent.agent_id, { order: null });
  expect(changed).not.toHaveProperty('order');
});

test('a trial says whether the order allows, and marks nothing', async () => {
  const { service } = openLocalService();
  const { agent_id } = await service.passports.create({ ...PASSPORT, order: [RULE] });
  const attempt = (action: string) => service.passports.try(agent_id, { intent: { agent_id, action } });
  expect((await attempt('test')).verdict).toBe('ALLOW');
  expect((await attempt('deploy')).reasons).toMatchObject([{ code: 'order_required', order: 'tested' }]);
});

test.each([[''], ['a b'], ['é'], ['x'.repeat(129)], [7], [null]])(
  'the session %j is refused',
  async (session) => {
    const { service } = openLocalService();
    const { agent_id } = await service.passports.create(PASSPORT);
    await expect(
      service.verify({ agent_id, action: 'test', session: session as string }),
    ).rejects.toMatchObject({ details: { errors: [{ path: '/session' }] } });
  },
);
