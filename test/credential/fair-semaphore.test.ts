import { expect, test } from 'vitest';
import type { Visitor } from '../../src/credential/fair-queue.ts';
import { createFairSemaphore } from '../../src/credential/fair-queue.ts';
import type { IdentityError } from '../../src/errors.ts';

const SOMEONE = { networks: ['1'], hasFailed: false };

/** A semaphore whose time passes, and whose works end, when the test says so. */
function stage(options: { concurrency: number; queue: number; queueTimeoutMs?: number }) {
  const timers = new Map<() => void, number>();
  const started: string[] = [];
  const finish = new Map<string, () => void>();
  const run = createFairSemaphore({
    queueTimeoutMs: 10_000,
    ...options,
    after: (ms, callback) => {
      timers.set(callback, ms);
      return () => timers.delete(callback);
    },
  });
  return {
    started,
    timers,
    finish: (name: string) => finish.get(name)?.(),
    run: (name: string, visitor: Visitor = SOMEONE): Promise<string> =>
      run(visitor, () => {
        started.push(name);
        return new Promise((resolve) => finish.set(name, () => resolve(name)));
      }),
    fail: (): Promise<never> => run(SOMEONE, () => Promise.reject(new Error('broken'))),
    passTime: () => {
      const due = [...timers.keys()];
      timers.clear();
      for (const callback of due) callback();
    },
  };
}

const code = (error: unknown): string => (error as IdentityError).code;
const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

test('no more than the given number run at a time, in order of arrival', async () => {
  const { run, started, finish, timers } = stage({ concurrency: 2, queue: 64 });
  const all = ['a', 'b', 'c', 'd'].map((name) => run(name));
  await settled();
  expect(started).toEqual(['a', 'b']);
  expect([...timers.values()]).toEqual([10_000, 10_000]);
  finish('b');
  await settled();
  expect(started).toEqual(['a', 'b', 'c']);
  finish('a');
  await settled();
  finish('c');
  finish('d');
  expect(await Promise.all(all)).toEqual(['a', 'b', 'c', 'd']);
  expect(timers.size).toBe(0);
});

test('a place that was given back is free again', async () => {
  const { run, finish, fail } = stage({ concurrency: 1, queue: 0 });
  await expect(fail()).rejects.toThrow('broken');
  const first = run('a');
  await settled();
  await expect(run('b')).rejects.toSatisfy((error) => code(error) === 'overloaded');
  finish('a');
  expect(await first).toBe('a');
  const second = run('c');
  await settled();
  finish('c');
  expect(await second).toBe('c');
});

test('a full queue refuses at once, and says when to come back', async () => {
  const { run, started } = stage({ concurrency: 1, queue: 1 });
  run('a');
  run('b');
  await expect(run('c')).rejects.toMatchObject({ code: 'overloaded', details: { retryAfterSeconds: 10 } });
  expect(started).toEqual(['a']);
});

test('who waits too long is refused, and never started', async () => {
  const { run, started, finish, passTime, timers } = stage({ concurrency: 1, queue: 2 });
  const first = run('a');
  const second = run('b');
  const refused = expect(second).rejects.toMatchObject({ code: 'overloaded' });
  passTime();
  await refused;
  const third = run('c');
  finish('a');
  await first;
  await settled();
  expect(started).toEqual(['a', 'c']);
  finish('c');
  expect(await third).toBe('c');
  expect(timers.size).toBe(0);
});

test('a failure hands the place on', async () => {
  const { run, started, fail, finish } = stage({ concurrency: 1, queue: 2 });
  const broken = expect(fail()).rejects.toThrow('broken');
  const next = run('a');
  await broken;
  await settled();
  expect(started).toEqual(['a']);
  finish('a');
  expect(await next).toBe('a');
});

test('who is pushed out is refused at once, and never started', async () => {
  const { run, started, finish, timers } = stage({ concurrency: 1, queue: 2 });
  const first = run('a');
  const second = run('b');
  const third = run('c');
  const other = run('other', { networks: ['2'], hasFailed: false });
  await expect(third).rejects.toMatchObject({ code: 'overloaded', details: { retryAfterSeconds: 10 } });
  expect(timers.size).toBe(2);
  finish('a');
  await first;
  await settled();
  finish('other');
  await other;
  await settled();
  finish('b');
  await second;
  expect(started).toEqual(['a', 'other', 'b']);
  expect(timers.size).toBe(0);
});

test('64 wait for ten seconds at most where nothing else is said', async () => {
  const waits: number[] = [];
  const run = createFairSemaphore({
    concurrency: 1,
    after: (ms) => {
      waits.push(ms);
      return () => undefined;
    },
  });
  const never = () => new Promise<never>(() => undefined);
  for (let count = 0; count < 65; count += 1) run(SOMEONE, never);
  await expect(run(SOMEONE, never)).rejects.toMatchObject({
    code: 'overloaded',
    message: 'Too many passwords are being checked: try again later.',
    details: { retryAfterSeconds: 10 },
  });
  expect(waits).toEqual(Array(64).fill(10_000));
});

test.each([
  [1, 1],
  [1_000, 1],
  [1_001, 2],
])('after a wait of %i ms it is said to try again in %i s', async (queueTimeoutMs, retryAfterSeconds) => {
  const { run } = stage({ concurrency: 1, queue: 0, queueTimeoutMs });
  run('a');
  await expect(run('b')).rejects.toMatchObject({ details: { retryAfterSeconds } });
});
