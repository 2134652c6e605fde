import { inspect } from 'node:util';
import { serialize } from 'node:v8';
import { describe, expect, test } from 'vitest';
import type { Facts, Intent, Rule } from '../../../src/verdict/index.ts';
import { defaultRules } from '../../../src/verdict/index.ts';
import { openLocalService } from '../../support/service.ts';

const AGENT = 'did:web:shop.example:agents:shopper';
const FIELDS = {
  domain: 'shop.example',
  agent_name: 'shopper',
  allowed_actions: ['*'],
  monetary_limit_per_txn: 100,
};
const PAY: Intent = {
  agent_id: AGENT,
  action: 'pay',
  parameters: { amount: 5, currency: 'EUR', recipient: 'Ann' },
};

/** Replays one recorded ALLOW under a rule. */
async function replayUnder(rule: Rule, intent: Intent = PAY) {
  const { service, clock } = openLocalService();
  await service.passports.create(FIELDS);
  await service.verify(intent);
  clock.advance(1_000);
  const options = { rules: [...defaultRules, rule] };
  const { now_denied, now_allowed, unchanged, unknown } = await service.passports.replay(AGENT, {}, options);
  return { now_denied, now_allowed, unchanged, ...unknown };
}

const UNKNOWN = { now_denied: 0, now_allowed: 0, unchanged: 0, parameters: 1 };
const DENIED = { now_denied: 1, now_allowed: 0, unchanged: 0 };
const UNCHANGED = { now_denied: 0, now_allowed: 0, unchanged: 1 };

type Parameters = NonNullable<Intent['parameters']>;
const given = ({ intent }: Facts): Parameters => intent.parameters as Parameters;
const NO = { code: 'no', message: 'No.' };

/** What reads what is not recorded, in each way that JavaScript has. */
const TRICKS: { readonly [name: string]: (facts: Facts) => unknown } = {
  'a member': (facts) => given(facts)['recipient'],
  'an optional member': ({ intent }) => intent.parameters?.['recipient'],
  'a name that is worked out': (facts) => given(facts)[['reci', 'pient'].join('')],
  destructuring: (facts) => {
    const { recipient } = given(facts);
    return recipient;
  },
  'the rest of destructuring': (facts) => {
    const { amount: _, ...rest } = given(facts);
    return rest;
  },
  in: (facts) => 'recipient' in given(facts),
  'for in': (facts) => {
    for (const name in given(facts)) if (name === 'recipient') return true;
    return false;
  },
  spread: (facts) => ({ ...given(facts) }),
  'Object.keys': (facts) => Object.keys(given(facts)),
  'Object.entries': (facts) => Object.entries(given(facts)),
  'Object.hasOwn': (facts) => Object.hasOwn(given(facts), 'recipient'),
  'Object.prototype.hasOwnProperty': (facts) => Object.hasOwn(given(facts), 'recipient'),
  'a descriptor': (facts) => Object.getOwnPropertyDescriptor(given(facts), 'recipient'),
  descriptors: (facts) => Object.getOwnPropertyDescriptors(given(facts)),
  'Reflect.get': (facts) => Reflect.get(given(facts), 'recipient'),
  'Reflect.ownKeys': (facts) => Reflect.ownKeys(given(facts)),
  'Object.assign': (facts) => Object.assign({}, given(facts)),
  'JSON of the parameters': (facts) => JSON.stringify(given(facts)),
  'JSON of the intent': ({ intent }) => JSON.stringify(intent),
  'a copy of the intent': ({ intent }) => (({ ...intent }).parameters as Parameters)['recipient'],
  'an object that inherits': (facts) => Object.create(given(facts)).recipient,
  'a member of the prototype': (facts) => given(facts)['toString'],
  'structuredClone that is caught': ({ intent }) => {
    try {
      return structuredClone(intent.parameters);
    } catch {
      return undefined;
    }
  },
  'structuredClone that throws': ({ intent }) => structuredClone(intent.parameters),
  'util.inspect': (facts) => inspect(given(facts)),
  'util.inspect of the intent': ({ intent }) => inspect(intent),
  'v8.serialize': ({ intent }) => {
    try {
      return serialize(intent);
    } catch {
      return undefined;
    }
  },
  'structuredClone of all facts': (facts) => {
    try {
      return structuredClone(facts);
    } catch {
      return undefined;
    }
  },
  'util.inspect of all facts': (facts) => inspect(facts),
  'JSON of all facts': (facts) => JSON.stringify(facts),
  'whether there are any': ({ intent }) => intent.parameters === undefined,
  'Object.isFrozen': (facts) => Object.isFrozen(given(facts)),
};

describe('a rule of the application that reads facts outside the record', () => {
  test.each(Object.entries(TRICKS))('is noticed: %s', async (_, trick) => {
    expect(await replayUnder((facts) => void trick(facts))).toEqual(UNKNOWN);
  });

  test.each(Object.entries(TRICKS))('is not believed when it objects after that: %s', async (_, trick) => {
    const rule: Rule = (facts) => {
      trick(facts);
      return NO;
    };
    expect(await replayUnder(rule)).toEqual(UNKNOWN);
  });
});

describe('a rule of the application', () => {
  test('that objects by what is recorded turns the verdict for certain', async () => {
    expect(await replayUnder(({ amount }) => (amount === 5 ? NO : null))).toEqual(DENIED);
    expect(await replayUnder((facts) => (given(facts)['amount'] === 5 ? NO : null))).toEqual(DENIED);
    expect(await replayUnder((facts) => ('currency' in given(facts) ? NO : null))).toEqual(DENIED);
    expect(await replayUnder(({ passport }) => (passport.agent_id === AGENT ? NO : null))).toEqual(DENIED);
  });

  test('that has nothing against it leaves it as it was', async () => {
    expect(await replayUnder(() => null)).toEqual(UNCHANGED);
    expect(await replayUnder((facts) => (given(facts)['amount'] === 6 ? NO : null))).toEqual(UNCHANGED);
  });

  test('that objects beside one that looked elsewhere is believed', async () => {
    const { service, clock } = openLocalService();
    await service.passports.create(FIELDS);
    await service.verify(PAY);
    clock.advance(1_000);
    const rules: Rule[] = [...defaultRules, (facts) => void given(facts)['recipient'], () => NO];
    const { now_denied, reasons } = await service.passports.replay(AGENT, {}, { rules });
    expect({ now_denied, reasons }).toEqual({ now_denied: 1, reasons: [{ code: 'no', count: 1 }] });
  });

  test('that cannot know whether there were parameters is noticed', async () => {
    const { parameters: _, ...bare } = PAY;
    expect(await replayUnder(({ intent }) => (intent.parameters ? null : NO), bare)).toEqual(UNKNOWN);
  });

  test('that keeps what it was given, and looks at it later, is noticed then', async () => {
    const { service, clock } = openLocalService();
    await service.passports.create(FIELDS);
    await service.verify(PAY);
    await service.verify(PAY);
    clock.advance(1_000);
    let kept: Parameters | undefined;
    const rule: Rule = (facts) => {
      void kept?.['recipient'];
      kept = given(facts);
      void kept['amount'];
    };
    const { unknown } = await service.passports.replay(AGENT, {}, { rules: [...defaultRules, rule] });
    expect(unknown).toEqual({ parameters: 1 });
  });

  test('that is gone no longer objects', async () => {
    const no: Rule = () => NO;
    const { service, clock } = openLocalService({ rules: [...defaultRules, no] });
    await service.passports.create(FIELDS);
    await service.verify(PAY);
    clock.advance(1_000);
    const answer = await service.passports.replay(AGENT, {}, { rules: defaultRules });
    expect(answer.now_allowed).toBe(1);
    expect((await service.passports.replay(AGENT)).unchanged).toBe(1);
  });

  test('is refused in a list without our own', async () => {
    const { service } = openLocalService();
    await service.passports.create(FIELDS);
    const replay = service.passports.replay(AGENT, {}, { rules: [() => null] });
    await expect(replay).rejects.toMatchObject({ code: 'invalid_configuration' });
  });
});
