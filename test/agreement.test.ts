import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { nodeListener } from '../src/http/index.ts';
import { createIdentityClient, defaultRules, IdentityError, type Intent, type Rule } from '../src/index.ts';
import { DISGUISES, ODD_VALUES } from './support/disguises.ts';
import { sized } from './support/runs.ts';
import { listen } from './support/servers.ts';
import { openLocalService } from './support/service.ts';

const AGENT = 'did:web:example.com:agents:shopper';
const TARGET = 'did:web:shop.example';

/** ALLOW, DENY with its codes, or the code of the error. */
type Outcome = string;

/** The three ways to one service: in process, by the client, and as the body of a request. */
async function openWays(rules: readonly Rule[]) {
  const { service } = openLocalService({ rules });
  await service.passports.create({
    domain: 'example.com',
    agent_name: 'shopper',
    allowed_actions: ['orders.*'],
    denied_actions: ['orders.delete'],
    allowed_targets: [TARGET],
    monetary_limit_per_txn: 100,
    monetary_actions: ['orders.pay'],
  });
  const { key } = await service.keys.create({ name: 'a' });
  const baseUrl = `${await listen(nodeListener(service))}/api`;
  const client = createIdentityClient({ baseUrl, apiKey: key });
  return {
    inProcess: (intent: unknown) => outcome(service.verify(intent as Intent)),
    inBatch: (intent: unknown) =>
      outcome(service.verifyBatch({ intents: [intent as Intent] }).then(([first]) => first)),
    byClient: (intent: unknown) => outcome(client.verify(intent as Intent)),
    async byBody(body: string): Promise<Outcome> {
      const headers = { 'content-type': 'application/json', 'x-api-key': key };
      const answer = await (await fetch(`${baseUrl}/verify`, { method: 'POST', headers, body })).json();
      return outcome(answer.verdict === undefined ? Promise.reject(refusal(answer)) : answer);
    },
  };
}

function refusal({ code, detail }: { code: 'internal'; detail: string }): IdentityError {
  return new IdentityError(code, detail);
}

async function outcome(answer: unknown): Promise<Outcome> {
  try {
    const { verdict, reasons } = (await answer) as {
      verdict: string;
      reasons: readonly { readonly code: string }[];
    };
    return [verdict, ...reasons.map(({ code }) => code)].join(' ');
  } catch (error) {
    if (!(error instanceof IdentityError)) throw error;
    return error.code;
  }
}

const odd = fc.oneof(fc.constantFrom(...ODD_VALUES), fc.anything({ withBigInt: true, withMap: true }));
const disguised = (names: readonly string[], values: fc.Arbitrary<unknown>) =>
  fc.tuple(fc.constantFrom(...Object.values(DISGUISES)), fc.constantFrom(...names), values);
const amounts = fc.constantFrom<unknown>(50, '50', 100, '99.5', 500, '500.000001', -1);
const sound = fc.record(
  {
    agent_id: fc.constantFrom(...new Array(9).fill(AGENT), `${AGENT}s`),
    action: fc.constantFrom('orders.get', 'orders.get', 'orders.get', 'orders.pay', 'orders.delete'),
    target: fc.constantFrom(...new Array(9).fill(TARGET), 'did:web:other.example'),
    parameters: fc.record(
      { amount: amounts, currency: fc.constantFrom('EUR', 'EUR', 'EUR', 'euro'), note: fc.jsonValue() },
      { requiredKeys: [] },
    ),
    dry_run: fc.boolean(),
  },
  { requiredKeys: ['agent_id', 'action', 'target'] },
);
/** An intent with up to one member of its own and one of its parameters put in some odd way. */
const intents = fc
  .tuple(
    sound,
    fc.option(disguised(['amount', 'currency', 'note'], fc.oneof(amounts, odd)), { freq: 2 }),
    fc.option(
      disguised(
        ['agent_id', 'action', 'target', 'dry_run', 'parameters', 'extra'],
        fc.oneof(fc.constantFrom('orders.delete', TARGET, { amount: 500 }), odd),
      ),
      { freq: 2 },
    ),
  )
  .map(([intent, inside, outside]): unknown => {
    const parameters: unknown = inside
      ? inside[0]({ ...intent.parameters }, inside[1], inside[2])
      : intent.parameters;
    const whole = parameters === undefined ? { ...intent } : { ...intent, parameters };
    return outside ? outside[0](whole, outside[1], outside[2]) : whole;
  });

const RUNS = sized(1_000, 200);

test.each<[string, readonly Rule[]]>([
  ['our rules', defaultRules],
  ['a rule of the application', [...defaultRules, () => undefined]],
])(
  'whatever is asked, in process, by the client and by body agree or refuse: with %s',
  async (_name, rules) => {
    const ways = await openWays(rules);
    const seen = new Map<string, number>();
    const asked = fc.asyncProperty(
      fc.oneof({ weight: 9, arbitrary: intents }, { weight: 1, arbitrary: odd }),
      async (intent) => {
        const local = await ways.inProcess(intent);
        expect(await ways.inBatch(intent)).toBe(local);
        const remote = await ways.byClient(intent);
        const isVerdict = (found: Outcome) => /^(ALLOW|DENY)/.test(found);
        for (const found of [local, remote]) {
          if (!isVerdict(found)) expect(['invalid_request', 'invalid_json']).toContain(found);
        }
        if (isVerdict(local) && isVerdict(remote)) expect(remote).toBe(local);
        const taken = isVerdict(remote);
        if (taken) expect(await ways.byBody(JSON.stringify(intent))).toBe(remote);
        const kind = `${local.split(' ')[0]} ${taken ? 'and' : 'but'} ${remote.split(' ')[0]}`;
        seen.set(kind, (seen.get(kind) ?? 0) + 1);
      },
    );
    await fc.assert(asked, { numRuns: RUNS });
    for (const kind of ['ALLOW and ALLOW', 'DENY and DENY', 'invalid_request but invalid_request']) {
      expect(seen.get(kind) ?? 0).toBeGreaterThan(sized(20, 2));
    }
  },
);

test.each(Object.entries(DISGUISES))('a large amount %s passes nowhere', async (name, disguise) => {
  const ways = await openWays(defaultRules);
  const base = { agent_id: AGENT, action: 'orders.get', target: TARGET };
  // What neither this process nor JSON reads of an object.
  const unread = ['under a symbol', 'only shown by a Proxy'];
  const intent = { ...base, parameters: disguise({}, 'amount', 500) };
  const found = [await ways.inProcess(intent), await ways.byClient(intent)];
  expect(found[0]).toMatch(unread.includes(name) ? /ALLOW/ : /^(DENY|invalid_request)/);
  expect(found[1]).toMatch(/^(DENY|invalid_request)/);
});
