/** Rules of the application that fail: the verdict is a DENY, and the application learns why. */
import { expect, test } from 'vitest';
import { defaultRules, type Rule } from '../../src/index.ts';
import { openLocalService } from '../support/service.ts';

async function openWith(rules: readonly Rule[]) {
  const errors: unknown[] = [];
  const opened = openLocalService({
    rules: [...defaultRules, ...rules],
    onError: (error) => void errors.push(error),
  });
  const { agent_id } = await opened.service.passports.create({
    ...{ domain: 'example.com', agent_name: 'a', allowed_actions: ['look'], monetary_limit_per_txn: 0 },
  });
  const look = () => opened.service.verify({ agent_id, action: 'look' });
  const failures = () =>
    opened.logs.filter(({ event }) => event === 'rule_failed').map(({ message }) => message);
  return { ...opened, errors, look, failures };
}

test('an error of a rule is logged and given to onError with the rule and its cause, once a minute', async () => {
  const cause = new TypeError('hours is undefined');
  function outsideHours(): never {
    throw cause;
  }
  const { look, errors, failures, clock } = await openWith([outsideHours]);
  for (const _ of [1, 2, 3]) {
    expect((await look()).reasons).toEqual([
      { code: 'rule_failed', message: 'The rule failed.', rule: 'outsideHours' },
    ]);
  }
  expect(errors).toMatchObject([{ code: 'internal', message: 'The rule outsideHours failed.', cause }]);
  expect(failures()).toEqual(['The rule outsideHours failed with TypeError: hours is undefined']);
  clock.advance(60_000);
  await look();
  expect([errors.length, failures().length]).toEqual([2, 2]);
});

test.each([
  ['a Promise: a rule answers at once', async () => undefined],
  ['true: return nothing, or a reason', () => true],
  ['"no": return nothing, or a reason', () => 'no'],
  ['a code that is not like no_gambling', () => ({ code: 'No!', message: 'No.' })],
  ['a reason without a message', () => ({ code: 'no' })],
  [
    'the fact list, which is no text, number, boolean or null',
    () => ({ code: 'no', message: 'No.', list: [] }),
  ],
])('an answer that is no reason is named: %s', async (problem, rule) => {
  const { look, failures } = await openWith([rule as unknown as Rule]);
  expect((await look()).reasons).toMatchObject([{ code: 'rule_failed' }]);
  expect(failures()).toEqual([expect.stringContaining(`It answered ${problem}.`)]);
});

test('a rule that does not object and a reason are no failures', async () => {
  const { look, errors, failures } = await openWith([
    () => undefined,
    () => ({ code: 'no', message: 'No.', at: 1 }),
  ]);
  expect((await look()).reasons).toMatchObject([{ code: 'no' }]);
  expect([errors, failures()]).toEqual([[], []]);
});
