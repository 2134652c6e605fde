/** What a local verifier decides itself, and what it asks the service. */
import { describe, expect, test } from 'vitest';
import { defaultRules } from '../../src/index.ts';
import { ED25519_KEYS } from '../support/agent-keys.ts';
import { manualClock } from '../support/service.ts';
import { keyOf, ONCE, open, passport, stage, verifierWith, wireTo } from './stage.ts';

const PASSPORTS = '/verifier/passports';
describe('a question', () => {
  test('costs one read, the next ones none, and their verdicts are those of the service', async () => {
    const { service, verifier, wire, apiKey } = await stage();
    const { agent_id } = await service.passports.create(passport('reader'));
    const intents = [
      { agent_id, action: 'orders.read' },
      { agent_id, action: 'orders.pay', parameters: { amount: 6, currency: 'EUR' } },
      { agent_id, action: 'refunds.create' },
      { agent_id: 'did:web:shop.example:agents:nobody', action: 'orders.read' },
    ];
    for (const intent of intents) {
      const here = await verifier.verify(intent);
      const there = await service.verifyAs(apiKey, intent);
      expect(without(here)).toEqual(without(there));
    }
    expect(wire.to(PASSPORTS).filter(({ body }) => body['wait_ms'] === 0)).toHaveLength(2);
    expect(wire.to('/verify')).toEqual([]);
    expect(verifier.state()).toMatchObject({ asks: null, decided: 4, asked: 0, passports: 2 });
  });

  test('nothing is sent before the first', async () => {
    const { wire } = await stage();
    expect(wire.seen).toEqual([]);
  });

  test('about a chain of five costs one read', async () => {
    const { service, verifier, wire } = await stage();
    let parent_agent_id: string | undefined;
    for (const name of ['a', 'b', 'c', 'd', 'e']) {
      const above = parent_agent_id === undefined ? {} : { parent_agent_id };
      parent_agent_id = (await service.passports.create(passport(name, above))).agent_id;
    }
    const intent = { agent_id: parent_agent_id ?? '', action: 'orders.read' };
    const record = await verifier.verify(intent);
    expect(record).toMatchObject({ verdict: 'ALLOW', ancestor_versions: [1, 1, 1, 1] });
    expect(wire.seen[0]?.path).toBe(PASSPORTS);
    expect(wire.to(PASSPORTS).filter(({ body }) => body['wait_ms'] === 0)).toHaveLength(1);
  });

  test('is refused without a request if it is malformed', async () => {
    const { verifier, wire } = await stage();
    await expect(verifier.verify({ agent_id: 5, action: '' } as never)).rejects.toMatchObject({
      code: 'invalid_request',
    });
    await expect(verifier.verify({ agent_id: 'a', action: 'b', more: 1 } as never)).rejects.toMatchObject({
      code: 'invalid_request',
    });
    const map = { agent_id: 'a', action: 'b', parameters: new Map() };
    await expect(verifier.verify(map as never)).rejects.toMatchObject({ code: 'invalid_request' });
    expect(wire.seen).toEqual([]);
  });

  test('after the close is service_unreachable', async () => {
    const { verifier } = await stage();
    await verifier.close();
    await expect(verifier.verify({ agent_id: 'a', action: 'b' })).rejects.toMatchObject({
      code: 'service_unreachable',
    });
  });
});

describe('agent_ids', () => {
  test('hide an agent from questions that is read as the parent of another', async () => {
    const service = open();
    const wire = wireTo(service);
    const top = await service.passports.create(passport('top'));
    const child = await service.passports.create(passport('child', { parent_agent_id: top.agent_id }));
    const apiKey = await keyOf(service, { agent_ids: [child.agent_id] });
    const verifier = verifierWith({ apiKey, fetch: wire.fetch });
    const ask = async (agent_id: string) =>
      (await verifier.verify({ agent_id, action: 'orders.read' })).verdict;
    expect(await ask(child.agent_id)).toBe('ALLOW');
    expect(await ask(top.agent_id)).toBe('DENY');
    expect(await ask(child.agent_id)).toBe('ALLOW');
    const batch = [child, top].map(({ agent_id }) => ({ agent_id, action: 'orders.read' }));
    const verdicts = await verifier.verifyBatch({ intents: batch });
    expect(verdicts.map(({ verdict }) => verdict)).toEqual(['ALLOW', 'DENY']);
    expect(verdicts[1]?.reasons.map(({ code }) => code)).toEqual(['agent_not_found']);
    expect(wire.to('/verify')).toEqual([]);
  });

  test('the same in the other order', async () => {
    const service = open();
    const wire = wireTo(service);
    const top = await service.passports.create(passport('top'));
    const child = await service.passports.create(passport('child', { parent_agent_id: top.agent_id }));
    const apiKey = await keyOf(service, { agent_ids: [child.agent_id] });
    const verifier = verifierWith({ apiKey, fetch: wire.fetch });
    const ids = [top, child].map(({ agent_id }) => agent_id);
    const verdicts = await Promise.all(
      ids.map((agent_id) => verifier.verify({ agent_id, action: 'orders.read' })),
    );
    expect(verdicts.map(({ verdict }) => verdict)).toEqual(['DENY', 'ALLOW']);
  });
});

describe('an agent that the key does not see', () => {
  test('is not absent above a child whose answer comes later', async () => {
    const service = open();
    const wire = wireTo(service);
    const top = await service.passports.create(passport('top'));
    const child = await service.passports.create(passport('child', { parent_agent_id: top.agent_id }));
    const apiKey = await keyOf(service, { agent_ids: [child.agent_id] });
    let release = (): void => undefined;
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    const fetch: typeof globalThis.fetch = async (input, init) => {
      const answer = await wire.fetch(input, init);
      if (String(init?.body).includes(child.agent_id)) await held;
      return answer;
    };
    const verifier = verifierWith({ apiKey, fetch });
    const childAnswer = verifier.verify({ agent_id: child.agent_id, action: 'orders.read' });
    await expect.poll(() => wire.to(PASSPORTS).length).toBe(1);
    const above = await verifier.verify({ agent_id: top.agent_id, action: 'orders.read' });
    expect(above.reasons.map(({ code }) => code)).toEqual(['agent_not_found']);
    release();
    expect(await childAnswer).toMatchObject({ verdict: 'ALLOW', reasons: [], ancestor_versions: [1] });
    expect(wire.to('/verify')).toEqual([]);
  });

  test('is denied without a further read, and seen once the key may see it', async () => {
    const clock = manualClock();
    const service = open({ clock, after: () => () => undefined });
    const wire = wireTo(service);
    const top = await service.passports.create(passport('top'));
    const mid = await service.passports.create(passport('mid', { parent_agent_id: top.agent_id }));
    const low = await service.passports.create(passport('low', { parent_agent_id: mid.agent_id }));
    const { key, id } = await service.keys.create({
      ...{ name: 'verifier', scopes: ['verify', 'decide'], agent_ids: [low.agent_id] },
    });
    const verifier = verifierWith({ apiKey: key, fetch: wire.fetch, clock, after: () => () => undefined });
    const ask = async ({ agent_id }: { agent_id: string }) =>
      (await verifier.verify({ agent_id, action: 'orders.read' })).verdict;
    for (const one of [top, mid, low, mid, top, low]) {
      expect(await ask(one)).toBe(one === low ? 'ALLOW' : 'DENY');
    }
    expect(wire.to(PASSPORTS).filter(({ body }) => body['wait_ms'] === 0)).toHaveLength(3);
    await service.keys.update(id, { agent_ids: null });
    clock.advance(1_000);
    for (const one of [top, mid, low]) expect(await ask(one)).toBe('ALLOW');
    await service.keys.update(id, { agent_ids: [low.agent_id] });
    clock.advance(1_000);
    for (const one of [top, low, mid]) expect(await ask(one)).toBe(one === low ? 'ALLOW' : 'DENY');
    expect(wire.to('/verify')).toEqual([]);
  });
});

describe('what takes something', () => {
  test('is asked when nothing else denies it, and only then', async () => {
    const { service, verifier, wire } = await stage();
    const budgets = [{ window: 'day', count: 1 }] as const;
    const { agent_id } = await service.passports.create(passport('spender', { budgets }));
    const denied = await verifier.verify({ agent_id, action: 'refunds.create' });
    expect(denied.reasons.map(({ code }) => code)).toEqual(['action_not_allowed']);
    expect(wire.to('/verify')).toEqual([]);
    const first = await verifier.verify({ agent_id, action: 'orders.create' });
    expect([first.verdict, first.budgets.length]).toEqual(['ALLOW', 1]);
    expect((await verifier.verify({ agent_id, action: 'orders.create' })).verdict).toBe('DENY');
    expect(wire.to('/verify')).toHaveLength(2);
    expect(verifier.state()).toMatchObject({ decided: 1, asked: 2 });
  });

  test('is decided here where no budget counts it, and under a key by the service', async () => {
    const { service, verifier, wire, apiKey } = await stage();
    const budgets = [{ window: 'day', count: 1, actions: ['orders.create'] }] as const;
    const approval = { actions: ['orders.cancel'] };
    const { agent_id } = await service.passports.create(passport('spender', { budgets, approval }));
    const child = await service.passports.create(passport('child', { parent_agent_id: agent_id }));
    for (const id of [agent_id, child.agent_id]) {
      const intent = { agent_id: id, action: 'orders.read' };
      expect(without(await verifier.verify(intent))).toEqual(without(await service.verifyAs(apiKey, intent)));
    }
    const batch = [agent_id, child.agent_id].map((id) => ({ agent_id: id, action: 'orders.list' }));
    for (const { verdict } of await verifier.verifyBatch({ intents: batch })) expect(verdict).toBe('ALLOW');
    expect(wire.to('/verify')).toEqual([]);
    expect(verifier.state()).toMatchObject({ decided: 4, asked: 0, always_asked: [] });
    await verifier.verify({ agent_id, action: 'orders.cancel' });
    await verifier.verify({ agent_id, action: 'orders.create' });
    await verifier.verify({ agent_id, action: 'orders.read' }, { idempotencyKey: 'order-1' });
    await verifier.verify({ agent_id, action: 'refunds.create' }, { idempotencyKey: 'order-1' });
    expect(wire.to('/verify').map(({ body }) => body['action'])).toEqual([
      'orders.cancel',
      'orders.create',
      'orders.read',
    ]);
  });

  test('names the agents that are always asked about, with the cause', async () => {
    const { service, verifier } = await stage({ proofAudiences: ['https://id.example.com'] });
    const make = async (name: string, input: Parameters<typeof passport>[1]) =>
      (await service.passports.create(passport(name, input))).agent_id;
    const monetary = { monetary_actions: ['orders.*'], currency: 'EUR' };
    const counted = await make('counted', { budgets: [{ window: 'day', count: 9 }] });
    const limited = await make('limited', { ...monetary, budgets: [{ window: 'day', limit: 9 }] });
    const approved = await make('approved', { approval: { actions: ['*'] } });
    const paced = await make('paced', { pace: [{ max: 1, seconds: 60 }] });
    const ordered = await make('ordered', { order: [ONCE] });
    const proved = await make('proved', { proof: 'identity', public_keys: [ED25519_KEYS[0]] });
    const below = await make('below', { parent_agent_id: counted });
    const free = await make('free', { pace: [{ max: 1, seconds: 60, actions: ['orders.pay.*'] }] });
    for (const agent_id of [counted, limited, approved, proved, below, free, paced, ordered])
      await verifier.verify({ agent_id, action: 'orders.read' });
    const causes = verifier.state().always_asked.map(({ agent_id, cause }) => [agent_id, cause]);
    expect(Object.fromEntries(causes)).toEqual({
      ...{ [counted]: 'budget', [below]: 'budget', [limited]: 'budget' },
      ...{ [approved]: 'approval', [proved]: 'proof', [paced]: 'pace', [ordered]: 'order' },
    });
  });

  test('an idempotency key goes along', async () => {
    const { service, verifier } = await stage();
    const budgets = [{ window: 'day', count: 1 }] as const;
    const { agent_id } = await service.passports.create(passport('spender', { budgets }));
    const intent = { agent_id, action: 'orders.create' };
    const once = () => verifier.verify(intent, { idempotencyKey: 'order-1' });
    expect((await once()).decision_id).toBe((await once()).decision_id);
  });

  test('a hold, an approval id, a needed approval and a proof are for the service', async () => {
    const { service, verifier, wire } = await stage();
    const approval = { actions: ['orders.cancel'] };
    const { agent_id } = await service.passports.create(passport('a', { approval }));
    const intents = [
      { agent_id, action: 'orders.create', hold_seconds: 5 },
      { agent_id, action: 'orders.create', approval_id: 'apr_6YsrL1iGTFfmGRvMpFTu3G' },
      { agent_id, action: 'orders.cancel' },
      { agent_id, action: 'orders.read', proof: 'a.b.c' },
    ];
    for (const intent of intents) await verifier.verify(intent).catch(() => undefined);
    expect(wire.to('/verify').map(({ body }) => body)).toEqual(intents);
    expect(wire.filed).toEqual([]);
  });

  test('a batch with such an item goes as a whole', async () => {
    const { service, verifier, wire } = await stage();
    const { agent_id } = await service.passports.create(passport('a'));
    const intents = [
      { agent_id, action: 'orders.read' },
      { agent_id, action: 'orders.create', hold_seconds: 5 },
    ];
    const verdicts = await verifier.verifyBatch({ intents });
    expect(verdicts.map(({ verdict }) => verdict)).toEqual(['ALLOW', 'ALLOW']);
    expect(wire.to('/verify/batch')).toHaveLength(1);
    await verifier.close();
    expect(wire.filed).toEqual([]);
  });
});

describe('everything is asked', () => {
  test.for([
    ['rules', { rules: [...defaultRules, () => undefined] }],
    ['strict', { consistency: 'strict' }],
    ['strict', { journal: 'strict' }],
  ] as const)('of a service that says %s', async ([reason, options]) => {
    const { service, verifier, wire } = await stage(options);
    const { agent_id } = await service.passports.create(passport('a'));
    for (const _ of [1, 2])
      expect((await verifier.verify({ agent_id, action: 'orders.read' })).verdict).toBe('ALLOW');
    expect(verifier.state()).toMatchObject({ asks: reason, asked: 2, decided: 0 });
    expect(wire.to(PASSPORTS)).toHaveLength(1);
  });

  test('with a key that may not decide, and refused with a key that is revoked', async () => {
    const service = open();
    const wire = wireTo(service);
    const { agent_id } = await service.passports.create(passport('a'));
    const narrow = await keyOf(service, { scopes: ['verify'] });
    const asking = verifierWith({ apiKey: narrow, fetch: wire.fetch });
    expect((await asking.verify({ agent_id, action: 'orders.read' })).verdict).toBe('ALLOW');
    expect(asking.state().asks).toBe('scope');
    const { key, id } = await service.keys.create({ name: 'other', scopes: ['verify', 'decide'] });
    const verifier = verifierWith({ apiKey: key, fetch: wire.fetch });
    expect((await verifier.verify({ agent_id, action: 'orders.read' })).verdict).toBe('ALLOW');
    await service.keys.revoke(id);
    await expect
      .poll(() => verifier.verify({ agent_id, action: 'orders.read' }).catch(({ code }) => code), {
        timeout: 2_000,
      })
      .toBe('unauthenticated');
    expect(verifier.state().asks).toBe('refused');
  });
});

/** Returns what a verdict says, without the ids and instants that each has of its own. */
function without(record: object): object {
  const { decision_id, evaluated_at, verifier: _, ...rest } = record as Record<string, unknown>;
  expect([typeof decision_id, typeof evaluated_at]).toEqual(['string', 'string']);
  return { ...rest, request_id: null };
}
