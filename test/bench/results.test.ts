import { expect, test } from 'vitest';
import { mergeResults, nodeNames, type PartResults } from '../../bench/lib/results.mjs';

const on = (date: string): PartResults => ({ date, doubts: [], targets: [] });
const kept = { 'node 20': { decide: on('old'), http: on('old') } };

test('a run replaces the parts that it ran on its own major version of Node, and nothing else', () => {
  expect(mergeResults(kept, { http: on('new') }, 'v20.21.0')).toEqual({
    'node 20': { decide: on('old'), http: on('new') },
  });
  expect(mergeResults(kept, { http: on('new') }, 'v24.1.0')).toEqual({
    ...kept,
    'node 24': { http: on('new') },
  });
});

test('the first run of all needs nothing that was kept', () => {
  expect(mergeResults({}, { http: on('new') }, 'v22.0.0')).toEqual({ 'node 22': { http: on('new') } });
});

test('the lowest version of Node comes first', () => {
  const all = ['v100.0.0', 'v20.1.1', 'v24.0.0'].reduce(
    (results, version) => mergeResults(results, { decide: on(version) }, version),
    {},
  );
  expect(Object.keys(all)).toEqual(['node 20', 'node 24', 'node 100']);
  expect(nodeNames(all)).toEqual(Object.keys(all));
});
