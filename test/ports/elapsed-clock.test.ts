import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createElapsedClock } from '../../src/ports/elapsed-clock.ts';

const HOUR = 3_600_000;

/** A machine: the true time, its wall clock, and a steady clock that stands still in a sleep. */
function machine(driftPpm = 0) {
  let truly = 0;
  let steady = 5_000;
  let wall = Date.UTC(2026, 10, 20);
  let looks = 0;
  const clock = createElapsedClock({
    now() {
      looks += 1;
      return wall;
    },
    monotonic: () => steady,
  });
  const pass = (ms: number) => {
    truly += ms;
    wall += ms * (1 + driftPpm / 1e6);
  };
  return {
    clock,
    looks: () => looks,
    truly: () => truly,
    steady: () => steady,
    wake(ms: number) {
      pass(ms);
      steady += ms;
    },
    sleep: pass,
    set(ms: number) {
      wall += ms;
    },
  };
}

describe('what has elapsed', () => {
  test('counts an hour asleep, of which the steady clock knows nothing', () => {
    const { clock, wake, sleep } = machine();
    const before = clock.elapsed();
    sleep(HOUR);
    expect(clock.elapsed() - before).toBe(HOUR);
    wake(50);
    expect(clock.elapsed() - before).toBe(HOUR + 50);
  });

  test('adds up many short sleeps', () => {
    const { clock, wake, sleep } = machine();
    const before = clock.elapsed();
    for (let times = 0; times < 20; times += 1) {
      sleep(50);
      wake(1);
      clock.elapsed();
    }
    expect(clock.elapsed() - before).toBeGreaterThanOrEqual(20 * 51 - 100);
  });

  test('is that of the steady clock while the wall clock is set back', () => {
    const { clock, wake, set, sleep } = machine();
    const before = clock.elapsed();
    set(-HOUR);
    wake(10);
    expect(clock.elapsed() - before).toBe(10);
    // From then on as before.
    sleep(HOUR);
    expect(clock.elapsed() - before).toBe(HOUR + 10);
  });

  test('counts a wall clock that is set forward once, like a sleep', () => {
    const { clock, wake, set } = machine();
    const before = clock.elapsed();
    set(HOUR);
    wake(10);
    expect(clock.elapsed() - before).toBe(HOUR + 10);
    wake(10);
    expect(clock.elapsed() - before).toBe(HOUR + 20);
  });

  test('goes on after a wall clock that said no time at all', () => {
    let wall = Number.NaN;
    const clock = createElapsedClock({ now: () => wall, monotonic: () => 0 });
    clock.elapsed();
    wall = 0;
    const before = clock.elapsed();
    wall = Number.NaN;
    expect(clock.elapsed()).toBe(before);
    wall = HOUR;
    expect(clock.elapsed() - before).toBe(HOUR);
  });

  test('is by the clocks of the system without others', () => {
    const clock = createElapsedClock();
    const before = performance.now();
    const at = clock.elapsed();
    expect(at).toBeGreaterThanOrEqual(before);
    expect(at).toBeLessThanOrEqual(performance.now());
  });
});

describe('the present', () => {
  test('is that of the last look at both clocks, and read anew for an earlier one', () => {
    const { clock, looks, wake } = machine();
    const first = clock.elapsed();
    const present = clock.presentOf(first);
    expect(looks()).toBe(1);
    wake(5);
    expect(clock.presentOf(first)).toBe(present);
    const second = clock.elapsed();
    expect(clock.presentOf(second)).toBe(present + 5);
    expect(looks()).toBe(2);
    wake(5);
    expect(clock.presentOf(first)).toBe(present + 10);
    expect(looks()).toBe(3);
  });

  test('is not needed for how long something took', () => {
    const { clock, looks, wake, sleep } = machine();
    const before = clock.elapsed();
    sleep(HOUR);
    clock.elapsed();
    wake(7);
    expect(clock.tookMs(before)).toBe(HOUR + 7);
    expect(looks()).toBe(2);
  });
});

const step = fc.oneof(
  fc.record({ kind: fc.constant('wake'), ms: fc.integer({ min: 0, max: 1_000 }) }),
  fc.record({ kind: fc.constant('sleep'), ms: fc.integer({ min: 0, max: 90 }) }),
  fc.record({ kind: fc.constant('sleep'), ms: fc.integer({ min: 90, max: HOUR }) }),
  fc.record({ kind: fc.constant('set'), ms: fc.integer({ min: -HOUR, max: HOUR }) }),
);
const histories = fc.record({
  steps: fc.array(step, { maxLength: 60 }),
  driftPpm: fc.integer({ min: -500, max: 500 }),
});

describe('against the true time', () => {
  test('it never runs late by more than 100 ms and the drift between two times that the clock is set back', () => {
    fc.assert(
      fc.property(histories, ({ steps, driftPpm }) => {
        const one = machine(driftPpm);
        let span = [{ elapsed: one.clock.elapsed(), truly: one.truly() }];
        for (const { kind, ms } of steps) {
          if (kind === 'wake') one.wake(ms);
          else if (kind === 'sleep') one.sleep(ms);
          else one.set(ms);
          const now = { elapsed: one.clock.elapsed(), truly: one.truly() };
          expect(now.elapsed).toBeGreaterThanOrEqual(span.at(-1)?.elapsed ?? 0);
          if (kind === 'set' && ms < 0) span = [];
          for (const { elapsed, truly } of span) {
            const drifted = ((now.truly - truly) * Math.abs(driftPpm)) / 1e6;
            expect(now.elapsed - elapsed).toBeGreaterThanOrEqual(now.truly - truly - drifted - 101);
          }
          span.push(now);
        }
      }),
      { seed: 20261124, numRuns: 1_000 },
    );
  });

  test('it runs ahead only by what the clock was set forward, and the drift', () => {
    fc.assert(
      fc.property(histories, ({ steps, driftPpm }) => {
        const one = machine(driftPpm);
        const before = one.clock.elapsed();
        let forward = 0;
        for (const { kind, ms } of steps) {
          if (kind === 'wake') one.wake(ms);
          else if (kind === 'sleep') one.sleep(ms);
          else one.set(ms);
          if (kind === 'set') forward += Math.max(0, ms);
          const most = one.truly() * (1 + Math.abs(driftPpm) / 1e6) + forward;
          expect(one.clock.elapsed() - before).toBeLessThanOrEqual(most + 1);
        }
      }),
      { seed: 20261124, numRuns: 1_000 },
    );
  });
});
