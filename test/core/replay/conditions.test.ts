import { expect, test } from 'vitest';
import { memoryStorage } from '../../../adapters/storage/memory/index.ts';
import type { Condition, PassportPatch } from '../../../src/records.ts';
import { openLocalService } from '../../support/service.ts';
import { replayed } from './replayed.ts';

const AGENT = 'did:web:shop.example:agents:mailer';
const TO: Condition = { actions: ['email.send'], at: '/to', email_in: ['ann@example.com', '@example.org'] };
const LARGE: Condition = { at: '/amount', max: 50, optional: true };

/** Asks four questions: two mails of which the second is denied, an action without conditions, and a payment. */
async function stage(conditions: readonly Condition[]) {
  const storage = memoryStorage();
  const { service, clock } = openLocalService({ storage: { ...storage, close: async () => {} } });
  await service.passports.create({
    domain: 'shop.example',
    agent_name: 'mailer',
    allowed_actions: ['email.send', 'orders.get', 'payments.create'],
    monetary_limit_per_txn: 100,
    conditions,
  });
  const questions = [
    ['email.send', { to: 'ann@example.com' }],
    ['email.send', { to: 'eve@evil.example' }],
    ['orders.get', {}],
    ['payments.create', { amount: '40.00' }],
  ] as const;
  const asked: string[] = [];
  for (const [action, parameters] of questions) {
    clock.advance(10_000);
    asked.push((await service.verify({ agent_id: AGENT, action, parameters })).verdict);
  }
  const replay = async (patch: PassportPatch) => {
    clock.advance(10_000);
    await service.verifications.list({ limit: 1 });
    const { seen } = await replayed({ storage, clock: { now: () => clock.now() } }, AGENT, { patch });
    return seen.map(({ verdict, unknown }) => verdict ?? unknown);
  };
  return { asked, replay };
}

test.each<[string, readonly Condition[], readonly string[]]>([
  ['that stay as they are', [TO, LARGE], ['ALLOW', 'DENY', 'ALLOW', 'ALLOW']],
  [
    'that allow more',
    [{ ...TO, email_in: [...(TO.email_in ?? []), '@example.net'] }, LARGE],
    ['ALLOW', 'parameters', 'ALLOW', 'ALLOW'],
  ],
  [
    'that allow less',
    [{ ...TO, email_in: ['ann@example.com'] }, LARGE],
    ['parameters', 'parameters', 'ALLOW', 'ALLOW'],
  ],
  ['that are gone', [LARGE], ['ALLOW', 'ALLOW', 'ALLOW', 'ALLOW']],
  [
    'on another parameter',
    [{ ...TO, at: '/cc', optional: true }],
    ['parameters', 'parameters', 'ALLOW', 'ALLOW'],
  ],
  ['on the amount', [TO, { ...LARGE, max: 39 }], ['ALLOW', 'DENY', 'ALLOW', 'DENY']],
  [
    'of every action',
    [{ at: '/to', present: true }],
    ['parameters', 'parameters', 'parameters', 'parameters'],
  ],
])('a replay with conditions %s tells only what is recorded or implied', async (_, conditions, expected) => {
  const { asked, replay } = await stage([TO, LARGE]);
  expect(asked).toEqual(['ALLOW', 'DENY', 'ALLOW', 'ALLOW']);
  expect(await replay({ conditions })).toEqual(expected);
});

test('a replay without conditions is not touched by conditions of the recorded version', async () => {
  const { replay } = await stage([TO]);
  expect(await replay({ conditions: null, allowed_actions: ['email.send'] })).toEqual([
    'ALLOW',
    'ALLOW',
    'DENY',
    'DENY',
  ]);
});
