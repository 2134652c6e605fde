import { createHistogram } from 'node:perf_hooks';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { type Load, type Measured, measureSubject } from '../../adapters/cli/bench/measure.ts';
import { doubts } from '../../adapters/cli/bench/noise.ts';
import { reportOf, reportText } from '../../adapters/cli/bench/report.ts';
import type { Subject } from '../../adapters/cli/bench/subject.ts';

/** Milliseconds; it goes on a little whenever it is looked at, and by what an answer takes. */
let clock: number;
const LOOK_MS = 0.005;
/** What is asked before the measuring, at 1,000 a second. */
const WARM_UP = 500;

beforeEach(() => {
  clock = 0;
  vi.spyOn(performance, 'now').mockImplementation(() => {
    clock += LOOK_MS;
    return clock;
  });
});

afterEach(() => {
  vi.restoreAllMocks();
});

const intent = { agent_id: 'did:web:a.example:agents:b', action: 'orders.get' };

function subjectOf(ask: () => { readonly verdict: string }, more: Partial<Subject> = {}): Subject {
  return {
    label: 'a subject of the test',
    questions: [{ intent }],
    isInProcess: true,
    ask: async () => ask(),
    close: async () => {},
    ...more,
  };
}

function measure(subject: Subject, connections: number, more: Partial<Load> = {}): Promise<Measured> {
  return measureSubject(subject, {
    connections,
    seconds: 1,
    stop: new Promise(() => {}),
    onSecond: () => {},
    ...more,
  });
}

/** A subject that answers in 0.1 ms. */
function steadySubject(more: Partial<Subject> = {}): Subject {
  const ask = () => {
    clock += 0.1;
    return { verdict: 'ALLOW' };
  };
  return subjectOf(ask, more);
}

/** A subject that answers in 0.1 ms, but for one question. */
function stallingSubject(stallAt: number, stallMs: number): Subject {
  let asked = 0;
  return subjectOf(() => {
    asked += 1;
    clock += asked === stallAt ? stallMs : 0.1;
    return { verdict: 'ALLOW' };
  });
}

test('the event loop comes around about every millisecond, however many ask in this process', async () => {
  let sinceTurn = 0;
  let most = 0;
  let isOver = false;
  const turn = (): void => {
    sinceTurn = 0;
    if (!isOver) setImmediate(turn);
  };
  setImmediate(turn);
  const subject = subjectOf(() => {
    clock += 0.05;
    sinceTurn += 1;
    most = Math.max(most, sinceTurn);
    return { verdict: 'ALLOW' };
  });
  const { verdicts } = await measure(subject, 64);
  isOver = true;
  expect(verdicts).toBeGreaterThan(10_000);
  // Each of them once at the start, and those that had begun when the millisecond was over.
  expect(most).toBeLessThanOrEqual(3 * 64);
});

test('records that were dropped before the measuring are not counted, and nothing where that cannot be known', async () => {
  const counts = [5, 12];
  const countDropped = async () => counts.shift() ?? 0;
  expect((await measure(steadySubject({ countDropped }), 1)).recordsDropped).toBe(7);
  expect((await measure(steadySubject(), 1)).recordsDropped).toBeNull();
});

test.each([
  [null, false, false],
  [0, true, false],
  [1_234, true, true],
])('of %j records dropped a person is informed', async (recordsDropped, isShown, isNoted) => {
  const measured = await measure(steadySubject(), 1);
  const known = { doubts: [], limit_per_minute: null, version: '1.2.3' };
  const asked = { target: 'a subject', passports: 1, connections: 1, rate: null, ...known };
  const text = reportText(reportOf({ ...measured, recordsDropped }, asked));
  expect(text.includes('records_dropped')).toBe(isShown);
  expect(text.includes('Not recorded: 1,234 verdicts')).toBe(isNoted);
});

test('at a rate all that was due while the service stood still has waited', async () => {
  const { latency, late, verdicts, perSecond } = await measure(stallingSubject(WARM_UP + 100, 200), 1, {
    rate: 1_000,
  });
  expect(verdicts).toBe(1_000);
  expect(perSecond).toEqual([1_000]);
  // Of the 1,000 some 220 were due in that time or behind those: one in ten waited for half of it.
  expect(latency.percentile(89)).toBeGreaterThan(90e6);
  expect(latency.percentile(70)).toBeLessThan(1e6);
  // That is nothing this tool was late by.
  expect(late?.max).toBeLessThan(1e6);
});

test('without a rate only the one question that was under way has waited', async () => {
  const { latency, late } = await measure(stallingSubject(6_000, 200), 1);
  expect(latency.percentile(99)).toBeLessThan(1e6);
  expect(latency.max).toBeGreaterThan(200e6);
  expect(late).toBeNull();
});

test('at a rate no more are under way than there are connections', async () => {
  let underWay = 0;
  let most = 0;
  const ask = async () => {
    underWay += 1;
    most = Math.max(most, underWay);
    for (let turn = 0; turn < 20; turn += 1) await nextTurn();
    clock += 10;
    underWay -= 1;
    return { verdict: 'ALLOW' };
  };
  const { verdicts } = await measure(
    subjectOf(() => ({ verdict: '' }), { ask }),
    4,
    { rate: 1_000 },
  );
  expect(most).toBe(4);
  // What was due and not asked for in time is left out.
  expect(verdicts).toBeLessThan(500);
});

test('at a rate it ends at once on a signal', async () => {
  let stop = () => {};
  const stopped = new Promise<void>((resolve) => {
    stop = resolve;
  });
  let asked = 0;
  const subject = subjectOf(() => {
    asked += 1;
    if (asked === WARM_UP + 100) stop();
    return { verdict: 'ALLOW' };
  });
  expect((await measure(subject, 8, { rate: 1_000, seconds: 3_600, stop: stopped })).verdicts).toBe(100);
});

test('a tool that is late itself by half of what it found is not to be believed', () => {
  const quiet = { load: 0, idleDelayMs: 0, stolen: 0, all: 0 };
  const of = (ms: number) => {
    const histogram = createHistogram();
    histogram.record(ms * 1e6);
    return histogram;
  };
  const told = (lateMs: number) => doubts(quiet, { perSecond: [1], latency: of(10), late: of(lateMs) });
  expect(told(6)).toContainEqual(expect.stringMatching(/asked 6\.0 ms late by this tool/));
  expect(told(4)).not.toContainEqual(expect.stringContaining('late by this tool'));
});
