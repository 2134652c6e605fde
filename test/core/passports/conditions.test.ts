import { describe, expect, test } from 'vitest';
import type { Condition, PassportInput } from '../../../src/records.ts';
import { openLocalService } from '../../support/service.ts';

const PASSPORT: PassportInput = {
  domain: 'example.com',
  agent_name: 'mailer',
  allowed_actions: ['email.send'],
  monetary_limit_per_txn: 0,
};
const IN = { at: '/to', in: ['a'] };
const many = (length: number) => Array.from({ length }, (_, place) => `a${place}`);

/** The pointers of the errors of a passport with these conditions; `undefined` if it is accepted. */
async function pointersOf(conditions: unknown): Promise<readonly string[] | undefined> {
  const { service } = openLocalService();
  const input = { ...PASSPORT, conditions } as PassportInput;
  const refused: { details?: { errors?: readonly { path: string; message: string }[] } } | undefined =
    await service.passports.create(input).then(
      () => undefined,
      (error) => error,
    );
  if (refused === undefined) return undefined;
  const errors = refused.details?.errors ?? [];
  for (const { message } of errors) expect(message).toMatch(/\.$/);
  return errors.map(({ path }) => path);
}

describe('conditions are refused with the place of the fault', () => {
  test.each<[unknown, readonly string[]]>([
    ['no list', ['/conditions']],
    [Array.from({ length: 17 }, () => IN), ['/conditions']],
    [['text'], ['/conditions/0']],
    [[{ at: '/to' }], ['/conditions/0']],
    [[{ at: '/to', in: ['a'], present: true }], ['/conditions/0']],
    [[IN, { at: '/to', min: 1, in: ['a'] }], ['/conditions/1']],
    [[{ in: ['a'] }], ['/conditions/0/at']],
    [[{ ...IN, at: 'to' }], ['/conditions/0/at']],
    [[{ ...IN, at: '/a~2' }], ['/conditions/0/at']],
    [[{ ...IN, at: '/__proto__' }], ['/conditions/0/at']],
    [[{ ...IN, at: '/-' }], ['/conditions/0/at']],
    [[{ ...IN, at: '' }], ['/conditions/0/at']],
    [[{ ...IN, at: '/1/2/3/4/5/6/7/8/9' }], ['/conditions/0/at']],
    [[{ ...IN, at: `/${'a'.repeat(256)}` }], ['/conditions/0/at']],
    [[{ ...IN, in: [] }], ['/conditions/0/in']],
    [[{ ...IN, in: many(257) }], ['/conditions/0/in']],
    [[{ ...IN, in: ['a', 'a'] }], ['/conditions/0/in']],
    [[{ ...IN, in: 'a' }], ['/conditions/0/in']],
    [[{ ...IN, in: ['a', {}] }], ['/conditions/0/in/1']],
    [[{ at: '/to', not_in: ['a', 'é'] }], ['/conditions/0/not_in/1']],
    [[{ at: '/to', not_in: ['a '] }], ['/conditions/0/not_in/0']],
    [[{ at: '/to', prefix: ['/srv'] }], ['/conditions/0/prefix/0']],
    [[{ at: '/to', prefix: ['a', 'https://a'] }], ['/conditions/0/prefix/1']],
    [[{ at: '/to', suffix: ['@example.com'] }], ['/conditions/0/suffix/0']],
    [[{ at: '/to', email_in: ['Ann@example.com'] }], ['/conditions/0/email_in/0']],
    [[{ at: '/to', email_in: ['@example'] }], ['/conditions/0/email_in/0']],
    [[{ at: '/to', url_under: ['https://a.example?x'] }], ['/conditions/0/url_under/0']],
    [[{ at: '/to', url_under: ['https://a.example:443'] }], ['/conditions/0/url_under/0']],
    [[{ at: '/to', url_under: ['https://*.example'] }], ['/conditions/0/url_under/0']],
    [[{ at: '/to', path_under: ['/a/../b'] }], ['/conditions/0/path_under/0']],
    [[{ at: '/to', path_under: ['docs/'] }], ['/conditions/0/path_under/0']],
    [[{ at: '/to', max_items: 1_001 }], ['/conditions/0/max_items']],
    [[{ at: '/to', only: many(65) }], ['/conditions/0/only']],
    [[{ at: '/to', present: false }], ['/conditions/0/present']],
    [[{ at: '/to', absent: true, optional: true }], ['/conditions/0/optional']],
    [[{ at: '/to', min: 2, max: 1 }], ['/conditions/0/max']],
    [[{ at: '/to', min: '-0' }], ['/conditions/0/min']],
    [[{ at: '/to', max: 1e15 + 1 }], ['/conditions/0/max']],
    [[{ ...IN, actions: [] }], ['/conditions/0/actions']],
    [[{ ...IN, actions: ['email.send', '*.send'] }], ['/conditions/0/actions/1']],
    [[{ ...IN, optional: 'yes' }], ['/conditions/0/optional']],
    [[{ ...IN, if: 'x' }], ['/conditions/0/if']],
    [[{ ...IN, matches: '.*' }], ['/conditions/0/matches']],
  ])('%j', async (conditions, pointers) => {
    expect(await pointersOf(conditions)).toEqual(pointers);
  });
});

test('conditions are stored with canonical bounds, in every test', async () => {
  const { service } = openLocalService();
  const conditions: readonly Condition[] = [
    { at: '/n', min: '-1.50', max: '100000000000000.123456' },
    { at: '/a/*/b', in: ['a', 1, true, null], optional: true },
    { at: '', only: [] },
  ];
  const made = await service.passports.create({ ...PASSPORT, conditions });
  expect(made.conditions).toEqual([
    { at: '/n', min: -1.5, max: '100000000000000.123456' },
    conditions[1],
    conditions[2],
  ]);
  expect(await service.passports.get(made.agent_id)).toEqual(made);
});

test('the conditions of a parent bind, and the effective passport names whose they are', async () => {
  const { service } = openLocalService();
  const parent = await service.passports.create({
    ...PASSPORT,
    agent_name: 'above',
    conditions: [{ at: '/to', email_in: ['@example.com'] }],
  });
  const own = { at: '/to', email_in: ['ann@example.com', 'eve@evil.example'] };
  const { agent_id } = await service.passports.create({
    ...PASSPORT,
    parent_agent_id: parent.agent_id,
    conditions: [own],
  });
  const ask = (to: unknown) => service.verify({ agent_id, action: 'email.send', parameters: { to } });
  expect((await ask('ann@example.com')).verdict).toBe('ALLOW');
  const { reasons } = await ask('eve@evil.example');
  expect(reasons).toEqual([
    {
      code: 'parent_denied',
      message: 'The parent of the agent may not do this.',
      parent: parent.agent_id,
      reason: 'parameter_not_allowed',
      at: '/to',
      test: 'email_in',
    },
  ]);
  const { conditions } = await service.passports.effective(agent_id);
  expect(conditions).toEqual([
    { agent_id, ...own },
    { agent_id: parent.agent_id, at: '/to', email_in: ['@example.com'] },
  ]);
});

test('evaluates no change that the caller makes after the question, even if the passport must be read', async () => {
  const { service } = openLocalService();
  const { agent_id } = await service.passports.create({ ...PASSPORT, conditions: [IN] });
  const parameters: { to: unknown } = { to: 'b' };
  const answer = service.verify({ agent_id, action: 'email.send', parameters });
  parameters.to = 'a';
  expect((await answer).verdict).toBe('DENY');
  const batch = await service.verifyBatch({
    intents: ['a', 'b', undefined].map((to) => ({ agent_id, action: 'email.send', parameters: { to } })),
  });
  expect(batch.map(({ verdict }) => verdict)).toEqual(['ALLOW', 'DENY', 'DENY']);
});
