import { expect, test } from 'vitest';
import { createStorageGuard } from '../../../src/core/storage/storage-guard.ts';

const down = () => Promise.reject(new Error('down'));
const never = () => new Promise<never>(() => undefined);
const unavailable = { code: 'storage_unavailable', details: { retryAfterSeconds: 1 } };

/** Until the storage is asked again after it counted as down. */
async function probed(call: () => Promise<unknown>): Promise<unknown> {
  for (;;) {
    try {
      return await call();
    } catch {
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }
}

test('a call that is not answered within the deadline is given up', async () => {
  const guard = createStorageGuard(20);
  await expect(guard('get', never)).rejects.toMatchObject(unavailable);
});

test('after five failures in a row the storage is not asked, until one call finds that the storage is back', async () => {
  const guard = createStorageGuard(1_000);
  let calls = 0;
  const failing = () => {
    calls += 1;
    return down();
  };
  for (let time = 0; time < 50; time += 1) {
    await expect(guard('get', failing)).rejects.toMatchObject(unavailable);
  }
  expect(calls).toBe(5);
  expect(await probed(() => guard('get', async () => 'back'))).toBe('back');
  expect(await guard('get', async () => 'well')).toBe('well');
});

test('a storage that takes no writes still answers', async () => {
  const guard = createStorageGuard(1_000);
  for (let time = 0; time < 10; time += 1)
    await expect(guard('write', down)).rejects.toMatchObject(unavailable);
  expect(await guard('get', async () => 'answer')).toBe('answer');
  expect(await guard('journal', async () => 'answer')).toBe('answer');
});

test.each([
  new RangeError('too great'),
  new TypeError('undefined is not a function'),
  new ReferenceError('x is not defined'),
  new SyntaxError('Unexpected token'),
])('%s is a mistake in the adapter: internal, with its cause, and no outage', async (mistake) => {
  const guard = createStorageGuard(1_000);
  const refusing = () => Promise.reject(mistake);
  for (let time = 0; time < 20; time += 1)
    await expect(guard('write', refusing)).rejects.toMatchObject({ code: 'internal', cause: mistake });
  expect(await guard('write', async () => 'taken')).toBe('taken');
});

test('a fetch that failed is an outage, although it is a TypeError', async () => {
  const guard = createStorageGuard(1_000);
  const cause = new Error('connect ECONNREFUSED');
  const failing = () => Promise.reject(new TypeError('fetch failed', { cause }));
  for (let time = 0; time < 6; time += 1)
    await expect(guard('get', failing)).rejects.toMatchObject(unavailable);
  await expect(guard('get', async () => 'answer')).rejects.toMatchObject(unavailable);
});

test('a call that the storage itself gave up for its time is no outage', async () => {
  const guard = createStorageGuard(1_000);
  const late = Object.assign(new Error('canceling statement'), { name: 'TimeoutError' });
  for (let time = 0; time < 20; time += 1)
    await expect(guard('list', () => Promise.reject(late))).rejects.toMatchObject(unavailable);
  expect(await guard('list', async () => 'answer')).toBe('answer');
});

test.each(['list', 'journal'] as const)(
  'a failed %s leaves every call that verdicts need open',
  async (kind) => {
    const guard = createStorageGuard(1_000);
    for (let time = 0; time < 10; time += 1)
      await expect(guard(kind, down)).rejects.toMatchObject(unavailable);
    for (const other of ['get', 'file', 'write'] as const)
      expect(await guard(other, async () => 'answer')).toBe('answer');
  },
);

test('those who wait for a place are served in their order, one for each that ends', async () => {
  const guard = createStorageGuard(60_000);
  const began: number[] = [];
  const ends: (() => void)[] = [];
  const calls = Array.from({ length: 259 }, (_, number) =>
    guard('get', () => {
      began.push(number);
      return new Promise<void>((resolve) => ends.push(resolve));
    }),
  );
  await new Promise((resolve) => setImmediate(resolve));
  expect(began).toHaveLength(256);
  for (let ended = 0; ended < 259; ended += 1) {
    ends[ended]?.();
    await calls[ended];
    await new Promise((resolve) => setImmediate(resolve));
    expect(began).toHaveLength(Math.min(257 + ended, 259));
  }
  expect(began).toEqual(calls.map((_, number) => number));
});

test('256 calls run at once, 10,000 wait and more are refused as overloaded, all within the deadline', async () => {
  const guard = createStorageGuard(200);
  let running = 0;
  const calls = Array.from({ length: 11_000 }, () =>
    guard('get', () => {
      running += 1;
      return never();
    }),
  );
  expect(running).toBeLessThanOrEqual(256);
  const codes = await Promise.all(calls.map((call) => call.catch((error) => error.code)));
  expect(codes.filter((code) => code === 'overloaded')).toHaveLength(11_000 - 10_256);
  expect(codes.filter((code) => code === 'storage_unavailable')).toHaveLength(10_256);
  expect(await probed(() => guard('get', async () => 'back'))).toBe('back');
});
