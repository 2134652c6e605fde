import { expect, test } from 'vitest';
import type { Order, Passport } from '../../../src/records.ts';
import { compare, compareFields, differenceSentence } from '../../../src/verdict/compare/index.ts';
import { decide } from '../../../src/verdict/index.ts';

const AGENT = 'did:web:ops.example:agents:deployer';
const AT = '2026-11-20T12:00:00.000Z';
const NEEDS: Order = {
  name: 'tested',
  actions: ['deploy.*'],
  needs: { actions: ['test.all', 'test.some'], seconds: 60 },
  same: ['session', '/commit'],
};
const STOP: Order = {
  name: 'stop',
  actions: ['deploy.*'],
  forbids: { actions: ['test.all', 'test.some'], seconds: 60, failed: 3 },
};

function passportWith(order: readonly Order[] | undefined): Passport {
  return {
    agent_id: AGENT,
    allowed_actions: ['deploy.run', 'deploy.undo', 'test.all', 'test.some'],
    monetary_limit_per_txn: 0,
    status: 'active',
    version: 1,
    updated_at: AT,
    ...(order && { order }),
  } as unknown as Passport;
}

const needs = (part: object): Order => ({ ...NEEDS, needs: { ...NEEDS.needs, ...part } as never });
const stop = (part: object): Order => ({ ...STOP, forbids: { ...STOP.forbids, ...part } as never });

test.each<[string, Order, readonly Order[] | undefined, string]>([
  ['the same', NEEDS, [NEEDS], 'equal'],
  ['gone', NEEDS, undefined, 'wider'],
  ['gone from the list', NEEDS, [], 'wider'],
  ['renamed', NEEDS, [{ ...NEEDS, name: 'other' }], 'crossing'],
  ['by other values', NEEDS, [{ ...NEEDS, same: ['session'] }], 'crossing'],
  ['for fewer actions', NEEDS, [{ ...NEEDS, actions: ['deploy.run'] }], 'wider'],
  ['for more actions', NEEDS, [{ ...NEEDS, actions: ['deploy.*', 'test.all'] }], 'narrower'],
  ['for the actions that exist', NEEDS, [{ ...NEEDS, actions: ['deploy.run', 'deploy.undo'] }], 'equal'],
  ['content with older tests', NEEDS, [needs({ seconds: 61 })], 'wider'],
  ['content with newer tests alone', NEEDS, [needs({ seconds: 59 })], 'narrower'],
  ['content with more tests', NEEDS, [needs({ actions: ['test.*', 'deploy.undo'] })], 'wider'],
  // Of the other test it no longer asks for the values.
  ['content with fewer tests', NEEDS, [needs({ actions: ['test.all'] })], 'crossing'],
  ['of the other kind', NEEDS, [{ ...STOP, name: 'tested', same: NEEDS.same as string[] }], 'crossing'],
  ['joined by another', NEEDS, [NEEDS, STOP], 'narrower'],
  ['later', STOP, [stop({ failed: 4 })], 'wider'],
  ['earlier', STOP, [stop({ failed: 2 })], 'narrower'],
  ['shorter', STOP, [stop({ seconds: 59 })], 'wider'],
  ['longer', STOP, [stop({ seconds: 61 })], 'narrower'],
  ['after fewer actions', STOP, [stop({ actions: ['test.all'] })], 'wider'],
  ['after more actions', STOP, [stop({ actions: ['test.*', 'deploy.run'] })], 'narrower'],
])('an order that is %s', (_, one, other, result) => {
  const [before, after] = [passportWith([one]), passportWith(other)];
  expect(compare(before, after).result).toBe(result);
  expect(compareFields(before, after).result).toBe(result);
});

test('a difference shows an intent and a history that decide confirms', () => {
  const [before, after] = [passportWith([NEEDS]), passportWith(undefined)];
  const [difference] = compare(before, after).wider;
  expect(difference).toMatchObject({ code: 'order_required', intent: { session: 'session' } });
  if (!difference?.intent) throw new Error('There is no intent.');
  const { intent, at } = difference;
  expect(decide({ passport: after, intent, at, ...difference.allowed }).verdict).toBe('ALLOW');
  expect(decide({ passport: before, intent, at, ...difference.denied }).reasons).toEqual(difference.reasons);
  expect(differenceSentence(difference, 'wider')).toContain('An earlier action is required. (tested)');
});
