import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import type { JournalEntry, RollupDelta, RollupKind } from '../../src/ports.ts';
import { type LatencyScale, loadLatencyScale } from '../../src/service/latency.ts';
import { createRollupWriter, type Filed } from '../../src/service/rollups.ts';
import '../support/seed.ts';

const PLACES: Readonly<Partial<Record<RollupKind, number>>> = { action: 100, agent: 100, reason: 100 };
const DENIED_PLACES = 50;

interface Group {
  readonly entry: JournalEntry;
  readonly agent_id: string;
  readonly counts: Map<RollupKind, Map<string, number>>;
  readonly allowed: Set<string>;
}

/** The deltas of batch after batch, as slow and plain as can be. It never forgets a name. */
function textbook(scale: LatencyScale): (batch: readonly Filed[]) => RollupDelta[] {
  const admitted = new Map<string, Set<string>>();
  return (batch) => {
    const groups = new Map<string, Group>();
    for (const { entry, latencyUs } of batch.filter((filed) => !filed.entry.dry_run)) {
      const isKnown = entry.passport_version !== null;
      for (const agent_id of isKnown ? ['', entry.agent_id] : ['']) {
        const id = JSON.stringify([entry.account_id, entry.environment, minuteOf(entry), agent_id]);
        const group = groups.get(id) ?? { entry, agent_id, counts: new Map(), allowed: new Set() };
        groups.set(id, group);
        if (entry.verdict === 'ALLOW') group.allowed.add(entry.action);
        const bucket = agent_id === '' ? scale.bucketOf(latencyUs) : scale.coarseBucketOf(latencyUs);
        addOne(group, 'verdict', entry.verdict);
        addOne(group, 'action', entry.action);
        addOne(group, 'latency', String(bucket));
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
  const day = entry.created_at.slice(0, 10);
  const id = JSON.stringify([entry.account_id, entry.environment, agent_id, day, kind]);
  const names = admitted.get(id) ?? new Set<string>();
  admitted.set(id, names);
  const bounded = new Map<string, number>();
  for (const [name, count] of [...counts].sort(([, a], [, b]) => b - a)) {
    const most = kind === 'action' && !allowed.has(name) ? DENIED_PLACES : places;
    if (names.size < most) names.add(name);
    const key = names.has(name) ? name : '';
    bounded.set(key, (bounded.get(key) ?? 0) + count);
  }
  return bounded;
}

function expand(group: Group, kind: RollupKind, counts: ReadonlyMap<string, number>): RollupDelta[] {
  const { account_id, environment } = group.entry;
  const minute = minuteOf(group.entry);
  return [...counts].flatMap(([key, count]) => {
    const rest = { account_id, environment, agent_id: group.agent_id, kind, key, count };
    return [
      { ...rest, resolution: 'minute' as const, start: minute },
      { ...rest, resolution: 'hour' as const, start: `${minute.slice(0, 13)}:00:00.000Z` },
      { ...rest, resolution: 'day' as const, start: `${minute.slice(0, 10)}T00:00:00.000Z` },
    ];
  });
}

/** The same text for the same deltas, in whatever order they and their fields come. */
function asMultiset(deltas: readonly RollupDelta[]): readonly string[] {
  return deltas
    .map((of) => {
      const { account_id, environment, resolution, start, agent_id, kind, key, count } = of;
      return JSON.stringify([account_id, environment, resolution, start, agent_id, kind, key, count]);
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
      id: fc.constant('dec_1'),
      account_id: fc.constantFrom('acc_1', 'acc_2'),
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
      dry_run: fc.constantFrom(false, false, false, true),
    })
    .map(({ codes, ...rest }) => ({
      ...rest,
      verdict: codes.length === 0 ? ('ALLOW' as const) : ('DENY' as const),
      reasons: codes.map((code) => ({ code, message: 'No.' })),
    })),
});

const batches = fc.array(fc.array(filed, { maxLength: 250, size: 'max' }), { maxLength: 4, size: 'max' });

test('the deltas of batch after batch are those of a plain count with a hundred places', async () => {
  const scale = await loadLatencyScale();
  let others = 0;
  fc.assert(
    fc.property(batches, (given) => {
      const writer = createRollupWriter();
      const expectedOf = textbook(scale);
      for (const batch of given) {
        const deltas = writer.deltas(batch, scale);
        expect(asMultiset(deltas)).toEqual(asMultiset(expectedOf(batch)));
        others += deltas.filter(({ kind, key }) => kind === 'action' && key === '').length;
      }
    }),
    // To shrink batches of hundreds takes minutes.
    { numRuns: 40, endOnFailure: true },
  );
  // Names that found no place were among them.
  expect(others).toBeGreaterThan(0);
});
