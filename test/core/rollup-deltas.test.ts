import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { idSpeller } from '../../src/base/bytes/counted-ids.ts';
import { bucketStart, coarseLatency, latencyBucket } from '../../src/core/journal/latency.ts';
import { createRollupWriter, sumDeltas } from '../../src/core/journal/merge/rollups.ts';
import { foldBlock, openBlock, packRecords } from '../../src/journal-format/index.ts';
import type { RollupDelta, RollupKind } from '../../src/ports/index.ts';
import type { VerdictRecord } from '../../src/records.ts';
import { PREFIX } from '../journal-format/records.ts';
import '../support/seed.ts';

const PLACES: Readonly<Partial<Record<RollupKind, number>>> = { action: 100, agent: 100, reason: 100 };
const DENIED_PLACES = 50;

/** A record as the textbook counts it. */
type JournalEntry = Omit<VerdictRecord, 'decision_id' | 'evaluated_at'> & {
  readonly account_id: string;
  readonly created_at: string;
};

interface Filed {
  readonly entry: JournalEntry;
  readonly latencyUs: number;
}

interface Group {
  readonly entry: JournalEntry;
  readonly agent_id: string;
  readonly counts: Map<RollupKind, Map<string, number>>;
  readonly allowed: Set<string>;
}

/** The deltas of batch after batch, each in one minute, as slow and plain as can be. It forgets no name of a day. */
function textbook(): (batch: readonly Filed[]) => RollupDelta[] {
  const admitted = new Map<string, Set<string>>();
  let day: string | undefined;
  return (batch) => {
    const [first] = batch;
    if (first?.entry.created_at.slice(0, 10) !== day) admitted.clear();
    day = first?.entry.created_at.slice(0, 10);
    const groups = new Map<string, Group>();
    for (const { entry, latencyUs } of batch.filter((filed) => !filed.entry.dry_run)) {
      const isKnown = entry.passport_version !== null;
      for (const agent_id of isKnown ? ['', entry.agent_id] : ['']) {
        const id = JSON.stringify([entry.account_id, entry.environment, minuteOf(entry), agent_id]);
        const group = groups.get(id) ?? { entry, agent_id, counts: new Map(), allowed: new Set() };
        groups.set(id, group);
        if (entry.verdict === 'ALLOW') group.allowed.add(entry.action);
        const bucket = latencyBucket(latencyUs);
        const latency = agent_id === '' ? bucketStart(bucket) : coarseLatency(bucket);
        addOne(group, 'verdict', entry.verdict);
        addOne(group, 'action', entry.action);
        addOne(group, 'latency', String(latency));
        for (const { code } of entry.reasons) addOne(group, 'reason', code);
        if (agent_id === '') addOne(group, 'agent', isKnown ? entry.agent_id : '');
      }
    }
    return [...groups.values()].flatMap((group) =>
      [...group.counts].flatMap(([kind, counts]) =>
        expand(group, kind, bound(admitted, group, kind, counts)),
      ),
    );
  };
}

function minuteOf({ created_at }: JournalEntry): string {
  return `${created_at.slice(0, 16)}:00.000Z`;
}

function addOne({ counts }: Group, kind: RollupKind, key: string): void {
  const ofKind = counts.get(kind) ?? new Map<string, number>();
  counts.set(kind, ofKind.set(key, (ofKind.get(key) ?? 0) + 1));
}

/** The most frequent names first, each in its place, the others under the empty name. */
function bound(
  admitted: Map<string, Set<string>>,
  { entry, agent_id, allowed }: Group,
  kind: RollupKind,
  counts: ReadonlyMap<string, number>,
): ReadonlyMap<string, number> {
  const places = PLACES[kind];
  if (places === undefined) return counts;
  const id = JSON.stringify([entry.account_id, entry.environment, agent_id, kind]);
  const names = admitted.get(id) ?? new Set<string>();
  admitted.set(id, names);
  const bounded = new Map<string, number>();
  for (const [name, count] of [...counts].sort(([one, a], [other, b]) => b - a || (one < other ? -1 : 1))) {
    const most = kind === 'action' && !allowed.has(name) ? DENIED_PLACES : places;
    if (name !== '' && names.size < most) names.add(name);
    const key = names.has(name) ? name : '';
    bounded.set(key, (bounded.get(key) ?? 0) + count);
  }
  return bounded;
}

function expand(group: Group, kind: RollupKind, counts: ReadonlyMap<string, number>): RollupDelta[] {
  const { account_id, environment } = group.entry;
  const minute = minuteOf(group.entry);
  return [...counts].map(([key, count]) => {
    return { account_id, environment, minute, agent_id: group.agent_id, kind, key, count };
  });
}

/** The stretches of the batch that lie in one minute. */
function byMinute(batch: readonly Filed[]): readonly (readonly Filed[])[] {
  const runs: Filed[][] = [];
  let minute: string | undefined;
  for (const filed of batch.filter(({ entry }) => !entry.dry_run)) {
    if (minuteOf(filed.entry) !== minute) runs.push([]);
    minute = minuteOf(filed.entry);
    runs.at(-1)?.push(filed);
  }
  return runs;
}

/** The same text for the same deltas, in whatever order they and their fields come. */
function asMultiset(deltas: readonly RollupDelta[]): readonly string[] {
  return deltas
    .map((of) => {
      const { account_id, environment, minute, agent_id, kind, key, count } = of;
      return JSON.stringify([account_id, environment, minute, agent_id, kind, key, count]);
    })
    .sort();
}

const numbered = (name: string, max: number): fc.Arbitrary<string> =>
  fc.integer({ min: 0, max }).map((number) => `${name}.${number}`);

/** Few accounts and instants, so that they meet again; more names than there are places. */
const filed: fc.Arbitrary<Filed> = fc.record({
  latencyUs: fc.oneof(fc.nat(40), fc.double({ min: 0, max: 1e9, noNaN: true })),
  entry: fc
    .record({
      account_id: fc.constantFrom('acc_1', 'acc_1', 'acc_1', 'acc_2'),
      created_at: fc.constantFrom(
        '2026-11-20T12:00:00.000Z',
        '2026-11-20T12:00:59.999Z',
        '2026-11-20T12:01:00.000Z',
        '2026-11-20T23:59:59.999Z',
        '2026-11-21T00:00:00.000Z',
      ),
      codes: fc.array(numbered('code', 120), { maxLength: 3 }),
      agent_id: fc.oneof(fc.constant('agent'), numbered('agent', 150)),
      action: fc.oneof(fc.constantFrom('buy', 'sell'), numbered('action', 200)),
      target: fc.constant(null),
      amount: fc.constant(null),
      currency: fc.constant(null),
      passport_version: fc.constantFrom(1, 1, 1, null),
      environment: fc.constantFrom('live', 'live', 'test'),
      key_id: fc.constant(null),
      request_id: fc.constant(null),
      trace_id: fc.constant(null),
      proof_kid: fc.constant(null),
      ancestor_versions: fc.constant(null),
      subject: fc.constant(null),
      approval_id: fc.constant(null),
      hold_seconds: fc.constant(null),
      verifier: fc.constant(null),
      permit_audience: fc.constant(null),
      dry_run: fc.constantFrom(false, false, false, true),
      budgets: fc.constant([]),
    })
    .map(({ codes, ...rest }) => ({
      ...rest,
      verdict: codes.length === 0 ? ('ALLOW' as const) : ('DENY' as const),
      reasons: codes.map((code) => ({ code, message: 'No.' })),
    })),
});

function byInstant(batch: readonly Filed[]): Filed[] {
  return batch.toSorted((a, b) => (a.entry.created_at < b.entry.created_at ? -1 : 1));
}

/** In the order of their instants, but for one batch that comes late. */
const batches = fc
  .array(fc.array(filed, { minLength: 150, maxLength: 250 }), { minLength: 2, maxLength: 4 })
  .map(([late = [], ...given]) => {
    const ordered = byInstant(given.flat());
    return [...given.map(({ length }) => ordered.splice(0, length)), byInstant(late)];
  });

/** What the writer makes of the blocks of these records, as they come out of the journal. */
function deltasOf(writer: ReturnType<typeof createRollupWriter>, batch: readonly Filed[]): RollupDelta[] {
  const deltas: RollupDelta[] = [];
  for (const minute of byMinute(batch)) {
    for (const account_id of new Set(minute.map(({ entry }) => entry.account_id))) {
      const own = minute.filter(({ entry }) => entry.account_id === account_id);
      const timed = own.map(({ entry: { account_id: _, created_at, ...rest }, latencyUs }, index) => ({
        record: { ...rest, decision_id: idSpeller(PREFIX)(index), evaluated_at: created_at },
        bucket: latencyBucket(latencyUs),
      }));
      for (const { data } of packRecords(timed)) {
        for (const folded of foldBlock(openBlock(data))) writer.add(account_id, folded);
      }
    }
    deltas.push(...sumDeltas(writer.take()));
  }
  return deltas;
}

test('the deltas of block after block are those of a plain count with a hundred places', () => {
  let others = 0;
  fc.assert(
    fc.property(batches, (given) => {
      const writer = createRollupWriter();
      const expectedOf = textbook();
      for (const batch of given) {
        const deltas = deltasOf(writer, batch);
        expect(asMultiset(deltas)).toEqual(asMultiset(byMinute(batch).flatMap(expectedOf)));
        others += deltas.filter(({ kind, key }) => kind === 'action' && key === '').length;
      }
    }),
    // To shrink batches of hundreds takes minutes.
    { numRuns: 40, endOnFailure: true },
  );
  // Names that found no place were among them.
  expect(others).toBeGreaterThan(0);
});
