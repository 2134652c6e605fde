import { describe, expect, test } from 'vitest';
import { defaultRules, type Intent, type Rule, type VerdictRecord } from '../../../src/index.ts';
import { openLocalService } from '../../support/service.ts';
import { spoil } from '../../support/spoil.ts';
import { probe } from '../../support/storage-probe.ts';

const AGENT = 'did:web:example.com:agents:shopper';
const PASSPORT = {
  domain: 'example.com',
  agent_name: 'shopper',
  allowed_actions: ['orders.*'],
  monetary_limit_per_txn: 100,
};
const silent: Rule = () => undefined;
const BOTH: readonly (readonly [string, readonly Rule[]])[] = [
  ['our rules', defaultRules],
  ['a rule of the application', [...defaultRules, silent]],
];

function makeIntent() {
  return {
    agent_id: AGENT,
    action: 'orders.pay',
    target: 'did:web:shop.example',
    parameters: { amount: 50, currency: 'EUR' } as Record<string, unknown>,
    dry_run: false,
  };
}

/** A service whose storage answers nothing about passports until it is let go. */
async function openWaiting(rules: readonly Rule[]) {
  const storage = probe();
  const { service } = openLocalService({ storage, rules, consistency: 'strict' });
  await service.passports.create(PASSPORT);
  let letGo = () => {};
  const waiting = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  storage.fail = (call) => {
    if (call !== 'get passports') return undefined;
    storage.fail = undefined;
    return waiting.then(() => storage.get('passports', AGENT));
  };
  return { service, letGo };
}

const EVALUATED: Partial<VerdictRecord> = {
  verdict: 'ALLOW',
  reasons: [],
  agent_id: AGENT,
  action: 'orders.pay',
  target: 'did:web:shop.example',
  amount: 50,
  currency: 'EUR',
  dry_run: false,
  environment: 'live',
};

describe.each(BOTH)(
  'with %s, the service evaluates and records the intent as it was asked',
  (_name, rules) => {
    test('whatever becomes of it while the passport is read', async () => {
      const { service, letGo } = await openWaiting(rules);
      const intent = makeIntent();
      const asked = service.verify(intent);
      spoil(intent);
      letGo();
      expect(await asked).toMatchObject(EVALUATED);
      expect((await service.verifications.list()).data).toMatchObject([EVALUATED]);
    });

    test('in a batch, whatever becomes of it, its list and the caller', async () => {
      const { service, letGo } = await openWaiting(rules);
      const intents = [makeIntent(), makeIntent()];
      const caller = { account_id: 'acc_local', key_id: 'key_1', agent_ids: [AGENT] };
      const asked = service.verifyBatch({ intents }, caller);
      spoil(intents);
      spoil(caller);
      letGo();
      expect(await asked).toMatchObject([EVALUATED, EVALUATED]);
      const filed = { ...EVALUATED, key_id: 'key_1' };
      expect((await service.verifications.list()).data).toMatchObject([filed, filed]);
    });

    test('for the caller who asked, whatever becomes of its list of agents', async () => {
      const { service, letGo } = await openWaiting(rules);
      const agent_ids: string[] = [];
      const caller = { agent_ids };
      const asked = service.verify(makeIntent(), caller);
      agent_ids.push(AGENT);
      Reflect.deleteProperty(caller, 'agent_ids');
      letGo();
      expect((await asked).reasons).toMatchObject([{ code: 'agent_not_found' }]);
    });

    test('also where it answers otherwise each time, and then every field filed is of its type', async () => {
      const { service } = openLocalService({ rules });
      await service.passports.create(PASSPORT);
      const answers: readonly unknown[] = ['orders.pay', 'x', 5, {}, undefined, Number.NaN, true, '100', 7];
      const turning = (record: object, name: string, from: number): object => {
        let turn = from;
        const get = () => answers[turn++ % answers.length];
        return Object.defineProperty(record, name, { get, enumerable: true });
      };
      let evaluated = 0;
      for (const name of ['agent_id', 'action', 'target', 'parameters', 'dry_run', 'amount', 'currency']) {
        for (let from = 0; from < answers.length; from += 1) {
          const intent = makeIntent();
          turning(name in intent ? intent : intent.parameters, name, from);
          const answer = await service.verify(intent as Intent).catch((error: unknown) => error);
          if (!(answer instanceof Error)) evaluated += 1;
          else expect(answer).toMatchObject({ code: 'invalid_request' });
        }
      }
      // Rules of the application get no accessor.
      expect(evaluated > 0).toBe(rules === defaultRules);
      for (const filed of (await service.verifications.list({ limit: 100 })).data) {
        const { action, target, amount, currency, dry_run } = filed;
        expect([typeof action, typeof dry_run]).toEqual(['string', 'boolean']);
        for (const text of [target, currency]) expect(text === null || typeof text === 'string').toBe(true);
        expect(amount === null || ['string', 'number'].includes(typeof amount)).toBe(true);
        const over = filed.reasons.find(({ code }) => code === 'amount_over_limit');
        if (over !== undefined) expect(over['actual']).toBe(String(amount));
      }
    });

    test.each<[string, unknown]>([
      ['a Map', new Map([['amount', 1_000_000]])],
      ['a Set', new Set()],
      ['a Date', new Date()],
      ['a boxed text', new String('1000000')],
      ['the parameters of a URL', new URLSearchParams('amount=1000000')],
      ['an heir', Object.create({ amount: 1_000_000 })],
      ['an instance of a class', new (class Terms {})()],
      ['a list with an amount', Object.assign([], { amount: 1 })],
    ])('and %s is refused', async (_kind, holder) => {
      const { service } = openLocalService({ rules });
      await service.passports.create(PASSPORT);
      const at = async (call: Promise<unknown>) => {
        const error: unknown = await call.catch((thrown: unknown) => thrown);
        expect(error).toMatchObject({ code: 'invalid_request' });
        return (error as { details: { errors: { path: string }[] } }).details.errors[0]?.path;
      };
      const intent = { ...makeIntent(), parameters: holder } as Intent;
      expect(await at(service.verify(intent))).toBe('/parameters');
      expect(await at(service.verifyBatch({ intents: [makeIntent(), intent] }))).toBe(
        '/intents/1/parameters',
      );
      if (Array.isArray(holder)) return;
      const whole = Object.assign(holder as object, makeIntent());
      await at(service.verify(whole));
      expect(await at(service.verifyBatch({ intents: [makeIntent(), whole] }))).toMatch(
        /^\/intents\/1(\/|$)/,
      );
      expect(await at(service.verifyBatch(Object.assign(new Map(), { intents: [makeIntent()] })))).toBe('');
    });
  },
);

test('every field that is wrong is named, as before the copy', async () => {
  const { service } = openLocalService();
  const wrong = { action: 5, target: 'a'.repeat(513), parameters: [], extra: 1 } as unknown as Intent;
  await expect(service.verify(wrong)).rejects.toMatchObject({
    details: {
      errors: [
        { path: '/agent_id', code: 'required' },
        { path: '/extra', code: 'unknown_field' },
        { path: '/action', code: 'wrong_type' },
        { path: '/target', code: 'too_long' },
        { path: '/parameters', code: 'wrong_type' },
      ],
    },
  });
  await expect(service.verifyBatch({ intents: [] })).rejects.toMatchObject({ code: 'invalid_request' });
  const intents = Array.from({ length: 101 }, makeIntent);
  await expect(service.verifyBatch({ intents })).rejects.toMatchObject({
    details: { errors: [{ path: '/intents', code: 'too_many' }] },
  });
});

test.each<[string, unknown, string]>([
  ['an unknown environment', { environment: 'prod' }, '/environment'],
  ['a key id that is no text', { key_id: 7 }, '/key_id'],
  ['an account that is no text', { account_id: 7 }, '/account_id'],
  ['null', null, ''],
])('a caller with %s is refused', async (_name, caller, path) => {
  const { service } = openLocalService();
  const refused = { code: 'invalid_request', details: { errors: [{ path }] } };
  await expect(service.verify(makeIntent(), caller as never)).rejects.toMatchObject(refused);
  await expect(service.verifyBatch({ intents: [makeIntent()] }, caller as never)).rejects.toMatchObject(
    refused,
  );
});

test('a hook that changes the record it is given does not change the answer', async () => {
  const told: VerdictRecord[] = [];
  const onVerdict = (record: VerdictRecord) => {
    told.push(structuredClone(record));
    spoil(record);
    Reflect.set(record, 'verdict', 'ALLOW');
  };
  const { service } = openLocalService({ onVerdict });
  await service.passports.create(PASSPORT);
  const intent = { ...makeIntent(), parameters: { amount: 101 } };
  const [record, [inBatch]] = [
    await service.verify(intent),
    await service.verifyBatch({ intents: [intent] }),
  ];
  const over = { verdict: 'DENY', reasons: [{ code: 'amount_over_limit', actual: '101' }] };
  for (const answer of [record, inBatch, ...told]) expect(answer).toMatchObject(over);
});
