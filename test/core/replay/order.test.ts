import { expect, test } from 'vitest';
import { memoryStorage } from '../../../adapters/storage/memory/index.ts';
import type { Order, PassportPatch } from '../../../src/records.ts';
import { openLocalService } from '../../support/service.ts';
import { replayed } from './replayed.ts';

const AGENT = 'did:web:ops.example:agents:worker';
const SEALED: Order = {
  name: 'sealed',
  actions: ['mail'],
  forbids: { actions: ['read'], seconds: 3_600 },
  same: ['session', '/box'],
};

/** Reads and mails in one session, without the box, without the session, and looks. */
async function stage() {
  const storage = memoryStorage();
  const { service, clock } = openLocalService({ storage: { ...storage, close: async () => {} } });
  await service.passports.create({
    domain: 'ops.example',
    agent_name: 'worker',
    allowed_actions: ['mail', 'read', 'look'],
    monetary_limit_per_txn: 0,
    order: [SEALED],
  });
  const whole = { session: 's', parameters: { box: 'in' } };
  const asked: string[] = [];
  for (const intent of [
    { action: 'mail', ...whole },
    { action: 'read', ...whole },
    { action: 'mail', ...whole },
    { action: 'mail', session: 's' },
    { action: 'read', parameters: { box: 'in' } },
    { action: 'look' },
    { action: 'sell', ...whole },
  ]) {
    clock.advance(1_000);
    asked.push((await service.verify({ agent_id: AGENT, ...intent })).verdict);
  }
  const replay = async (patch: PassportPatch) => {
    clock.advance(10_000);
    await service.verifications.list({ limit: 1 });
    const { seen } = await replayed({ storage, clock: { now: () => clock.now() } }, AGENT, { patch });
    return seen.map(({ verdict, unknown }) => verdict ?? unknown);
  };
  return { asked, replay };
}

const AS_RECORDED = ['ALLOW', 'ALLOW', 'DENY', 'DENY', 'DENY', 'ALLOW', 'DENY'];
const HISTORY = ['history', 'history', 'history', 'history', 'history', 'ALLOW', 'DENY'];

test.each<[string, PassportPatch, readonly unknown[]]>([
  ['stays', { description: 'the same' }, AS_RECORDED],
  ['is longer', { order: [{ ...SEALED, forbids: { actions: ['read'], seconds: 7_200 } }] }, HISTORY],
  ['has another name', { order: [{ ...SEALED, name: 'other' }] }, HISTORY],
  ['is gone', { order: null }, ['ALLOW', 'ALLOW', 'ALLOW', 'ALLOW', 'ALLOW', 'ALLOW', 'DENY']],
  [
    'is joined by another',
    { order: [SEALED, { ...SEALED, name: 'look', actions: ['look'], same: [] }] },
    ['ALLOW', 'ALLOW', 'DENY', 'DENY', 'DENY', 'history', 'DENY'],
  ],
])('a replay with an order that %s tells only what is recorded', async (_, patch, expected) => {
  const { asked, replay } = await stage();
  expect(asked).toEqual(AS_RECORDED);
  expect(await replay(patch)).toEqual(expected);
});
