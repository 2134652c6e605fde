import { expect, test } from 'vitest';
import { replaySentences } from '../../adapters/dashboard/app/text/replay-words.ts';
import type { PassportReplay } from '../../src/types.ts';

const QUIET: PassportReplay = {
  change: null,
  covered: { from: '2026-11-01T00:00:00.000Z', to: '2026-11-24T00:00:00.000Z', records: 0, complete: true },
  ...{ judged: 1, unchanged: 1, now_denied: 0, now_allowed: 0, unknown: {} },
  by_change: { now_denied: 0, now_allowed: 0 },
  ...{ reasons: [], examples: [], dropped: 0 },
  used: { unused: { allowed_actions: [], allowed_targets: [] }, highest_amount: null },
};

test('a replay without turns is one sentence', () => {
  expect(replaySentences(QUIET)).toEqual(['Of 1 verdict this change alone denies 0 and allows 0.']);
});

test('turns, people that would be asked, what cannot be told, and what is missing are said', () => {
  const replay: PassportReplay = {
    ...QUIET,
    covered: { ...QUIET.covered, complete: false },
    ...{ judged: 12_034, by_change: { now_denied: 41, now_allowed: 3 }, dropped: 2 },
    reasons: [{ code: 'approval_required', count: 12 }],
    unknown: { parameters: 118, given_back: 1 },
  };
  const n = (value: number): string => value.toLocaleString();
  expect(replaySentences(replay)).toEqual([
    `Of ${n(12_034)} verdicts this change alone denies 41 and allows 3.`,
    '12 of the denied intents would ask a person.',
    '118 are unknown: a rule of the application reads parameters that are not recorded.',
    '1 are unknown: an amount was refunded to the budget around that moment.',
    'Older verdicts of this time were not read.',
    '2 records of the account are reported lost in this time.',
  ]);
});
