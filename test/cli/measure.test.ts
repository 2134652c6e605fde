import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { type Measured, measureSubject } from '../../adapters/cli/bench/measure.ts';
import { reportOf, reportText } from '../../adapters/cli/bench/report.ts';
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

test('records that were dropped before the measuring are not counted, and nothing where that cannot be known', async () => {
  const answer = () => ({ verdict: 'ALLOW' });
  const counts = [5, 12];
  const countDropped = async () => counts.shift() ?? 0;
  expect((await measure(subjectOf(answer, { countDropped }), 1)).recordsDropped).toBe(7);
  expect((await measure(subjectOf(answer), 1)).recordsDropped).toBeNull();
});

test.each([
  [null, false, false],
  [0, true, false],
  [1_234, true, true],
])('of %j records dropped a person is told', async (recordsDropped, isShown, isNoted) => {
  const measured = await measure(
    subjectOf(() => ({ verdict: 'ALLOW' })),
    1,
  );
  const asked = { target: 'a subject', passports: 1, connections: 1, doubts: [] };
  const text = reportText(reportOf({ ...measured, recordsDropped }, asked));
  expect(text.includes('records_dropped')).toBe(isShown);
  expect(text.includes('Not recorded: 1,234 verdicts')).toBe(isNoted);
});
