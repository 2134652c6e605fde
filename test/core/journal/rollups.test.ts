import { expect, test } from 'vitest';
import { createRollupWriter, type RollupWriter, sumDeltas } from '../../../src/core/journal/merge/rollups.ts';
import type { FoldedMinute } from '../../../src/journal-format/index.ts';
import type { RollupDelta } from '../../../src/ports/index.ts';

const NOON = Date.parse('2026-11-20T12:00:00.000Z');

interface Counted {
  readonly agent_id: string;
  readonly action: string;
  readonly verdict?: 'ALLOW' | 'DENY';
}

/** A minute with one verdict each, of agents that are known. */
function minuteOf(counted: readonly Counted[], minute_ms = NOON): FoldedMinute {
  return {
    environment: 'live',
    minute_ms,
    verdicts: counted.map(({ agent_id, action, verdict = 'ALLOW' }) => {
      const codes = verdict === 'ALLOW' ? [] : ['action_not_allowed'];
      return { agent_id, isKnown: true, action, codes, count: 1 };
    }),
    latencies: counted.map(({ agent_id }) => ({ agent_id, isKnown: true, bucket: 3, count: 1 })),
  };
}

function deltasOf(writer: RollupWriter, ...counted: readonly Counted[]): readonly RollupDelta[] {
  writer.add('acc_a', minuteOf(counted));
  return writer.take();
}

const agentOf = (index: number): string => `did:web:example.com:agents:a${index}`;

test('200,000 distinct actions of 2,000 agents are remembered within the bounds, and none is left out', () => {
  const writer = createRollupWriter();
  let counted = 0;
  let rows = 0;
  for (let from = 0; from < 200_000; from += 250) {
    const minute = Array.from({ length: 250 }, (_, index) => ({
      agent_id: agentOf((from + index) % 2_000),
      action: `actions.${from + index}`,
    }));
    for (const { agent_id, kind, count } of deltasOf(writer, ...minute)) {
      if (agent_id !== '' || kind !== 'action') continue;
      counted += count;
      rows += 1;
    }
    const { groups, counts } = writer.size();
    expect(groups).toBeLessThanOrEqual(10_000);
    expect(counts).toBeLessThanOrEqual(100_000);
  }
  expect(counted).toBe(200_000);
  // A hundred names, and one row of all others with each minute.
  expect(rows).toBeLessThanOrEqual(100 + 800);
  expect(writer.size().counts).toBeGreaterThan(45_000);
});

test('a name keeps its place as long as its agent is remembered', () => {
  const writer = createRollupWriter();
  const keysOf = (action: string) =>
    deltasOf(writer, { agent_id: agentOf(1), action })
      .filter(({ kind }) => kind === 'action')
      .map(({ key }) => key);
  expect(keysOf('buy')).toEqual(['buy', 'buy']);
  for (let index = 0; index < 200; index += 1) keysOf(`junk.${index}`);
  expect(keysOf('junk.199')).toEqual(['', '']);
  expect(keysOf('buy')).toEqual(['buy', 'buy']);
});

test('actions that are only denied leave room for those that are allowed', () => {
  const writer = createRollupWriter();
  const keysOf = (action: string, verdict: 'ALLOW' | 'DENY') =>
    deltasOf(writer, { agent_id: agentOf(1), action, verdict })
      .filter(({ kind }) => kind === 'action')
      .map(({ key }) => key);
  for (let index = 0; index < 200; index += 1) keysOf(`invented.${index}`, 'DENY');
  expect(keysOf('invented.49', 'DENY')).toEqual(['invented.49', 'invented.49']);
  expect(keysOf('invented.50', 'DENY')).toEqual(['', '']);
  expect(keysOf('buy', 'ALLOW')).toEqual(['buy', 'buy']);
  expect(keysOf('buy', 'DENY')).toEqual(['buy', 'buy']);
});

test('what is not taken is summed up, and none of it gets lost, nor at midnight', () => {
  const writer = createRollupWriter();
  expect([writer.pending(), writer.take()]).toEqual([0, []]);
  const agents = Array.from({ length: 50 }, (_, index) => agentOf(index));
  const yesterday = Date.parse('2026-11-19T23:59:00.000Z');
  for (const at of [yesterday, NOON, yesterday, NOON]) {
    const verdict = at === NOON ? 'DENY' : 'ALLOW';
    writer.add(
      'acc_a',
      minuteOf(
        agents.map((agent_id) => ({ agent_id, action: 'buy', verdict })),
        at,
      ),
    );
  }
  expect(writer.pending()).toBeGreaterThan(100);
  const taken = sumDeltas(writer.take());
  expect([writer.pending(), writer.take()]).toEqual([0, []]);
  const of = ({ kind, agent_id, key, minute, count }: RollupDelta) => [kind, agent_id, key, minute, count];
  const [before, noon] = [new Date(yesterday).toISOString(), new Date(NOON).toISOString()];
  const verdicts = taken.filter(({ kind }) => kind === 'verdict').map(of);
  expect(verdicts).toContainEqual(['verdict', '', 'ALLOW', before, 100]);
  expect(verdicts).toContainEqual(['verdict', '', 'DENY', noon, 100]);
  expect(verdicts).toHaveLength(2 + 2 * agents.length);
  const actions = taken.filter(({ kind }) => kind === 'action').map(of);
  for (const agent_id of agents) {
    expect(actions).toContainEqual(['action', agent_id, 'buy', before, 2]);
    expect(actions).toContainEqual(['action', agent_id, 'buy', noon, 2]);
  }
});
