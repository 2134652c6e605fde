import { describe, expect, test } from 'vitest';
import { memoryStorage } from '../../../adapters/storage/memory/index.ts';
import type { StorageAdapter } from '../../../src/ports/storage.ts';
import { openLocalService } from '../../support/service.ts';
import { openShop } from './stage.ts';

const SECOND = 1_000;

/** A memory that can be away. */
function fragileStorage() {
  const storage = memoryStorage();
  let isAway = false;
  const get: StorageAdapter['get'] = (...query) =>
    isAway ? Promise.reject(new Error('away')) : storage.get(...query);
  const setAway = (is: boolean): void => {
    isAway = is;
  };
  return { storage: { ...storage, get }, setAway };
}

/** What has become of a wait so far. */
function watched<T>(promise: Promise<T>) {
  const state: { outcome: unknown } = { outcome: 'waits' };
  promise.then(
    (value) => {
      state.outcome = value;
    },
    (error) => {
      state.outcome = error;
    },
  );
  return state;
}

describe('the wait for a person ends', () => {
  test.each(['approve', 'reject'] as const)('when it is decided: %s', async (method) => {
    const { approvals, request, timers } = await openShop();
    const id = await request();
    const wait = watched(approvals.wait(id));
    await timers.pass(30 * SECOND);
    expect(wait.outcome).toBe('waits');
    await approvals[method](id, { note: 'seen' });
    await timers.pass(6 * SECOND);
    const status = { approve: 'approved', reject: 'rejected' }[method];
    expect(wait.outcome).toMatchObject({ id, status, note: 'seen' });
    expect(await approvals.wait(id)).toMatchObject({ id, status });
  });

  test('when another node decides', async () => {
    const storage = memoryStorage();
    const { approvals, request, timers, clock } = await openShop(async () => storage);
    const id = await request();
    const wait = watched(approvals.wait(id));
    const other = openLocalService({ storage, clock });
    await other.service.approvals.approve(id);
    await timers.pass(6 * SECOND);
    expect(wait.outcome).toMatchObject({ status: 'approved' });
  });

  test('when no person decides in time, and when it was used', async () => {
    const { approvals, request, approved, ask, timers } = await openShop();
    const id = await request();
    const wait = watched(approvals.wait(id));
    await timers.pass(606 * SECOND);
    expect(wait.outcome).toMatchObject({ id, status: 'expired', decided_by: null });
    const used = await approved({ amount: 300 });
    await ask({ amount: 300, approval_id: used });
    expect(await approvals.wait(used)).toMatchObject({ status: 'used' });
  });

  test('with the reason of the signal, before and while it waits, and leaves no timer', async () => {
    const { approvals, request, timers } = await openShop();
    const id = await request();
    const controller = new AbortController();
    const { signal } = controller;
    const wait = watched(approvals.wait(id, { signal }));
    await timers.pass(2 * SECOND);
    const reason = new Error('changed my mind');
    controller.abort(reason);
    await expect(approvals.wait(id, { signal })).rejects.toBe(reason);
    expect(wait.outcome).toBe(reason);
  });

  test('with overloaded when the service is closed', async () => {
    const { approvals, request, service } = await openShop();
    const wait = approvals.wait(await request());
    const ended = expect(wait).rejects.toMatchObject({ code: 'overloaded' });
    await service.close();
    await ended;
  });

  test('as get does for one that the caller does not see', async () => {
    const { approvals, request } = await openShop();
    const id = await request();
    const foreign = { agent_ids: ['did:web:shop.example:agents:other'] };
    await expect(approvals.wait('apr_0')).rejects.toMatchObject({ code: 'not_found' });
    await expect(approvals.wait(id, foreign)).rejects.toMatchObject({ code: 'not_found' });
  });
});

describe('a storage that is away', () => {
  test('is waited for, also when the decision is made meanwhile', async () => {
    const { storage, setAway } = fragileStorage();
    const { approvals, request, timers, clock } = await openShop(async () => storage);
    const id = await request();
    const wait = watched(approvals.wait(id));
    await timers.pass(2 * SECOND);
    setAway(true);
    await timers.pass(3 * SECOND);
    expect(wait.outcome).toBe('waits');
    setAway(false);
    await openLocalService({ storage, clock }).service.approvals.approve(id);
    await timers.pass(30 * SECOND);
    expect(wait.outcome).toMatchObject({ status: 'approved' });
  });

  test('ends the wait at the first look, and a minute after the approval is over', async () => {
    const { storage, setAway } = fragileStorage();
    const { approvals, request, timers } = await openShop(async () => storage);
    const id = await request();
    const wait = watched(approvals.wait(id));
    await timers.pass(SECOND);
    setAway(true);
    await expect(approvals.wait(id)).rejects.toMatchObject({ code: 'storage_unavailable' });
    await timers.pass(650 * SECOND);
    expect(wait.outcome).toBe('waits');
    await timers.pass(30 * SECOND);
    expect(wait.outcome).toMatchObject({ code: 'storage_unavailable' });
  });
});
