import { expect, test } from 'vitest';
import { createIdSource, idPrefix } from '../../../src/base/bytes/counted-ids.ts';
import { createIntake } from '../../../src/core/journal/write/drains.ts';
import { createLanes } from '../../../src/core/journal/write/lanes.ts';
import { openBlock } from '../../../src/journal-format/index.ts';
import type { BudgetState, VerdictRecord } from '../../../src/records.ts';
import { recordOf } from '../../journal-format/records.ts';

function opened() {
  const lanes = createLanes(3, { onDrop: () => {}, lost: () => new Error('lost') });
  return { lanes, intake: createIntake(lanes) };
}

test('a record waits for 127 others, or until it is asked for', () => {
  const { lanes, intake } = opened();
  for (let count = 1; count < 128; count += 1) intake.push(recordOf(count), 'a', 1);
  expect(lanes.records()).toBe(0);
  intake.push(recordOf(128), 'a', 1);
  expect(lanes.records()).toBe(128);
  intake.push(recordOf(129), 'b', 1);
  intake.empty();
  expect(lanes.records()).toBe(129);
  intake.empty();
  expect(lanes.records()).toBe(129);
});

test('it reports that its records have filled a block', () => {
  const { intake } = opened();
  const full: number[] = [];
  for (let count = 1; count <= 8_704; count += 1) if (intake.push(recordOf(count), 'a', 1)) full.push(count);
  expect(full).toEqual([8_320]);
});

test('it takes the parts of a decision id from its source, and reads them from any other id', () => {
  const { lanes } = opened();
  const ids = createIdSource(idPrefix(recordOf(0).decision_id));
  const intake = createIntake(lanes, ids);
  const all = [recordOf(7), ...[0, 1, 2].map(() => recordOf(0, { decision_id: ids.next() }))];
  for (const record of all) intake.push(record, 'a', 1);
  intake.empty();
  lanes.seal();
  const view = openBlock((lanes.take()[0] as { readonly data: Uint8Array }).data);
  expect(all.map((_, place) => view.decisionId(place)).sort()).toEqual(
    all.map(({ decision_id }) => decision_id).sort(),
  );
});

test('what is changed after it was handed over changes nothing', () => {
  const { lanes, intake } = opened();
  const reason = { code: 'amount_over_limit', message: 'The amount is over the limit.', limit: '1' };
  const budget: BudgetState = {
    ...{ agent_id: 'did:web:example.com:agents:shopper', name: 'day', window: 'day' as const, limit: 100 },
    ...{ count: null, spent: 1, held: 0, remaining: 99, resets_at: '2026-11-21T00:00:00.000Z' },
  };
  const given = recordOf(1, { verdict: 'DENY', reasons: [reason], budgets: [{ ...budget }] });
  const asGiven: VerdictRecord = structuredClone(given);
  intake.push(given, 'a', 1);
  reason.limit = '2';
  (given.reasons as object[]).push({ code: 'x', message: 'y' });
  Object.assign(given.budgets[0] ?? {}, { spent: 7 });
  Object.assign(given, { action: 'other', amount: 7 });
  intake.empty();
  lanes.seal();
  const [block] = lanes.take();
  const view = openBlock((block as { readonly data: Uint8Array }).data);
  expect(view.record(0)).toEqual(asGiven);
});
