/** Nothing of a spend goes back while a resource may accept its permit. */
import { describe, expect, test } from 'vitest';
import type { Intent } from '../../../src/records.ts';
import { namedStores, openOne, type SharedStore } from '../../support/stores.ts';
import { AUDIENCE, openPermits } from './stage.ts';

/** A stage whose budget of 100 is for all time, in a store whose clock is that of the service. */
async function open(store: SharedStore, more: Parameters<typeof openPermits>[0] = {}) {
  const storage = await openOne(store);
  const budgets = [{ name: 'ever', window: 'lifetime' as const, limit: 100 }];
  const stage = await openPermits(
    { budgets, ...more },
    {},
    {
      ...storage,
      time: async (at) => ({ at, isMark: false }),
    },
  );
  const { service, intentOf, clock } = stage;
  const ask = (given: Partial<Intent> = {}, idempotencyKey?: string, isHold = true) => {
    const intent = intentOf({
      parameters: { amount: 100, currency: 'EUR' },
      permit: { audience: AUDIENCE, seconds: 60 },
      ...(isHold && { hold_seconds: 60 }),
      ...given,
    });
    return service.verify(intent, idempotencyKey === undefined ? {} : { idempotencyKey });
  };
  const used = async () => {
    const { data } = await service.passports.budgets(stage.agent_id);
    return [data[0]?.spent, data[0]?.held];
  };
  return { ...stage, ask, used, spends: service.spends, refusedUntil: clock.instant(65_000) };
}

describe.each(await namedStores())('a spend with a permit in %s', (_, store) => {
  test('refuses a release, a partial release and a partial commit of its hold until the permit ends', async () => {
    const { ask, spends, used, clock, refusedUntil } = await open(store);
    const { decision_id, permit } = await ask({ hold_seconds: 600 });
    expect(permit).toBeTypeOf('string');
    const refused = { code: 'conflict', details: { until: refusedUntil } };
    clock.advance(64_999);
    await expect(spends.release(decision_id)).rejects.toMatchObject(refused);
    await expect(spends.release(decision_id, { amount: '0.01' })).rejects.toMatchObject(refused);
    await expect(spends.commit(decision_id, { amount: '0.01' })).rejects.toMatchObject(refused);
    expect(await used()).toEqual([0, 100]);
    expect(await spends.get(decision_id)).toMatchObject({ status: 'held', permit_until: refusedUntil });
    clock.advance(1);
    expect(await spends.release(decision_id)).toMatchObject({ status: 'released' });
    expect(await used()).toEqual([0, 0]);
  });

  test('commits the whole hold at once, and refuses a refund until the permit ends', async () => {
    const { ask, spends, used, clock, refusedUntil } = await open(store);
    const { decision_id } = await ask();
    expect(await spends.commit(decision_id, { amount: 100 })).toMatchObject({ status: 'committed' });
    await expect(spends.release(decision_id)).rejects.toMatchObject({ details: { until: refusedUntil } });
    expect(await used()).toEqual([100, 0]);
    clock.advance(65_000);
    expect(await spends.release(decision_id)).toMatchObject({ status: 'released' });
  });

  test('refuses the refund of an amount that was spent without a hold', async () => {
    const { ask, spends, used, clock } = await open(store);
    const { decision_id } = await ask({}, undefined, false);
    await expect(spends.release(decision_id, { amount: 1 })).rejects.toMatchObject({ code: 'conflict' });
    expect(await used()).toEqual([100, 0]);
    clock.advance(65_000);
    expect(await spends.release(decision_id, { amount: 1 })).toMatchObject({ released_amount: 1 });
  });

  test('is committed when its hold ends before the permit, whoever notices, also long after', async () => {
    const { ask, spends, used, clock } = await open(store);
    const { decision_id } = await ask({ hold_seconds: 1 });
    clock.advance(1_000);
    expect(await used()).toEqual([100, 0]);
    expect((await ask()).verdict).toBe('DENY');
    clock.advance(86_400_000);
    expect(await spends.get(decision_id)).toMatchObject({ status: 'committed', released_amount: 0 });
    expect(await spends.commit(decision_id)).toMatchObject({ status: 'committed' });
    expect(await used()).toEqual([100, 0]);
  });

  test('is committed by the first who looks long after both have ended, if the hold ended first', async () => {
    const { ask, spends, clock } = await open(store);
    const { decision_id } = await ask({ hold_seconds: 64 });
    clock.advance(86_400_000);
    expect(await spends.get(decision_id)).toMatchObject({ status: 'committed' });
  });

  test('lapses when its hold ends after the permit', async () => {
    const { ask, spends, used, clock } = await open(store);
    const { decision_id } = await ask({ hold_seconds: 65 });
    clock.advance(65_000);
    expect(await used()).toEqual([0, 0]);
    expect(await spends.get(decision_id)).toMatchObject({ status: 'lapsed' });
  });

  test('keeps the amount of an approved intent', async () => {
    const { service, ask, spends, used } = await open(store, { approval: { above: 10 } });
    const asked = await ask();
    const approval_id = asked.reasons[0]?.['approval_id'] as string;
    await service.approvals.approve(approval_id);
    const { decision_id, permit, verdict } = await ask({ approval_id });
    expect([verdict, typeof permit]).toEqual(['ALLOW', 'string']);
    await expect(spends.release(decision_id)).rejects.toMatchObject({ code: 'conflict' });
    expect(await used()).toEqual([0, 100]);
  });

  test('gives no permit to a retry under its key after a release', async () => {
    const { ask, spends, clock } = await open(store);
    const first = await ask({ hold_seconds: 600 }, 'one');
    await expect(spends.release(first.decision_id)).rejects.toMatchObject({ code: 'conflict' });
    expect((await ask({ hold_seconds: 600 }, 'one')).permit).toBeTypeOf('string');
    clock.advance(65_000);
    await spends.release(first.decision_id);
    const again = await ask({ hold_seconds: 600 }, 'one');
    expect([again.decision_id, again.permit]).toEqual([first.decision_id, null]);
  });

  test('runs a callback under its key again after the hold has ended and was committed', async () => {
    const { service, intentOf, clock } = await open(store);
    const intent = intentOf({ hold_seconds: 1 });
    let ran = 0;
    const callback = () => {
      ran += 1;
    };
    await service.guard(intent, callback, { idempotencyKey: 'callback' });
    clock.advance(2_000);
    await service.guard(intent, callback, { idempotencyKey: 'callback' });
    expect(ran).toBe(2);
  });
});
