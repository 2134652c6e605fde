import { describe, expect, test } from 'vitest';
import { stores } from '../../support/stores.ts';
import { codesOf, idIn, openShop } from './stage.ts';

const MINUTE = 60_000;

describe.each(stores)('an approval in %s', (_, openStore) => {
  test('is asked for by the first intent that needs it, and named by the same intent from then on', async () => {
    const { ask, approvals, agent_id, told, clock } = await openShop(openStore);
    const { verdict, reasons, budgets } = await ask();
    expect({ verdict, reasons, budgets }).toEqual({
      verdict: 'DENY',
      reasons: [
        {
          code: 'approval_required',
          message: 'A person must approve the intent.',
          approval_id: expect.stringMatching(/^apr_[0-9A-Za-z]{22}$/),
          expires_at: clock.instant(10 * MINUTE),
        },
      ],
      budgets: [],
    });
    const id = idIn(reasons);
    const pending = {
      id,
      kind: 'intent',
      status: 'pending',
      agent_id,
      environment: 'live',
      intent: {
        agent_id,
        action: 'payments.create',
        parameters: { amount: 250, currency: 'EUR', invoice: 'R-1' },
      },
      reasons: [
        {
          ...{ code: 'approval_required', message: 'A person must approve the intent.' },
          ...{ agent_id, above: '100', actual: '250' },
        },
      ],
      ...{ needed: 1, by: 'anyone', decisions: [], requested_by: null },
      created_at: clock.instant(),
      expires_at: clock.instant(10 * MINUTE),
      ...{ decided_by: null, decided_at: null, note: null, decision_id: null },
    };
    expect(await approvals.get(id)).toEqual(pending);
    expect(told).toEqual([pending]);
    clock.advance(MINUTE);
    expect(idIn((await ask()).reasons)).toBe(id);
    expect((await approvals.list()).data).toEqual([pending]);
    await approvals.approve(id);
    expect(idIn((await ask()).reasons)).toBe(id);
  });

  test('lets exactly this intent pass once', async () => {
    const { ask, request, approvals, clock } = await openShop(openStore);
    const approval_id = await request();
    expect(codesOf(await ask({ approval_id }))).toEqual(['approval_pending']);
    clock.advance(1_000);
    const decided = await approvals.approve(approval_id, { note: 'asked the buyer' });
    expect(decided).toMatchObject({
      status: 'approved',
      decided_by: 'acc_local',
      decided_at: clock.instant(),
      note: 'asked the buyer',
    });
    expect(codesOf(await ask({ approval_id, amount: 251 }))).toEqual(['approval_mismatch']);
    const { verdict, decision_id } = await ask({ approval_id });
    expect(verdict).toBe('ALLOW');
    expect(await approvals.get(approval_id)).toEqual({ ...decided, status: 'used', decision_id });
    expect(codesOf(await ask({ approval_id }))).toEqual(['approval_used']);
    const next = await request();
    expect(next).not.toBe(approval_id);
    expect((await approvals.list()).data.map(({ id }) => id)).toEqual([next, approval_id]);
  });

  test('that was rejected is named until it expires; then the same intent asks again', async () => {
    const { ask, request, approvals, clock } = await openShop(openStore);
    const approval_id = await request();
    await approvals.reject(approval_id);
    expect(codesOf(await ask({ approval_id }))).toEqual(['approval_rejected']);
    expect(await request()).toBe(approval_id);
    clock.advance(10 * MINUTE);
    expect(codesOf(await ask({ approval_id }))).toEqual(['approval_rejected']);
    expect(await request()).not.toBe(approval_id);
    expect((await approvals.get(approval_id)).status).toBe('rejected');
  });

  test('expires at its instant, whether it was approved or not', async () => {
    const { ask, request, approved, approvals, clock } = await openShop(openStore);
    const [pending, used] = [await request(), await approved({ amount: 300 })];
    clock.advance(10 * MINUTE - 1);
    expect((await approvals.get(pending)).status).toBe('pending');
    clock.advance(1);
    for (const [approval_id, amount] of [
      [pending, 250],
      [used, 300],
    ] as const) {
      expect((await approvals.get(approval_id)).status).toBe('expired');
      expect(codesOf(await ask({ approval_id, amount }))).toEqual(['approval_expired']);
      await expect(approvals.approve(approval_id)).rejects.toMatchObject({ code: 'conflict' });
    }
    expect((await approvals.list({ status: 'expired' })).data.map(({ id }) => id)).toEqual([used, pending]);
    expect((await approvals.list({ status: 'pending' })).data).toEqual([]);
    expect(await request()).not.toBe(pending);
  });

  test('is decided once: again the same way it is the first decision, the other way a conflict', async () => {
    const { request, approved, approvals, ask } = await openShop(openStore);
    const yes = await approved();
    const first = await approvals.get(yes);
    expect(await approvals.approve(yes, { note: 'again' })).toEqual(first);
    await expect(approvals.reject(yes)).rejects.toMatchObject({ code: 'conflict' });
    await ask({ approval_id: yes });
    expect((await approvals.approve(yes)).status).toBe('used');
    const no = await request({ amount: 300 });
    const rejected = await approvals.reject(no, { note: 'no' });
    expect(await approvals.reject(no)).toEqual(rejected);
    await expect(approvals.approve(no)).rejects.toMatchObject({ code: 'conflict' });
  });

  test('of two decisions at the same moment one counts', async () => {
    const { request, approvals } = await openShop(openStore);
    for (let round = 0; round < 10; round += 1) {
      const id = await request({ amount: 200 + round });
      const both = await Promise.allSettled([approvals.approve(id), approvals.reject(id)]);
      expect(both.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
      const { status } = await approvals.get(id);
      expect(status).toBe(both[0]?.status === 'fulfilled' ? 'approved' : 'rejected');
    }
  });

  test('waits with at most 99 others of its agent; what is decided or over makes room', async () => {
    const { ask, request, approvals, clock, agent_id } = await openShop(openStore);
    const ids: string[] = [];
    for (let amount = 200; amount < 300; amount += 1) ids.push(await request({ amount }));
    const full = await ask({ amount: 300 });
    expect(full.reasons).toEqual([
      {
        ...{ code: 'approval_required', message: 'A person must approve the intent.' },
        ...{ approval_id: null, expires_at: null, too_many: true },
      },
    ]);
    expect(await request({ amount: 200 })).toBe(ids[0]);
    await approvals.reject(ids[0] ?? '');
    await request({ amount: 300 });
    expect((await ask({ amount: 301 })).reasons[0]).toMatchObject({ too_many: true });
    clock.advance(10 * MINUTE);
    await request({ amount: 301 });
    expect((await approvals.list({ agent_id, status: 'pending' })).data).toHaveLength(1);
  });

  test('is asked for once, however often the same intent comes at the same moment', async () => {
    const { ask, approvals, told } = await openShop(openStore);
    const records = await Promise.all(Array.from({ length: 20 }, () => ask()));
    expect(new Set(records.map(({ reasons }) => idIn(reasons))).size).toBe(1);
    expect((await approvals.list()).data).toHaveLength(1);
    expect(told).toHaveLength(1);
  });

  test('ends by itself, and is removed when the retention is over', async () => {
    const { request, approvals, storage, timers, clock } = await openShop(
      openStore,
      {},
      { retentionDays: 1 },
    );
    const id = await request();
    clock.advance(10 * MINUTE);
    await timers.pass(MINUTE);
    await expect.poll(() => storage.get('approvals', id)).toMatchObject({ status: 'expired', version: 2 });
    // A store without a clock follows by a day at most.
    for (let halfDays = 0; halfDays < 2; halfDays += 1) {
      clock.advance(13 * 60 * MINUTE);
      await storage.time(clock.instant());
    }
    const before = clock.instant(-24 * 60 * MINUTE);
    expect(await storage.purge('approvals', before, clock.instant())).toBe(1);
    await expect(approvals.get(id)).rejects.toMatchObject({ code: 'not_found' });
  });
});
