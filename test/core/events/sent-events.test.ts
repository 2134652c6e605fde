import { expect, test } from 'vitest';
import { createSentEvents } from '../../../src/core/events/backlog.ts';
import { toGap } from '../../../src/core/events/event-records.ts';

test('an event that was found twice is sent once, at once or later', () => {
  const sent = createSentEvents(0);
  const [first, second] = [toGap(1_000), toGap(2_000)];
  expect(sent.fresh([first, second, first])).toEqual([first, second]);
  expect(sent.fresh([second, first])).toEqual([]);
  expect(sent.lastMs).toBe(2_000);
});

test('the event that a stream goes on after is not sent again, however many come between', () => {
  const [named, other] = [toGap(1_000), toGap(2_000)];
  const sent = createSentEvents(0, named.id);
  expect(sent.fresh([named, other])).toEqual([other]);
  const many = Array.from({ length: 30_000 }, (_, at) => toGap(3_000 + at));
  expect(sent.fresh(many)).toHaveLength(30_000);
  expect(sent.fresh([named])).toEqual([]);
});
