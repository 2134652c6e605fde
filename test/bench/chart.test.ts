import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { chartOf } from '../../bench/lib/chart.mjs';
import type { PartResults } from '../../bench/lib/results.mjs';

const NODES = { 20: 'v20.20.2', 24: 'v24.1.0' };

function http(
  node: keyof typeof NODES,
  doubts: readonly string[],
  rows: Record<string, number>,
): PartResults {
  const table = {
    title: 'POST 145 bytes, as fast as they are answered',
    rows: Object.entries(rows).map(([name, cpu]) => ({ name, cpu })),
  };
  const machine = { cpu: 'a CPU', cores: 2, node: NODES[node] };
  return { date: '2026-11-22T10:00:00.000Z', doubts, targets: [], machine, tables: [table] };
}

/** The class of the bar of each row, by its name. */
function barsOf(chart: string): Record<string, string> {
  const bars = chart.matchAll(/text-anchor="end">([^<]*)<\/text>\n<rect class="(\w+)"/g);
  return Object.fromEntries([...bars].map(([, name, kind]) => [name, kind]));
}

test('what belongs to agent-identity is one colour, serve too; floors and peers are others, and a legend says so', () => {
  const chart = chartOf({
    'node 20': {
      http: http(20, [], {
        nodeListener: 4e4,
        'agent-identity serve, memory': 5e4,
        'node:http, contract-shaped': 2e4,
        "Cerbos' PDP": 2e5,
      }),
    },
  });
  expect(barsOf(chart)).toEqual({
    'node:http, contract-shaped': 'floor',
    nodeListener: 'ours',
    'agent-identity serve, memory': 'ours',
    "Cerbos' PDP": 'peer',
  });
  for (const label of ['agent-identity<', 'code written by hand', 'other software'])
    expect(chart).toContain(label);
  expect(chart).toContain('>50 µs<');
  expect(chart).not.toMatch(/\d us\b/);
});

test('a run that was doubtful is not drawn, and the next version of Node takes its place', () => {
  const results = {
    'node 20': { http: http(20, ['the load was 1.1'], { nodeListener: 9e4 }) },
    'node 24': { http: http(24, [], { nodeListener: 3e4 }) },
  };
  expect(chartOf(results)).toContain('>30 µs<');
  expect(chartOf(results)).not.toContain('>90 µs<');
  expect(chartOf(results)).toContain('Node 24.1.0, 2026-11-22');
});

test('where every run was doubtful the chart says so and has no bar', () => {
  const chart = chartOf({ 'node 20': { http: http(20, ['load'], { nodeListener: 9e4 }) } });
  expect(chart).toContain('No run so far was free of doubts.');
  expect(barsOf(chart)).toEqual({});
});

test('the chart that is published is that of the results that are published', () => {
  const read = (name: string) => readFileSync(new URL(`../../bench/${name}`, import.meta.url), 'utf8');
  expect(chartOf(JSON.parse(read('results.json')))).toBe(read('chart.svg'));
});
