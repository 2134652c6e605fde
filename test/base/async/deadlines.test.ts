import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { afterEach, expect, test, vi } from 'vitest';
import { createDeadlines } from '../../../src/base/async/deadlines.ts';
import { createStorageGuard } from '../../../src/core/storage/storage-guard.ts';
import { start } from '../../support/process.ts';

const LATE = new Error('late');
const toLate = () => LATE;
const never = () => new Promise<never>(() => undefined);

afterEach(() => {
  vi.restoreAllMocks();
});

test('what is answered in time is passed on, a rejection too', async () => {
  const deadlines = createDeadlines(60_000, toLate);
  await expect(deadlines.limit(async () => 'answer')).resolves.toBe('answer');
  await expect(deadlines.limit(() => Promise.reject(new Error('down')))).rejects.toThrow('down');
});

test('what takes too long is given up, after a call of onLate', async () => {
  const deadlines = createDeadlines(20, toLate);
  const heard: boolean[] = [];
  await expect(deadlines.limit(never, (call) => heard.push(call.isLate))).rejects.toBe(LATE);
  expect(heard).toEqual([true]);
});

test('the parts of one call share its time, and none is waited for after it', async () => {
  const deadlines = createDeadlines(30, toLate);
  const call = deadlines.begin();
  expect(await deadlines.settle(call, Promise.resolve('first'))).toBe('first');
  await expect(deadlines.settle(call, never())).rejects.toBe(LATE);
  await expect(deadlines.settle(call, never())).rejects.toBe(LATE);
  deadlines.finish(call);
});

test('each of many calls has its own deadline, whatever became of the others', async () => {
  const deadlines = createDeadlines(50, toLate);
  const ends: string[] = [];
  const begin = (name: string, make: () => Promise<unknown>): Promise<void> =>
    deadlines.limit(make).then(
      () => void ends.push(`${name} answered`),
      () => void ends.push(`${name} late`),
    );
  const first = [begin('a', never), begin('b', async () => 'b')];
  await pause(25);
  const second = [begin('c', never), begin('d', () => pause(1))];
  await Promise.all([...first, ...second]);
  expect(ends.sort()).toEqual(['a late', 'b answered', 'c late', 'd answered']);
});

test('a thousand calls take one timer', async () => {
  const deadlines = createDeadlines(60_000, toLate);
  const timers = vi.spyOn(globalThis, 'setTimeout');
  for (let time = 0; time < 1_000; time += 1) await deadlines.limit(async () => time);
  expect(timers).toHaveBeenCalledTimes(1);
});

test.each([
  ['a call that is never answered is waited for', 20, 'new Promise(() => {})', 'storage_unavailable'],
  ['a process is not kept alive by what was answered', 1e9, 'Promise.resolve()', 'DENY'],
])('%s', async (_, storageDeadlineMs, answer, outcome) => {
  const script = `
    import { createIdentityService } from 'agent-identity-service';
    const storage = { name: 'probe', get: (_, id) => (id.endsWith('first') ? Promise.resolve() : ${answer}), journal: { open: async () => true, file: async () => 'filed' } };
    const service = createIdentityService({ storage, storageDeadlineMs: ${storageDeadlineMs} });
    const ask = (name) => service.verify({ agent_id: 'did:web:example.com:agents:' + name, action: 'a' });
    await ask('first');
    console.log(await ask('second').then(({ verdict }) => verdict, ({ code }) => code));`;
  const { ended } = start(process.execPath, ['--input-type=module', '--eval', script], {
    cwd: process.cwd(),
  });
  expect(await ended).toMatchObject({ code: 0, stdout: `${outcome}\n` });
});

/** An answer that comes from outside while this process stands still until after the deadline. */
async function standStill(ask: (call: () => Promise<unknown>) => Promise<unknown>): Promise<unknown> {
  const shared = new Int32Array(new SharedArrayBuffer(4));
  const worker = new Worker(
    `const { parentPort, workerData } = require('node:worker_threads');
     parentPort.once('message', () => {
       parentPort.postMessage('answer');
       Atomics.store(workerData, 0, 1);
       Atomics.notify(workerData, 0);
     });
     parentPort.postMessage('ready');`,
    { eval: true, workerData: shared },
  );
  await once(worker, 'message');
  // After what is immediate come the timers, and only then what has arrived.
  await new Promise((resolve) => setImmediate(resolve));
  const answer = ask(async () => (await once(worker, 'message'))[0]);
  worker.postMessage('ask');
  Atomics.wait(shared, 0, 0);
  for (const end = performance.now() + 60; performance.now() < end; );
  return answer.finally(() => worker.terminate());
}

test('an answer that came while this process stood still counts', async () => {
  const deadlines = createDeadlines(20, toLate);
  expect(await standStill((call) => deadlines.limit(call))).toBe('answer');
});

test('so it does to the guard of a storage', async () => {
  const guard = createStorageGuard(20);
  expect(await standStill((call) => guard('get', call))).toBe('answer');
});
