import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { PUBLISHED } from '../../bench/lib/published.mjs';
import {
  type PartResults,
  type Results,
  type Target,
  targetsText,
  withTargets,
} from '../../bench/lib/results.mjs';
import { target } from '../../bench/lib/target.mjs';

const part = (targets: readonly Target[], doubts: readonly string[] = []): PartResults => ({
  date: '2026-11-22T10:00:00.000Z',
  doubts,
  targets,
});
const express = (value: number, atMost: number): Target => ({
  name: 'express / route',
  unit: 'x',
  value,
  atMost,
  isMet: value <= atMost,
});
const peer: Target = { name: 'CASL / decide', unit: 'x', value: 3.5, atLeast: 4, isMet: false };
const start: Target = { name: 'cold start', unit: 'ms', value: 4, atMost: 5, isMet: true };

const results: Results = {
  'node 20': { peers: part([peer]), http: part([express(1.2, 1.25)], ['load']) },
  'node 24': { http: part([express(1.4, 1.35)]), scale: part([start]) },
};

/** All targets, whether the page has a row of them or not. */
const allText = (given: Results): string => targetsText(given, () => true);

function rowsOf(text: string): string[][] {
  const lines = text.split('\n').filter((line) => line.startsWith('|'));
  return lines.map((line) =>
    line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
}

test('every target is a row, every version of Node a column, and what is missed is said', () => {
  const [head, , ...rows] = rowsOf(allText(results));
  expect(head).toEqual(['Part', 'Target', 'Bound', 'Node 20', 'Node 24']);
  expect(rows).toEqual([
    ['peers', 'CASL / decide', 'at least 4.00', '3.50 **not yet**, 2026-11-22', '-'],
    [
      'http',
      'express / route',
      'at most 1.25 on Node 20, at most 1.35 on Node 24',
      'busy machine, 2026-11-22',
      '1.40 **not yet**, 2026-11-22',
    ],
    ['scale', 'cold start', 'at most 5.0 ms', '-', '4.0 ms met, 2026-11-22'],
  ]);
});

test('what is met is counted for each version of Node', () => {
  expect(allText(results)).toContain('Met: 0 of 1 on Node 20 (1 undecided), 1 of 2 on Node 24.');
});

test('a target without a figure is missed', () => {
  const none = { 'node 20': { scale: part([{ ...start, value: null, isMet: false }]) } };
  expect(rowsOf(allText(none)).at(-1)?.at(-1)).toBe('- **not yet**, 2026-11-22');
});

test('only what stands between the comments is replaced, as often as one likes', () => {
  const page = (between: string) => `# A\n\n<!-- targets -->\n${between}<!-- /targets -->\n\nThe end.\n`;
  const written = withTargets(page('old\n'), results);
  expect(written.startsWith('# A\n\n<!-- targets -->\n')).toBe(true);
  expect(written.endsWith(`${targetsText(results)}\n\n<!-- /targets -->\n\nThe end.\n`)).toBe(true);
  expect(withTargets(written, results)).toBe(written);
  expect(() => withTargets('# A\n', results)).toThrow('<!-- targets -->');
});

test('the lines of the table have one width, as the linter wants them', () => {
  const lines = allText(results).split('\n');
  const widths = lines.filter((line) => line.startsWith('|')).map(({ length }) => length);
  expect(new Set(widths).size).toBe(1);
});

test('a share below zero is not measurable, neither met nor missed', () => {
  const share = target('share of filing', -0.13, { atMost: 0.3 });
  expect(share.isMet).toBeNull();
  const text = allText({ 'node 20': { journal: part([share, start]) } });
  expect(
    rowsOf(text)
      .find(([, name]) => name === 'share of filing')
      ?.at(-1),
  ).toBe('not measurable, 2026-11-22');
  expect(text).toContain('Met: 1 of 1 on Node 20 (1 undecided).');
  expect(target('heap grown', -10, { atMost: 4, unit: 'MiB' }).isMet).toBe(true);
});

test('a run that cannot tell says why, and is neither met nor missed', () => {
  const given = { atMost: 2, untold: 'not told: two cores' };
  for (const value of [1, 3]) expect(target('p99', value, given).isMet).toBeNull();
  const text = allText({ 'node 20': { http: part([target('p99', 3, given)]) } });
  expect(rowsOf(text).at(-1)?.at(-1)).toBe('3.00 not told: two cores, 2026-11-22');
});

test('a target that the newest run of its part does not have is no row', () => {
  const old = { ...part([peer, start]), date: '2026-11-20T10:00:00.000Z' };
  const both: Results = { 'node 20': { scale: part([start]) }, 'node 24': { scale: old } };
  expect(
    rowsOf(allText(both))
      .slice(2)
      .map(([, name]) => name),
  ).toEqual(['cold start']);
});

test('the targets that are published are those of the results that are published', () => {
  const read = (name: string) => readFileSync(new URL(`../../bench/${name}`, import.meta.url), 'utf8');
  const page = read('README.md');
  expect(withTargets(page, JSON.parse(read('results.json')))).toBe(page);
});

test('at most 25 rows are published, and each has a figure or says why not', () => {
  const read = (name: string) => readFileSync(new URL(`../../bench/${name}`, import.meta.url), 'utf8');
  const results: Results = JSON.parse(read('results.json'));
  const rows = Object.entries(PUBLISHED).flatMap(([part, names]) => names.map((name) => [part, name]));
  expect(rows.length).toBeLessThanOrEqual(25);
  const measured = Object.values(results).flatMap((parts) =>
    Object.entries(parts).flatMap(([part, { targets }]) => targets.map(({ name }) => `${part}: ${name}`)),
  );
  expect(rows.map(([part, name]) => `${part}: ${name}`).filter((row) => !measured.includes(row))).toEqual([]);
  expect(rowsOf(targetsText(results)).slice(2)).toHaveLength(rows.length);
  expect(read('README.md')).toMatch(/^- A verdict in process takes [\d.]+ .s, with an API key [\d.]+ .s\.$/m);
});
