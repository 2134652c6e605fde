import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Pace, Passport } from '../../../src/records.ts';
import { compare, compareFields, differenceSentence } from '../../../src/verdict/compare/index.ts';
import { decide } from '../../../src/verdict/index.ts';
import { cases, seedOf } from '../../support/runs.ts';

const AGENT = 'did:web:mail.example:agents:mailer';
const AT = '2026-11-20T12:00:00.000Z';
const LATE = '9999-12-31T23:59:59.999Z';
const FIVE: Pace = { name: 'mails', actions: ['email.*'], max: 5, seconds: 60 };

function passportWith(pace: readonly Pace[] | undefined): Passport {
  return {
    agent_id: AGENT,
    allowed_actions: ['email.send', 'email.read', 'files.read'],
    monetary_limit_per_txn: 0,
    status: 'active',
    version: 1,
    updated_at: AT,
    ...(pace && { pace }),
  } as unknown as Passport;
}

test.each<[string, readonly Pace[] | undefined, string]>([
  ['the same', [FIVE], 'equal'],
  [
    'in another order of the members',
    [{ seconds: 60, max: 5, actions: ['email.*'], name: 'mails' }],
    'equal',
  ],
  ['gone', undefined, 'wider'],
  ['gone from the list', [], 'wider'],
  ['faster', [{ ...FIVE, max: 6 }], 'wider'],
  ['slower', [{ ...FIVE, max: 4 }], 'narrower'],
  ['for fewer actions', [{ ...FIVE, actions: ['email.send'] }], 'wider'],
  ['for more actions', [{ ...FIVE, actions: ['email.*', 'files.read'] }], 'narrower'],
  ['for the actions that exist', [{ ...FIVE, actions: ['email.send', 'email.read'] }], 'equal'],
  ['for every action', [{ name: 'mails', max: 5, seconds: 60 }], 'narrower'],
  ['renamed', [{ ...FIVE, name: 'other' }], 'crossing'],
  ['of other seconds', [{ ...FIVE, seconds: 61 }], 'crossing'],
  ['of one, which has another counter', [{ ...FIVE, max: 1 }], 'crossing'],
  ['joined by a second pace', [FIVE, { name: 'two', max: 9, seconds: 1 }], 'narrower'],
])('a pace that is %s', (_, pace, result) => {
  const [before, after] = [passportWith([FIVE]), passportWith(pace)];
  expect(compare(before, after).result).toBe(result);
  expect(compareFields(before, after).result).toBe(result);
});

test('a difference shows an intent and a history that decide confirms', () => {
  const { wider } = compare(passportWith([FIVE]), passportWith([{ ...FIVE, max: 6 }]));
  expect(wider).toMatchObject([
    {
      code: 'pace_exceeded',
      reasons: [{ pace: 'mails', until: LATE }],
      intent: { agent_id: AGENT, action: 'email.send' },
      allowed: { history: { [AGENT]: { mails: null } } },
      denied: { history: { [AGENT]: { mails: LATE } } },
    },
  ]);
  const [difference] = wider;
  if (difference === undefined) throw new Error('There is no difference.');
  expect(differenceSentence(difference, 'wider')).toBe(
    'Allows email.send. Before: The agent is too fast. (mails)',
  );
});

test('a passport that is not wider denies wherever the other one does, for any history', () => {
  const paces = fc.uniqueArray(
    fc.record({
      name: fc.constantFrom('a', 'b'),
      actions: fc.subarray(['email.send', 'email.read', 'files.read', 'email.*', '*'], { minLength: 1 }),
      max: fc.constantFrom(1, 2, 3),
      seconds: fc.constantFrom(1, 2),
    }),
    { selector: ({ name }) => name, maxLength: 2 },
  );
  fc.assert(
    fc.property(paces, paces, (one, other) => {
      const [before, after] = [passportWith(one), passportWith(other)];
      const { result } = compare(before, after);
      const isCovered = (pace: Pace, action: string): boolean =>
        pace.actions?.some(
          (entry) => entry === '*' || entry === action || `${entry}` === `${action.split('.')[0]}.*`,
        ) === true;
      // Of one counter the greater max passes at least as long: the states that both may be in.
      const passes = (list: readonly Pace[], action: string, full: Pace): boolean =>
        list.every((pace) => {
          const isSame =
            pace.name === full.name && pace.seconds === full.seconds && (pace.max === 1) === (full.max === 1);
          return !isCovered(pace, action) || !isSame || pace.max > full.max;
        });
      const actions = ['email.send', 'email.read', 'files.read'];
      const isWider = one.some((pace) =>
        actions.some((action) => isCovered(pace, action) && passes(other, action, pace)),
      );
      expect(result === 'wider' || result === 'crossing').toBe(isWider);
    }),
    { numRuns: cases(), seed: seedOf(7) },
  );
});

test('the fields that decide ask for a history', () => {
  const intent = { agent_id: AGENT, action: 'email.send' };
  expect(decide({ passport: passportWith([FIVE]), intent, at: AT }).reasons).toMatchObject([
    { code: 'history_unknown' },
  ]);
});
