/** Blocks whose bytes are kept in `golden/`: their records and drops. */
import { idSpeller } from '../../src/base/bytes/counted-ids.ts';
import type { Drop, OutcomeReport, TimedRecord } from '../../src/journal-format/index.ts';
import type { VerdictRecord } from '../../src/records.ts';
import { KIDS, NOON, PREFIX, recordOf, TRACES } from './records.ts';

interface Golden {
  readonly records: readonly TimedRecord[];
  readonly drops: readonly Drop[];
}

const OVER = { code: 'amount_over_limit', message: 'The amount is over the limit.', limit: '100' };
const REVOKED = {
  code: 'agent_revoked',
  message: 'The agent is revoked.',
  since: '2026-11-20T11:59:59.000Z',
};
const NOT_FOUND = { code: 'agent_not_found', message: 'There is no such agent.' };
const OWN = {
  code: 'own_rule',
  message: 'Own.',
  number: 1.5,
  yes: true,
  no: false,
  nothing: null,
  text: '\u{1f600}',
};

/** The record of a count that was made the given milliseconds after noon. */
function made(count: number, ms: number, changed: Partial<VerdictRecord> = {}): VerdictRecord {
  return recordOf(count, { ...changed, evaluated_at: new Date(NOON + ms).toISOString() });
}

const MIXED: readonly TimedRecord[] = [
  { bucket: 0, record: made(7, 5, { amount: 250, reasons: [{ ...OVER, actual: '250' }] }) },
  {
    bucket: 40,
    record: made(8, 2, { amount: 0.000001, passport_version: 3, key_id: null, target: 'did:web:a.example' }),
  },
  { bucket: 191, record: made(9, 3_599_999, { environment: 'test', dry_run: true, action: 'größe.messen' }) },
  { bucket: 16, record: made(10, 5, { passport_version: null, request_id: 'req-1', reasons: [NOT_FOUND] }) },
  {
    bucket: 17,
    record: made(11, 6, {
      amount: '999999999999999.999999',
      currency: 'USD',
      reasons: [REVOKED, { ...OVER, actual: '100' }],
    }),
  },
  { bucket: 17, record: made(300_000, 6, { request_id: 'x', passport_version: 2 ** 40, reasons: [OWN] }) },
];

/** How a budget of the agent stood, and one of another agent that counts intents. */
function budgets(spent: number): VerdictRecord['budgets'] {
  const day = {
    name: 'day',
    window: 'day',
    limit: 100,
    count: null,
    resets_at: '2026-11-21T00:00:00.000Z',
  } as const;
  const often = {
    name: 'often',
    window: 'lifetime',
    limit: null,
    count: 1_000_000_000,
    resets_at: null,
  } as const;
  return [
    { ...day, agent_id: recordOf(0).agent_id, spent, held: '0.000001', remaining: 100 - spent },
    { ...often, agent_id: 'did:web:a.example:agents:größe', spent: 3, held: 1, remaining: 999_999_996 },
  ];
}

const USAGES: readonly (VerdictRecord['usage'] | undefined)[] = [
  undefined,
  { tokens: 1_200 },
  { credits: 0.25 },
  { tokens: 0, credits: 1e12 },
];
const METERED: VerdictRecord['budgets'][number] = {
  ...{ agent_id: recordOf(0).agent_id, name: 'tokens', window: 'day', limit: 2_000, count: null },
  ...{ spent: 1_200, held: 0, remaining: 800, resets_at: '2026-11-21T00:00:00.000Z', unit: 'tokens' },
};

/** The subject that was erased of the block `erased`. */
export const ERASED_SUBJECT: string = 'user-4711';
const SUBJECTS: readonly (string | null)[] = [null, 'user-4711', 'größe \u{1f600}', 'user-4711', null, 'b'];

/** Blocks that the release before wrote too, without the column of approvals, by the names of their files. */
export const BEFORE: Readonly<Record<string, Golden>> = {
  allowed: {
    records: Array.from({ length: 12 }, (_, n) => ({ bucket: n % 3, record: made(n, Math.floor(n / 4)) })),
    drops: [],
  },
  // The clock goes back, and all columns are there.
  mixed: { records: MIXED, drops: [{ at_ms: NOON - 86_400_000, environment: 'test', count: 1 }] },
  proved: {
    records: Array.from({ length: 6 }, (_, n) => ({
      bucket: n,
      record: made(n, n, { proof_kid: n % 3 === 0 ? null : (KIDS[n % 2] ?? null) }),
    })),
    drops: [],
  },
  // An ALLOW that took from two budgets, from one, and from none.
  budgets: {
    records: Array.from({ length: 6 }, (_, n) => ({
      bucket: n,
      record: made(n, n, { budgets: budgets(n).slice(0, n % 3) }),
    })),
    drops: [],
  },
  // None, another one, and the same again.
  traced: {
    records: [null, 0, 0, 1, null, 0].map((trace, n) => ({
      bucket: n,
      record: made(n, n, { trace_id: trace === null ? null : (TRACES[trace] ?? null) }),
    })),
    drops: [],
  },
  // Two bytes for the number of an agent.
  names: {
    records: Array.from({ length: 300 }, (_, n) => {
      const names = { agent_id: `did:web:a.example:agents:a${n}`, action: `actions.number-${n % 7}` };
      return { bucket: 5, record: made(2 * n, n, names) };
    }),
    drops: [],
  },
  drops: {
    records: [],
    drops: [
      { at_ms: NOON, environment: 'live', count: 3 },
      { at_ms: NOON + 3_600_000, environment: 'test', count: 2 ** 40 },
    ],
  },
};

/** By the names of their files: those of the release before, and the columns that are new. */
export const GOLDEN: Readonly<Record<string, Golden>> = {
  ...BEFORE,
  // None, one that was named twice, and one of a text of the caller.
  approved: {
    records: [null, 'apr_1', 'apr_1', 'größe', null].map((approval_id, n) => ({
      bucket: n,
      record: made(n, n, { approval_id }),
    })),
    drops: [],
  },
  held: {
    records: [null, 1, 600, 604_800, null].map((hold_seconds, n) => ({
      bucket: n,
      record: made(n, n, { hold_seconds }),
    })),
    drops: [],
  },
  // None, one that occurs twice, and another.
  verified: {
    records: [null, 'local', 'local', 'eu-1', null].map((verifier, n) => ({
      bucket: n,
      record: made(n, n, { verifier }),
    })),
    drops: [],
  },
  permitted: {
    records: [null, 'https://pay.example', 'https://pay.example', 'x', null].map((permit_audience, n) => ({
      bucket: n,
      record: made(n, n, { permit_audience }),
    })),
    drops: [],
  },
  // None, each unit alone, both, and a record whose budget has a unit.
  metered: {
    records: USAGES.map((usage, n) => ({
      bucket: n,
      record: made(n, n, usage === undefined ? {} : { usage, budgets: [METERED] }),
    })),
    drops: [],
  },
  subjects: {
    records: SUBJECTS.map((subject, n) => ({ bucket: n, record: made(n, n, { subject }) })),
    drops: [],
  },
  // The same, after one of them was erased.
  erased: {
    records: SUBJECTS.map((subject, n) => ({
      bucket: n,
      record: made(n, n, subject === ERASED_SUBJECT ? { subject: null, subject_erased: true } : { subject }),
    })),
    drops: [],
  },
};

/** The reports of the block `outcomes`: each outcome, with and without a code, of two agents, environments and keys. */
export const REPORTS: readonly OutcomeReport[] = (
  ['succeeded', 'failed', 'not_attempted', 'unknown', 'failed'] as const
).map((outcome, n) => ({
  decision_id: idSpeller(PREFIX)(3 * n),
  evaluated_ms: NOON + 100 * n,
  agent_id: `did:web:a.example:agents:${n % 2 === 0 ? 'a' : 'größe'}`,
  outcome,
  code: outcome === 'failed' ? 'timeout' : null,
  reported_ms: NOON + 100 * n + (n === 4 ? 604_800_000 : n),
  environment: n === 3 ? 'test' : 'live',
  key_id: n === 2 ? null : 'key_1',
}));
