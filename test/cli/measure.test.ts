import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { type Measured, measureSubject } from '../../adapters/cli/bench/measure.ts';
import type { Subject } from '../../adapters/cli/bench/subject.ts';

/** Milliseconds; it goes on by a microsecond whenever it is looked at, and by what an answer takes. */
let clock: number;
const LOOK_MS = 0.001;

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

function measure(subject: Subject, connections: number): Promise<Measured> {
  return measureSubject(subject, {
    connections,
    seconds: 1,
    stop: new Promise(() => {}),
    onSecond: () => {},
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
  // Each of them once at the start, and whoever had begun when the millisecond was over.
  expect(most).toBeLessThanOrEqual(3 * 64);
});
