import { afterEach, expect, test, vi } from 'vitest';
import { CIRCUIT_OPEN, createCircuitBreaker } from '../../../src/core/storage/storage-guard.ts';

const down = new Error('down');
const refused = new TypeError('refused');

afterEach(() => {
  vi.restoreAllMocks();
});

/** A breaker of three failures and 500 ms, whose time passes when the test says so. */
function stage() {
  let now = 0;
  vi.spyOn(performance, 'now').mockImplementation(() => now);
  let attempts = 0;
  const attempt = createCircuitBreaker({ failures: 3, probeMs: 500, isOutage: (error) => error === down });
  const tryWith = <Answer>(work: () => Promise<Answer>): Promise<unknown> =>
    attempt(() => {
      attempts += 1;
      return work();
    }).catch((error: unknown) => error);
  return {
    tryWith,
    fail: () => tryWith(() => Promise.reject(down)),
    succeed: () => tryWith(async () => 'answer'),
    pass: (ms: number) => {
      now += ms;
    },
    attempts: () => attempts,
  };
}

/** An answer that comes, or fails, when the test says so. */
function pending() {
  let resolve: (answer: string) => void = () => {};
  let reject: (error: unknown) => void = () => {};
  const answer = new Promise<string>((...settle) => {
    [resolve, reject] = settle;
  });
  return { answer, resolve: (text: string) => resolve(text), reject: (error: unknown) => reject(error) };
}

test('failures in a row open the circuit, and only those', async () => {
  const { fail, succeed, tryWith, attempts } = stage();
  await fail();
  await fail();
  expect(await succeed()).toBe('answer');
  await fail();
  expect(await tryWith(() => Promise.reject(refused))).toBe(refused);
  await fail();
  expect(await fail()).toBe(down);
  expect(await succeed()).toBe(CIRCUIT_OPEN);
  expect(attempts()).toBe(7);
});

test('one probe at a time closes it or opens it anew, and the others wait for its result', async () => {
  const { fail, succeed, tryWith, pass, attempts } = stage();
  for (let time = 0; time < 3; time += 1) await fail();
  pass(499);
  expect(await succeed()).toBe(CIRCUIT_OPEN);
  pass(1);
  const failing = pending();
  const probe = tryWith(() => failing.answer);
  const behind = [succeed(), succeed()];
  failing.reject(down);
  expect(await Promise.all([probe, ...behind])).toEqual([down, CIRCUIT_OPEN, CIRCUIT_OPEN]);
  pass(499);
  expect(await succeed()).toBe(CIRCUIT_OPEN);
  pass(1);
  const working = pending();
  const second = tryWith(() => working.answer);
  const others = [succeed(), succeed()];
  working.resolve('back');
  expect(await Promise.all([second, ...others])).toEqual(['back', 'answer', 'answer']);
  expect(attempts()).toBe(7);
});

test('what was begun before the outage does not end it, nor make it longer', async () => {
  const { fail, succeed, tryWith, pass } = stage();
  const [early, late] = [pending(), pending()];
  const begun = [tryWith(() => early.answer), tryWith(() => late.answer)];
  for (let time = 0; time < 3; time += 1) await fail();
  pass(400);
  early.resolve('late answer');
  late.reject(down);
  expect(await Promise.all(begun)).toEqual(['late answer', down]);
  expect(await succeed()).toBe(CIRCUIT_OPEN);
  pass(100);
  expect(await succeed()).toBe('answer');
});

test('a probe that fails otherwise, or throws at once, ends the outage as well', async () => {
  const { fail, succeed, tryWith, pass } = stage();
  for (let time = 0; time < 3; time += 1) await fail();
  pass(500);
  const throwing = () => {
    throw refused;
  };
  expect(await tryWith(throwing)).toBe(refused);
  expect(await succeed()).toBe('answer');
});
