import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isSeenBy } from '../../src/verdict/decide.ts';
import { type Caller, decide, defaultRules, prepare, type Question } from '../../src/verdict/index.ts';
import { AT, ask, codes, INTENT, PASSPORT } from '../support/question.ts';
import { cases } from '../support/runs.ts';

const SOUND: Question = { passport: PASSPORT, intent: INTENT, at: AT, caller: null };
const anything = fc.oneof(
  fc.jsonValue(),
  fc.anything({
    withBigInt: true,
    withNullPrototype: true,

    withDate: true,
    withSet: true,
  }),
);
const thrower = new Proxy(
  {},
  {
    get: () => {
      throw new Error('get');
    },
    has: () => {
      throw new Error('has');
    },
    getOwnPropertyDescriptor: () => {
      throw new Error('own');
    },
  },
);

/** A verdict and nothing else, for whatever is put in the place of sound parts of the question. */
function isVerdict(change: object, rules?: unknown): string {
  const { verdict, reasons } = decide({ ...SOUND, ...change } as never, rules as never);
  expect(verdict).toBe(reasons.length === 0 ? 'ALLOW' : 'DENY');
  return verdict;
}

describe('any value gives a verdict, never an exception', () => {
  test.each(['passport', 'intent', 'at', 'caller', 'ancestors', 'proof', 'budgets', 'approval'])(
    'as %s',
    (part) => {
      fc.assert(
        fc.property(anything, (value) => {
          isVerdict({ [part]: value });
          isVerdict({ [part]: value, passport: part === 'passport' ? value : prepare(PASSPORT) });
        }),
        { numRuns: cases() },
      );
    },
  );

  test.each(['agent_id', 'action', 'target', 'parameters', 'dry_run'])('as %s of the intent', (field) => {
    fc.assert(
      fc.property(anything, (value) => void isVerdict({ intent: { ...INTENT, [field]: value } })),
      { numRuns: cases() },
    );
  });

  test.each(['amount', 'currency'])('as %s of the parameters', (field) => {
    fc.assert(
      fc.property(
        anything,
        (value) => void isVerdict({ intent: { ...INTENT, parameters: { [field]: value } } }),
      ),
      { numRuns: cases() },
    );
  });

  test('as parameters of any JSON', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (parameters) => void isVerdict({ intent: { ...INTENT, parameters } })),
      { numRuns: cases() },
    );
  });

  test('as the question, and as the rules', () => {
    fc.assert(
      fc.property(anything, (value) => {
        expect(decide(value as never).verdict).toBe('DENY');
        if (value !== undefined) expect(isVerdict({}, value)).toBe('DENY');
        isVerdict({}, [...defaultRules, value]);
      }),
      { numRuns: cases() },
    );
  });

  test('also one that throws when it is touched', () => {
    for (const part of ['passport', 'intent', 'at', 'caller'])
      expect(isVerdict({ [part]: thrower })).toBe('DENY');
    for (const field of ['agent_id', 'action', 'target', 'parameters']) {
      expect(isVerdict({ intent: { ...INTENT, [field]: thrower } })).toBe('DENY');
    }
    expect(isVerdict({}, thrower)).toBe('DENY');
    expect(decide(thrower as never).verdict).toBe('DENY');
  });
});

describe('the agent is not found', () => {
  const notFound = [{ code: 'agent_not_found', message: 'The agent is not found.' }];
  const unreadable = new Map();

  test('where there is no passport, whatever the intent is', () => {
    for (const passport of [undefined, null]) {
      for (const intent of [INTENT, unreadable, thrower, 7, null, undefined]) {
        expect(ask({}, {}, { passport, intent: intent as never }).reasons).toEqual(notFound);
      }
    }
  });

  test('where there is no intent', () => {
    for (const intent of [undefined, null]) {
      expect(ask({}, {}, { intent: intent as never }).reasons).toEqual(notFound);
    }
  });

  test('where passport and intent both lack an id', () => {
    const { agent_id: _, ...nameless } = PASSPORT;
    for (const agent_id of [undefined, null, 7, '']) {
      for (const passport of [nameless, { ...nameless, agent_id: undefined }, { ...nameless, agent_id: 7 }]) {
        const question = { passport: passport as never, intent: { agent_id, action: 'pay' } as never };
        expect(ask({}, {}, question).reasons).toEqual(notFound);
      }
    }
    const intent = { action: 'pay' } as never;
    expect(ask({}, {}, { passport: prepare(nameless as never), intent }).reasons).toEqual(notFound);
  });
});

test('names the part of the question that could not be evaluated', () => {
  const failedBy = (rule: string) => [{ code: 'rule_failed', message: 'The rule failed.', rule }];
  expect(decide(thrower as never).reasons).toEqual(failedBy('question'));
  expect(ask({}, {}, { intent: new Map() as never }).reasons).toEqual(failedBy('question'));
  expect(ask({}, {}, { at: 'now' }).reasons).toEqual(failedBy('at'));
  expect(ask({ status: 'other' }).reasons).toEqual(failedBy('passport'));
});

describe('an instant', () => {
  test('may be milliseconds or RFC 3339 text', () => {
    for (const at of [0, Date.parse(AT), AT, '2026-11-20T13:00:00+01:00'])
      expect(codes({}, {}, { at })).toEqual(['ALLOW']);
  });

  test('that cannot be read denies', () => {
    for (const at of [
      undefined,
      null,
      Number.NaN,
      Number.POSITIVE_INFINITY,
      '',
      'now',
      '2026-11-20',
      new Date(),
      [AT],
      5n,
    ]) {
      expect(codes({}, {}, { at: at as never })).toEqual(['rule_failed']);
    }
  });
});

describe('a caller', () => {
  const mine = { account_id: 'acc_1', agent_ids: [PASSPORT.agent_id] };

  test('that is absent is the application, which sees every passport', () => {
    for (const caller of [undefined, null, {}, { agent_ids: null }]) {
      expect(codes({}, {}, { caller: caller as Caller })).toEqual(['ALLOW']);
    }
  });

  test('sees the passports of its account and its agents', () => {
    expect(codes({}, {}, { caller: mine })).toEqual(['ALLOW']);
    expect(codes({}, {}, { caller: { account_id: 'acc_1', agent_ids: null } })).toEqual(['ALLOW']);
  });

  test.each([
    { account_id: 'acc_2' },
    { account_id: 'acc_1', agent_ids: [] },
    { agent_ids: ['did:web:shop.example.com:agents:seller'] },
    { account_id: undefined },
    { account_id: null },
    { account_id: ['acc_1'] },
    { agent_ids: PASSPORT.agent_id },
    { agent_ids: { 0: PASSPORT.agent_id, length: 1 } },
    [],
    'acc_1',
    false,
    0,
  ])('%j finds no agent', (caller) => {
    expect(codes({ status: 'revoked' }, {}, { caller: caller as never })).toEqual(['agent_not_found']);
    expect(isSeenBy(caller as never, prepare(PASSPORT))).toBe(false);
  });

  test('is shown a passport exactly where its verdict is not that there is none', () => {
    for (const caller of [{}, mine, { agent_ids: null }])
      expect(isSeenBy(caller as never, prepare(PASSPORT))).toBe(true);
    const broken = new Proxy({}, { has: () => true, get: () => expect.fail('It is read.') });
    expect(isSeenBy(broken, prepare(PASSPORT))).toBe(false);
  });

  test('with an account finds no passport that names none', () => {
    const { account_id: _, ...passport } = PASSPORT;
    expect(codes({}, {}, { passport, caller: { account_id: 'acc_1' } })).toEqual(['agent_not_found']);
    expect(codes({}, {}, { passport, caller: { account_id: undefined as never } })).toEqual([
      'agent_not_found',
    ]);
  });
});
