import { describe, expect, test } from 'vitest';
import { createToolGuard, type ToolCall, type ToolGuardOptions } from '../../src/guard/index.ts';
import { DISGUISES } from '../support/disguises.ts';
import { openLocalService } from '../support/service.ts';

/** A guard of a shopper that may pay 10, whose verifier calls `meanwhile` before it answers. */
async function openGuard(tools: NonNullable<ToolGuardOptions['tools']>, meanwhile = (): void => {}) {
  const { service } = openLocalService();
  const { agent_id: agentId } = await service.passports.create({
    ...{ domain: 'example.com', agent_name: 'shopper', monetary_limit_per_txn: 10 },
    ...{ allowed_actions: ['*'], monetary_actions: ['pay'] },
  });
  const verifier = {
    verify(intent: Parameters<typeof service.verify>[0]) {
      meanwhile();
      return service.verify(intent);
    },
  };
  return createToolGuard({ verifier, agentId, tools });
}

const BY_POINTER = { pay: { amount: '/amount' } };
const BY_OPTION = { pay: { amount: '/amount', optionalAmount: true } };
const BY_FUNCTION = {
  pay: (args: unknown) => ({ parameters: { amount: (args as { amount: number }).amount } }),
};

describe('the guard runs the arguments that it evaluated', () => {
  const ways: Readonly<Record<string, (state: { amount: number }) => unknown>> = {
    'an instance': (state) => Object.setPrototypeOf(state, new (class Order {})()),
    'an accessor of an instance': (state) =>
      Object.defineProperty(new (class Order {})(), 'amount', { get: () => state.amount, enumerable: true }),
    'an inherited accessor': (state) =>
      Object.create({
        ...{
          get amount() {
            return state.amount;
          },
        },
      }),
    'two prototypes': (state) => Object.setPrototypeOf(state, Object.create({})),
    'a Map with a member of its own': (state) =>
      Object.defineProperty(new Map(), 'amount', { get: () => state.amount, enumerable: true }),
    'a function with a member of its own': (state) =>
      Object.defineProperty(() => undefined, 'amount', { get: () => state.amount, enumerable: true }),
    'a Proxy of an instance': (state) =>
      new Proxy(new (class Order {})(), {
        get: () => state.amount,
        getOwnPropertyDescriptor: () => ({ value: state.amount, enumerable: true, configurable: true }),
      }),
    'a plain accessor': (state) =>
      Object.defineProperty({}, 'amount', { get: () => state.amount, enumerable: true }),
    ...Object.fromEntries(
      Object.entries(DISGUISES).map(([name, disguise]) => [
        `a member ${name}`,
        (state: { amount: number }) => {
          const args = disguise({}, 'amount', 5);
          Object.defineProperty(state, 'amount', {
            set: (amount) => void Reflect.set(Object(args), 'amount', amount),
          });
          return args;
        },
      ]),
    ),
  };

  test.each(Object.entries({ BY_POINTER, BY_OPTION, BY_FUNCTION }))(
    'by %s, or it does not run',
    async (_, tools) => {
      const ran: unknown[] = [];
      for (const [way, argsOf] of Object.entries(ways)) {
        const state = { amount: 5 };
        const guard = await openGuard(tools, () => {
          state.amount = 5_000;
        });
        const call = { name: 'pay', args: argsOf(state) };
        await guard
          .run(call, (given) => {
            const { amount = 0 } = Object(given) as { readonly amount?: number };
            ran.push(amount);
            expect([way, amount <= 10]).toEqual([way, true]);
          })
          .catch((error) => expect([way, error.code]).toEqual([way, 'tool_denied']));
      }
      expect(ran).toContain(5);
    },
  );
});

describe('a name that a server may read as another one', () => {
  const isAllowed = async (tools: NonNullable<ToolGuardOptions['tools']>, call: ToolCall) => {
    const verdict = await (await openGuard(tools)).judge(call);
    return verdict.allowed || verdict.reasons.map(({ code }) => code).join();
  };
  const pay = (args: unknown): ToolCall => ({ name: 'pay', args });

  test.each([
    [{ amount: 5 }, true],
    [{ amount: 5, amounts: 5_000, amoun: 1, 'an amount': 1 }, true],
    [{ amount: 5, Note: 1, note: 2 }, true],
    [{ amount: 5, Amount: 5_000 }, 'intent_unreadable'],
    [{ AMOUNT: 5_000, amount: 5 }, 'intent_unreadable'],
    [{ amount: 5, 'amount\u0000': 5_000 }, 'intent_unreadable'],
    [{ amount: 5, 'amount\u0000 of it': 5_000 }, 'intent_unreadable'],
    [{ amount: 5, ' amount': 5_000 }, 'intent_unreadable'],
    [{ Amount: 5 }, 'intent_unreadable'],
  ])('beside an amount: %j is %j', async (args, expected) => {
    expect(await isAllowed(BY_POINTER, pay(args))).toBe(expected);
    expect(await isAllowed(BY_OPTION, pay(args))).toBe(expected);
  });

  test('is refused on each level of a pointer, and beside each pointer of a rule', async () => {
    const rule = {
      pay: { amount: '/order/cost', target: '/payee', currency: '/currency', action: '/what' },
    };
    const order = { cost: 5 };
    const args = { order, payee: 'did:web:shop.example', currency: 'EUR', what: 'pay' };
    for (const [more, expected] of [
      [{}, true],
      [{ Order: { cost: 5_000 } }, 'intent_unreadable'],
      [{ order: { cost: 5, 'co\u017ft': 5_000 } }, 'intent_unreadable'],
      [{ Payee: 'did:web:thief.example' }, 'intent_unreadable'],
      [{ CURRENCY: 'USD' }, 'intent_unreadable'],
      [{ What: 'steal' }, 'intent_unreadable'],
      [{ other: { Order: 1, payee: 2, Payee: 3 } }, true],
    ] as const)
      expect([more, await isAllowed(rule, pay({ ...args, ...more }))]).toEqual([more, expected]);
  });

  test('is refused anywhere for a rule that is a function, unless the other one is not there', async () => {
    for (const [more, expected] of [
      [{}, true],
      [{ list: [{ a: 1 }, { A: 1 }] }, true],
      [{ Amount: 5_000 }, 'intent_unreadable'],
      [{ list: [{ a: 1, A: 1 }] }, 'intent_unreadable'],
      [{ b: { '\u0000x': 1, '': 2 } }, 'intent_unreadable'],
    ] as const)
      expect([more, await isAllowed(BY_FUNCTION, pay({ amount: 5, ...more }))]).toEqual([more, expected]);
    const round: Record<string, unknown> = { amount: 5 };
    round['self'] = round;
    expect(await isAllowed(BY_FUNCTION, pay(round))).toBe(true);
  });

  test('is refused as the name of a tool, where the other one has a rule', async () => {
    const args = { amount: 5_000 };
    for (const name of ['Pay', 'pay\u0000', 'pay\u0000x', ' pay'])
      expect([name, await isAllowed(BY_POINTER, { name, args })]).toEqual([name, 'intent_unreadable']);
    expect(await isAllowed(BY_POINTER, { name: 'repay', args })).toBe(true);
    expect(await isAllowed({ ...BY_POINTER, Pay: {} }, { name: 'Pay', args })).toBe(true);
  });
});
