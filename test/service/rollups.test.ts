import { expect, test } from 'vitest';
import type { JournalEntry } from '../../src/ports.ts';
import { loadLatencyScale } from '../../src/service/latency.ts';
import { createRollupWriter, type FiledBatch } from '../../src/service/rollups.ts';
import { entry } from '../../src/testing/storage-contract/journal-fixtures.ts';

function verdictOn(agent_id: string, action: string, verdict: 'ALLOW' | 'DENY' = 'ALLOW'): JournalEntry {
  return entry('dec_1', { agent_id, action, verdict });
}

function filed(...entries: readonly JournalEntry[]): FiledBatch {
  return { entries, latenciesUs: entries.map(() => 3) };
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
    for (const { agent_id, kind, count } of writer.deltas(filed(...batch), scale)) {
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
    writer
      .deltas(filed(verdictOn('did:web:example.com:agents:a', action)), scale)
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
    writer
      .deltas(filed(verdictOn('did:web:example.com:agents:a', action, verdict)), scale)
      .filter(({ kind }) => kind === 'action')
      .map(({ key }) => key);
  for (let index = 0; index < 200; index += 1) keysOf(`invented.${index}`, 'DENY');
  expect(keysOf('invented.49', 'DENY')).toEqual(['invented.49', 'invented.49']);
  expect(keysOf('invented.50', 'DENY')).toEqual(['', '']);
  expect(keysOf('buy', 'ALLOW')).toEqual(['buy', 'buy']);
  expect(keysOf('buy', 'DENY')).toEqual(['buy', 'buy']);
});
