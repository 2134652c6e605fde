import { expect, test } from 'vitest';
import { evaluate, isOfTime, type Note, RECOVERY_PROBLEM, type Row } from './evaluate.mjs';

const REVOKED_AT = 900;
const row: Omit<Row, 'notes'> = {
  revoked: [new Map([['gone', REVOKED_AT]])],
  onset: 1_000,
  undone: 9_000,
  lagMs: 0,
  away: { verdicts: 'none', writes: 'none', ready: 'none' },
};

const refused: Note = {
  ...{ target: 'serve', question: 'good', agent_id: 'good', codes: [] },
  ...{ startedAt: 3_000, endedAt: 3_100, outcome: 'unavailable' },
};

/** The problems of one answer next to a right one. */
function problemsOf(note: Partial<Note>, other: Partial<Row> = {}): string[] {
  return evaluate({ ...row, ...other, notes: [refused, { ...refused, ...note }] });
}

test('a refusal in time is no problem, before the fault nothing but a wrong answer is', () => {
  expect(problemsOf({})).toEqual([]);
  expect(problemsOf({ outcome: 'ALLOW', startedAt: 500, endedAt: 510 })).toEqual([]);
});

const WRONG: readonly (readonly [string, Partial<Note>])[] = [
  ['wrong ALLOW', { question: 'unknown', outcome: 'ALLOW' }],
  ['wrong ALLOW', { question: 'over', outcome: 'ALLOW' }],
  ['wrong ALLOW', { question: 'revoked', agent_id: 'gone', outcome: 'ALLOW', startedAt: REVOKED_AT + 1_001 }],
  ['known agent not found', { outcome: 'DENY', codes: ['agent_not_found'] }],
  ['neither 200 nor 503', { outcome: 'strange' }],
  ['neither 200 nor 503', { question: 'create', outcome: 'running' }],
  ['wrong verdict', { outcome: 'DENY', codes: ['agent_suspended'] }],
  ['wrong verdict', { question: 'spend', outcome: 'DENY', codes: ['budget_exceeded'] }],
  ['wrong verdict', { question: 'over', outcome: 'DENY', codes: ['agent_suspended'] }],
  ['later than 2000 ms', { endedAt: 5_001 }],
  ['verdict after 800 ms', { outcome: 'ALLOW' }],
  ['verdict after 800 ms', { question: 'unknown', outcome: 'DENY', codes: ['agent_not_found'] }],
  ['acknowledged without its store', { question: 'revoke again', outcome: 'done' }],
  ['acknowledged write', { question: 'create', outcome: 'done', startedAt: 1_000 }],
  ['acknowledged write', { question: 'spend', outcome: 'ALLOW', startedAt: 1_000 }],
  ['ready without its store', { question: 'ready', outcome: 'done' }],
  ['not live', { question: 'live', outcome: 'unavailable' }],
];

test.each(WRONG)('it sees: %s', (problem, note) => {
  expect(problemsOf(note).map((text) => text.replace(/^1 x | \(.*$/g, ''))).toContain(problem);
});

test.each(['spend', 'spend again'])('a %s may find the other request under its key under way', (question) => {
  expect(problemsOf({ question, outcome: 'running' })).toEqual([]);
});

test('a cached verdict may outlive its store for 800 ms, and a revocation be unheard of for a second', () => {
  expect(problemsOf({ outcome: 'ALLOW', startedAt: 1_799 })).toEqual([]);
  const cached: Partial<Note> = { question: 'revoked', agent_id: 'gone', outcome: 'ALLOW', startedAt: 1_799 };
  expect(problemsOf(cached)).toEqual([]);
});

test('a fault that refuses some writes has to refuse one', () => {
  const away = { writes: 'some refused' } as const;
  expect(problemsOf({ question: 'create', outcome: 'done' }, { away })).toEqual(['no write was refused']);
  expect(problemsOf({ question: 'create', outcome: 'unavailable' }, { away })).toEqual([]);
});

test('a row without answers shows nothing', () => {
  expect(evaluate({ ...row, notes: [] })).toEqual(['nothing was answered']);
});

test('only what a busy machine can cause is tried again', () => {
  const [late] = problemsOf({ endedAt: 5_001 });
  expect([RECOVERY_PROBLEM, late ?? ''].map(isOfTime)).toEqual([true, true]);
  const others = WRONG.filter(([problem]) => !problem.startsWith('later')).flatMap(([, note]) =>
    problemsOf({ endedAt: (note.startedAt ?? 3_000) + 100, ...note }),
  );
  expect(others.filter(isOfTime)).toEqual([]);
  expect(['the node died', 'memory grew too much', '2 acknowledged passports lost'].filter(isOfTime)).toEqual(
    [],
  );
});
