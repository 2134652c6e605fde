import { expect, test } from 'vitest';
import type { PassportInput } from '../../../src/records.ts';
import { openLocalService } from '../../support/service.ts';

const PASSPORT: PassportInput = {
  domain: 'example.com',
  agent_name: 'mailer',
  allowed_actions: ['email.send'],
  monetary_limit_per_txn: 0,
};
const FIVE = { max: 5, seconds: 60 };

/** The pointers of the errors of a passport with this pace; `undefined` if it is accepted. */
async function pointersOf(pace: unknown): Promise<readonly string[] | undefined> {
  const { service } = openLocalService();
  const refused: { details?: { errors?: readonly { path: string; message: string }[] } } | undefined =
    await service.passports.create({ ...PASSPORT, pace } as PassportInput).then(
      () => undefined,
      (error) => error,
    );
  if (refused === undefined) return undefined;
  const errors = refused.details?.errors ?? [];
  for (const { message } of errors) expect(message).toMatch(/\.$/);
  return errors.map(({ path }) => path);
}

test.each<[unknown, readonly string[]]>([
  ['fast', ['/pace']],
  [Array.from({ length: 5 }, (_, place) => ({ ...FIVE, name: `a${place}` })), ['/pace']],
  [['text'], ['/pace/0']],
  [[{ seconds: 60 }], ['/pace/0/max']],
  [[{ max: 5 }], ['/pace/0/seconds']],
  [[{ ...FIVE, max: 0 }], ['/pace/0/max']],
  [[{ ...FIVE, max: 10_001 }], ['/pace/0/max']],
  [[{ ...FIVE, max: '5' }], ['/pace/0/max']],
  [[{ ...FIVE, seconds: 0 }], ['/pace/0/seconds']],
  [[{ ...FIVE, seconds: 604_801 }], ['/pace/0/seconds']],
  [[{ ...FIVE, seconds: 1.5 }], ['/pace/0/seconds']],
  [[{ ...FIVE, name: 'Mails' }], ['/pace/0/name']],
  [[FIVE, FIVE], ['/pace/1/name']],
  [[FIVE, { ...FIVE, name: 'pace' }], ['/pace/1/name']],
  [[{ ...FIVE, actions: [] }], ['/pace/0/actions']],
  [[{ ...FIVE, actions: ['no action'] }], ['/pace/0/actions/0']],
  [[{ ...FIVE, burst: 9 }], ['/pace/0/burst']],
])('the pace %j is refused with the place of the fault', async (pace, expected) => {
  expect(await pointersOf(pace)).toEqual(expected);
});

test('a pace is stored with its name, and can be removed', async () => {
  const { service } = openLocalService();
  const pace = [FIVE, { name: 'one', actions: ['email.*'], max: 1, seconds: 604_800 }];
  const { agent_id, pace: stored } = await service.passports.create({ ...PASSPORT, pace });
  expect(stored).toEqual([{ name: 'pace', ...FIVE }, pace[1]]);
  const changed = await service.passports.update(agent_id, { pace: null });
  expect(changed).not.toHaveProperty('pace');
  expect(await pointersOf([])).toBeUndefined();
});
