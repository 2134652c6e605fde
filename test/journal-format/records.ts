/** Verdict records for tests of blocks. */
import fc from 'fast-check';
import { idSpeller } from '../../src/base/bytes/counted-ids.ts';
import { readAmount } from '../../src/base/values/money.ts';
import type { TimedRecord } from '../../src/journal-format/index.ts';
import type { BudgetState, Reason, VerdictRecord } from '../../src/records.ts';

export const PREFIX: string = 'dec_0123456789abcdefgh';
/** Thumbprints of keys. */
export const KIDS: readonly string[] = [
  'kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k',
  'NzbLsXh8uDCcd-6MNwXF4W_7noWXFZAfHkxZsRGC9Xs',
];
/** Ids of traces. */
export const TRACES: readonly string[] = [
  '4bf92f3577b34da6a3ce929d0e0e4736',
  '00000000000000000000000000000001',
];
export const NOON: number = Date.parse('2026-11-20T12:00:00.000Z');

/** The record of a count, an ALLOW unless `changed` says otherwise. */
export function recordOf(count: number, changed: Partial<VerdictRecord> = {}): VerdictRecord {
  const reasons = changed.reasons ?? [];
  return {
    decision_id: idSpeller(PREFIX)(count),
    agent_id: 'did:web:shop.example:agents:shopper',
    action: 'payments.create',
    target: null,
    amount: 19.99,
    currency: 'EUR',
    passport_version: 1,
    environment: 'live',
    key_id: 'key_1',
    request_id: null,
    dry_run: false,
    trace_id: null,
    proof_kid: null,
    subject: null,
    approval_id: null,
    hold_seconds: null,
    verifier: null,
    permit_audience: null,
    ancestor_versions: null,
    budgets: [],
    evaluated_at: new Date(NOON).toISOString(),
    ...changed,
    verdict: reasons.length === 0 ? 'ALLOW' : 'DENY',
    reasons,
  };
}

/** Text as a database stores it. */
const text = fc.string({ unit: 'grapheme', maxLength: 12 }).map((value) => value.replaceAll('\0', ''));
const name = fc.oneof(fc.constantFrom('a', 'b', 'did:web:shop.example:agents:shopper', '__proto__'), text);
const amount = fc.oneof(
  fc.constantFrom(null, 0, 0.01, 19.99, 0.1 + 0.2, 1e15, '999999999999999.999999', 0.000001),
  fc.integer({ min: 0, max: 1e9 }).map((cents) => cents / 100),
  fc.integer({ min: 0, max: 1e9 }).map((millionths) => readAmount(`${millionths}.000001`)),
);
const fact = fc.oneof(
  text,
  fc.constantFrom(null, true, false, 0, -0.5, 1e300, '19.99', '"', 'null'),
  fc.integer(),
);
const reason: fc.Arbitrary<Reason> = fc
  .record({
    code: fc.constantFrom('agent_revoked', 'amount_over_limit', 'a'),
    message: fc.constantFrom('One.', 'Two.', ''),
    facts: fc.dictionary(fc.constantFrom('limit', 'actual', 'x', '1'), fact, { maxKeys: 3 }),
  })
  .map(({ facts, ...own }) => ({ ...facts, ...own }));

const instant = fc.constantFrom(null, '2026-12-01T00:00:00.000Z');
const budget: fc.Arbitrary<BudgetState> = fc.record({
  agent_id: fc.constantFrom('did:web:shop.example:agents:shopper', 'a'),
  name: fc.constantFrom('day', 'total'),
  window: fc.constantFrom('day', 'lifetime'),
  limit: amount,
  count: fc.option(fc.nat()),
  spent: fc.constantFrom(0, 19.99, '9007199254740.993'),
  held: fc.constantFrom(0, 5),
  remaining: fc.constantFrom(0, '0.000001'),
  resets_at: instant,
});
const usage = fc.constantFrom({ tokens: 0 }, { credits: 0.000001 }, { tokens: 1e12, credits: 19.99 });

/** A list of timed records, each with a count of its own, at most `spanMs` apart, in the order in which they were filed. */
export function timedRecords(spanMs: number, maxLength = 60): fc.Arbitrary<TimedRecord[]> {
  const one = fc.record({
    agent_id: name,
    action: name,
    target: fc.option(name),
    amount,
    currency: fc.constantFrom(null, 'EUR', 'USD'),
    passport_version: fc.oneof(fc.constantFrom(null, 1, 2), fc.nat()),
    environment: fc.constantFrom('live', 'test'),
    key_id: fc.option(name),
    request_id: fc.option(text, { freq: 3 }),
    trace_id: fc.option(fc.constantFrom(...TRACES), { freq: 3 }),
    proof_kid: fc.option(fc.constantFrom(...KIDS), { freq: 3 }),
    ancestor_versions: fc.option(fc.array(fc.integer({ min: 1, max: 9 }), { maxLength: 4 }), { freq: 3 }),
    subject: fc.option(fc.oneof(fc.constantFrom('a', 'user-4711'), text.filter(Boolean)), { freq: 3 }),
    approval_id: fc.option(fc.oneof(fc.constant('apr_1'), text.filter(Boolean)), { freq: 3 }),
    hold_seconds: fc.option(fc.integer({ min: 1, max: 604_800 }), { freq: 3 }),
    verifier: fc.option(fc.constantFrom('local', 'eu-1'), { freq: 3 }),
    permit_audience: fc.option(fc.constantFrom('https://pay.example', '=x,"'), { freq: 3 }),
    usage: fc.option(usage, { freq: 3 }),
    dry_run: fc.boolean(),
    budgets: fc.oneof({ weight: 3, arbitrary: fc.constant([]) }, fc.array(budget, { maxLength: 3 })),
    reasons: fc.oneof(fc.constant([]), fc.array(reason, { maxLength: 3 })),
    ms: fc.oneof(fc.nat(spanMs), fc.constantFrom(0, 1, spanMs)),
    step: fc.oneof(fc.constant(1), fc.nat(100_000)),
    bucket: fc.nat(255),
  });
  return fc.array(one, { maxLength }).map((rows) => {
    let count = 0;
    return rows.map(({ ms, step, bucket, environment, usage: used, ...changed }) => {
      count += step + 1;
      const evaluated_at = new Date(NOON + ms).toISOString();
      const more = used === null ? {} : { usage: used };
      const own = { ...changed, ...more, evaluated_at, environment: environment as 'live' | 'test' };
      return { record: recordOf(count, own), bucket };
    });
  });
}

/** As blocks order them. */
export function inOrder(records: readonly TimedRecord[]): TimedRecord[] {
  const key = ({ record }: TimedRecord) => `${record.evaluated_at} ${record.decision_id}`;
  return [...records].sort((a, b) => (key(a) < key(b) ? -1 : 1));
}
