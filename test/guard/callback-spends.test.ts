/** A callback under an idempotency key runs while its spend exists, and does not run after the spend was refunded. */
import { describe, expect, test } from 'vitest';
import { nodeListener } from '../../src/http/index.ts';
import { createIdentityClient, type Intent, type VerdictRecord } from '../../src/index.ts';
import { listen } from '../support/servers.ts';
import { openLocalService } from '../support/service.ts';

type Callback = (record: VerdictRecord) => string;
type Guarded = (intent: Intent, callback: Callback, idempotencyKey?: string) => Promise<string>;

async function openShop() {
  const { service, clock } = openLocalService();
  const { agent_id } = await service.passports.create({
    ...{ domain: 'example.com', agent_name: 'shopper', allowed_actions: ['*'], monetary_actions: ['pay'] },
    ...{ monetary_limit_per_txn: 10, currency: 'EUR', budgets: [{ window: 'day', limit: 100 }] },
  });
  const { key } = await service.keys.create({ name: 'a', scopes: ['verify'] });
  const url = await listen(nodeListener(service));
  const client = createIdentityClient({ baseUrl: `${url}/api`, apiKey: `${key}` });
  const keyed = (idempotencyKey?: string) => (idempotencyKey === undefined ? {} : { idempotencyKey });
  const guards: Readonly<Record<string, Guarded>> = {
    service: (intent, callback, by) => service.guard(intent, callback, keyed(by)),
    client: (intent, callback, by) => client.guard(intent, callback, keyed(by)),
  };
  const pay: Intent = { agent_id, action: 'pay', parameters: { amount: 5, currency: 'EUR' } };
  const spent = async () => {
    const [state] = (await service.passports.budgets(agent_id)).data;
    return Number(state?.spent) + Number(state?.held);
  };
  return { service, clock, guards, pay, spent };
}

const GONE = {
  code: 'tool_denied',
  details: { record: null, reasons: [{ code: 'verdict_unavailable', message: 'There is no verdict.' }] },
};

describe.each(['service', 'client'])('the guard of the %s', (place) => {
  test('runs again under a key as long as the spend is there, and spends once', async () => {
    const { guards, pay, spent } = await openShop();
    const ids = [];
    for (let run = 0; run < 2; run += 1) {
      ids.push(await guards[place]?.(pay, ({ decision_id }) => decision_id, 'order-1'));
      ids.push(
        await guards[place]?.({ ...pay, hold_seconds: 60 }, ({ decision_id }) => decision_id, 'order-2'),
      );
    }
    expect(ids.slice(2)).toEqual(ids.slice(0, 2));
    expect(await spent()).toBe(10);
  });

  test('does not run after the spend was released', async () => {
    const { service, guards, pay, spent } = await openShop();
    for (const intent of [pay, { ...pay, hold_seconds: 60 }]) {
      const key = `order-${intent.hold_seconds}`;
      const id = await guards[place]?.(intent, ({ decision_id }) => decision_id, key);
      await service.spends.release(`${id}`);
      await expect(guards[place]?.(intent, () => expect.fail('ran'), key)).rejects.toMatchObject(GONE);
      await expect(guards[place]?.(intent, () => 'ran', `${key}-again`)).resolves.toBe('ran');
    }
    expect(await spent()).toBe(10);
  });

  test('does not run after the hold expired, noticed or not', async () => {
    const { clock, guards, pay, spent } = await openShop();
    const held = { ...pay, hold_seconds: 60 };
    await guards[place]?.(held, () => 'ran', 'order-1');
    clock.advance(60_000);
    await expect(guards[place]?.(held, () => expect.fail('ran'), 'order-1')).rejects.toMatchObject(GONE);
    expect(await spent()).toBe(0);
    await expect(guards[place]?.(held, () => expect.fail('ran'), 'order-1')).rejects.toMatchObject(GONE);
  });

  test('spends once for each run without a key of the application', async () => {
    const { guards, pay, spent } = await openShop();
    for (let run = 0; run < 2; run += 1) await guards[place]?.(pay, () => 'ran');
    expect(await spent()).toBe(10);
  });
});
