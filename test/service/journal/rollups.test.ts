import { expect, test } from 'vitest';
import type { JournalEntry, RollupDelta } from '../../../src/ports/index.ts';
import { type LatencyScale, loadLatencyScale } from '../../../src/service/journal/latency.ts';
import {
  createRollupWriter,
  type FiledBatch,
  type RollupWriter,
} from '../../../src/service/journal/rollups.ts';
import { entry } from '../../../src/testing/storage-contract/journal-fixtures.ts';

function verdictOn(agent_id: string, action: string, verdict: 'ALLOW' | 'DENY' = 'ALLOW'): JournalEntry {
  return entry('dec_1', { agent_id, action, verdict });
}

function filed(...entries: readonly JournalEntry[]): FiledBatch {
  return { entries, latenciesUs: entries.map(() => 3) };
}

function deltasOf(writer: RollupWriter, batch: FiledBatch, scale: LatencyScale): readonly RollupDelta[] {
  writer.add(batch, scale, 0);
  return writer.take();
}

test('200,000 distinct actions of 2,000 agents are remembered within the bounds, and none is left out', async () => {
  const scale = await loadLatencyScale();
  const writer = createRollupWriter();
  let counted = 0;
  let rows = 0;
  for (let from = 0; from < 200_000; from += 250) {
    const batch = Array.from({ length: 250 }, (_, index) =>
      verdictOn(`did:web:example.com:agents:a${(from + index) % 2_000}`, `actions.${from + index}`),
    );
    for (const { agent_id, kind, count } of deltasOf(writer, filed(...batch), scale)) {
      if (agent_id !== '' || kind !== 'action') continue;
      counted += count;
      rows += 1;
    }
    const { groups, counts } = writer.size();
    expect(groups).toBeLessThanOrEqual(10_000);
    expect(counts).toBeLessThanOrEqual(100_000);
  }
  expect(counted).toBe(200_000);
  // A hundred names, and one row of all others with each batch.
  expect(rows).toBeLessThanOrEqual(100 + 800);
  expect(writer.size().counts).toBeGreaterThan(45_000);
});

test('a name keeps its place as long as its agent is remembered', async () => {
  const scale = await loadLatencyScale();
  const writer = createRollupWriter();
  const keysOf = (action: string) =>
    deltasOf(writer, filed(verdictOn('did:web:example.com:agents:a', action)), scale)
      .filter(({ kind }) => kind === 'action')
      .map(({ key }) => key);
  expect(keysOf('buy')).toEqual(['buy', 'buy']);
  for (let index = 0; index < 200; index += 1) keysOf(`junk.${index}`);
  expect(keysOf('junk.199')).toEqual(['', '']);
  expect(keysOf('buy')).toEqual(['buy', 'buy']);
});

test('actions that are only denied leave room for those that are allowed', async () => {
  const scale = await loadLatencyScale();
  const writer = createRollupWriter();
  const keysOf = (action: string, verdict: 'ALLOW' | 'DENY') =>
    deltasOf(writer, filed(verdictOn('did:web:example.com:agents:a', action, verdict)), scale)
      .filter(({ kind }) => kind === 'action')
      .map(({ key }) => key);
  for (let index = 0; index < 200; index += 1) keysOf(`invented.${index}`, 'DENY');
  expect(keysOf('invented.49', 'DENY')).toEqual(['invented.49', 'invented.49']);
  expect(keysOf('invented.50', 'DENY')).toEqual(['', '']);
  expect(keysOf('buy', 'ALLOW')).toEqual(['buy', 'buy']);
  expect(keysOf('buy', 'DENY')).toEqual(['buy', 'buy']);
});

test('what is not taken is summed up, and those who have waited longest go first', async () => {
  const scale = await loadLatencyScale();
  const writer = createRollupWriter();
  expect(writer.oldest).toBeUndefined();
  for (const [at, agent] of [
    [10, 'a'],
    [20, 'b'],
    [30, 'a'],
  ] as const) {
    writer.add(filed(verdictOn(`did:web:example.com:agents:${agent}`, 'buy')), scale, at);
  }
  expect(writer.oldest).toBe(10);
  expect(writer.take(9)).toEqual([]);
  const allowed = (deltas: readonly RollupDelta[]) =>
    deltas
      .filter(({ kind }) => kind === 'verdict')
      .map(({ agent_id, key, count }) => [agent_id.slice(-1), key, count]);
  expect(allowed(writer.take(19))).toEqual([
    ['', 'ALLOW', 3],
    ['a', 'ALLOW', 2],
  ]);
  expect(writer.oldest).toBe(20);
  expect(allowed(writer.take())).toEqual([['b', 'ALLOW', 1]]);
  expect(writer.oldest).toBeUndefined();
  expect(writer.take()).toEqual([]);
});

test('so many deltas are taken at a time, and none gets lost, nor at midnight', async () => {
  const scale = await loadLatencyScale();
  const writer = createRollupWriter();
  const agents = Array.from({ length: 50 }, (_, index) => `did:web:example.com:agents:a${index}`);
  const yesterday = agents.map((agent_id) =>
    entry('dec_1', { agent_id, created_at: '2026-11-19T23:59:59.999Z' }),
  );
  writer.add(filed(...yesterday), scale, 1);
  writer.add(filed(...agents.map((agent_id) => verdictOn(agent_id, 'buy', 'DENY'))), scale, 2);
  const taken: RollupDelta[] = [];
  while (writer.oldest !== undefined) {
    const some = writer.take(2, 7);
    expect(some.length).toBeGreaterThan(0);
    expect(some.length).toBeLessThanOrEqual(7);
    taken.push(...some);
  }
  const sumOf = (wanted: Partial<RollupDelta>) =>
    taken
      .filter((delta) =>
        Object.entries(wanted).every(([name, value]) => delta[name as keyof RollupDelta] === value),
      )
      .reduce((sum, { count }) => sum + count, 0);
  const minute = '2026-11-19T23:59:00.000Z';
  expect(sumOf({ kind: 'verdict', agent_id: '', key: 'ALLOW', minute })).toBe(50);
  expect(sumOf({ kind: 'verdict', agent_id: '', key: 'DENY' })).toBe(50);
  for (const agent_id of agents) {
    expect(sumOf({ kind: 'action', agent_id, minute })).toBe(1);
    expect(sumOf({ kind: 'action', agent_id })).toBe(2);
  }
});
