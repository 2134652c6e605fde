import { runInNewContext } from 'node:vm';
import { describe, expect, test } from 'vitest';
import { codes, INTENT } from '../support/question.ts';

const ALLOW = ['ALLOW'];

describe('what is inherited is no data', () => {
  const sound = { ...INTENT, target: 'did:web:a.example', parameters: { amount: 1, currency: 'EUR' } };
  const members = ['agent_id', 'action', 'target', 'parameters'];

  test.each(members)('%s of the intent', (field) => {
    const { [field]: value, ...rest } = sound as Readonly<Record<string, unknown>>;
    const intent = Object.assign(Object.create({ [field]: value }), rest);
    expect(codes({}, {}, { intent: sound })).toEqual(ALLOW);
    expect(codes({}, {}, { intent })).toEqual(['rule_failed']);
  });

  test('amount and currency of the parameters', () => {
    expect(codes({}, { parameters: Object.create({ amount: 1 }) })).toEqual(['rule_failed']);
    expect(codes({}, { parameters: Object.create({ currency: 'EUR' }) })).toEqual(['rule_failed']);
  });

  test.each([...members, 'amount', 'currency'])('%s of every object there is', (field) => {
    const { [field]: value, ...rest } = { ...sound, ...sound.parameters } as Record<string, unknown>;
    const { agent_id, action, target, parameters } = rest;
    const isInside = field === 'amount' || field === 'currency';
    const { [field]: _, ...inside } = sound.parameters as Record<string, unknown>;
    const intent = { agent_id, action, target, parameters: isInside ? inside : parameters };
    for (const [name, given] of Object.entries(intent))
      if (given === undefined) delete (intent as Record<string, unknown>)[name];
    try {
      Object.defineProperty(Object.prototype, field, { value, configurable: true });
      expect(codes({}, {}, { intent: intent as never })).toEqual(['rule_failed']);
    } finally {
      Reflect.deleteProperty(Object.prototype, field);
    }
  });

  test('but what has no prototype, or that of another realm, is', () => {
    const parameters = Object.assign(Object.create(null), sound.parameters);
    expect(codes({}, {}, { intent: { ...sound, parameters } })).toEqual(ALLOW);
    const foreign = runInNewContext(`(${JSON.stringify(sound)})`);
    expect(codes({}, {}, { intent: foreign })).toEqual(ALLOW);
    expect(codes({}, { parameters: foreign.parameters })).toEqual(ALLOW);
  });
});

describe('evaluates no object that holds data outside its members:', () => {
  class Terms {
    readonly #amount = 1_000_000;
    toJSON() {
      return { amount: this.#amount };
    }
  }
  const holders: Readonly<Record<string, object>> = {
    'a Map': new Map([['amount', 1_000_000]]),
    'a Set': new Set([1_000_000]),
    'a Date': new Date(),
    'a boxed text': new String('1000000'),
    'a boxed number': new Number(1_000_000),
    'the parameters of a URL': new URLSearchParams('amount=1000000'),
    'a Promise': Promise.resolve({ amount: 1_000_000 }),
    'an instance of a class': new Terms(),
    'an heir of a plain object': Object.create({ note: '' }),
    'a Proxy of a Map': new Proxy(new Map([['amount', 1_000_000]]), {}),
  };

  test.each(Object.entries(holders))('%s', (_name, holder) => {
    expect(codes({}, { parameters: holder })).toEqual(['rule_failed']);
    expect(codes({}, {}, { intent: Object.assign(holder, INTENT) })).toEqual(['rule_failed']);
  });
});
