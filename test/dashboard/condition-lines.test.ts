/** The rows of conditions in the form: each shows a condition in full, or leaves its JSON as it is. */
import { expect, test } from 'vitest';
import {
  type ConditionTexts,
  conditionTexts,
  lineOf,
  NEW_CONDITION,
} from '../../adapters/dashboard/app/text/condition-lines.ts';
import { conditionOf } from '../verdict/conditions/arbitraries.ts';
import { createDraw } from '../verdict/conditions/draw.ts';
import { RIGHT, WRONG } from '../verdict/conditions/wrong-input.ts';

const SEED = 2_054;

/** The condition as the service stores it: the ends of a range as texts, nothing that is `false`. */
function stored(line: string): unknown {
  return JSON.parse(line, (name, value) => {
    if (name === 'min' || name === 'max') return `${value}`;
    return name === 'optional' && value === false ? undefined : value;
  });
}

test('a row shows every condition that a passport may have, and writes the same condition', () => {
  const draw = createDraw(SEED);
  const random = Array.from({ length: 3_000 }, () => conditionOf(draw));
  for (const condition of [...RIGHT, ...random]) {
    const line = JSON.stringify(condition);
    const texts = conditionTexts(line);
    expect(texts, line).toBeDefined();
    expect(stored(lineOf(texts as ConditionTexts)), `${line}, seed ${SEED}`).toEqual(stored(line));
  }
});

test('a row never turns a wrong condition into another one', () => {
  for (const [condition] of WRONG) {
    const line = JSON.stringify(condition);
    const texts = conditionTexts(line);
    if (texts !== undefined) expect(stored(lineOf(texts)), line).toEqual(stored(line));
  }
  for (const line of ['', 'no JSON', '[]', 'null', '{}', '{"at":"/a"}', '{"in":["a"]}']) {
    expect(conditionTexts(line), line).toBeUndefined();
  }
});

test('reads entries of a list as they are typed', () => {
  const texts = conditionTexts(NEW_CONDITION) as ConditionTexts;
  const inOf = (value: string): unknown => JSON.parse(lineOf({ ...texts, at: '/a', value })).in;
  expect(inOf('')).toEqual([]);
  expect(inOf('eu\n12\n"12"\ntrue\nnull\n\n""\n-0.5\n1x\n"')).toEqual([
    'eu',
    12,
    '12',
    true,
    null,
    '',
    -0.5,
    '1x',
    '"',
  ]);
  const emails = lineOf({ ...texts, at: '/to', test: 'not_in', value: '12\ntrue' });
  expect(JSON.parse(emails).not_in).toEqual(['12', 'true']);
});

test('keeps a wrong number as it is typed, for the service to refuse', () => {
  const texts = conditionTexts(NEW_CONDITION) as ConditionTexts;
  const written = (part: Partial<ConditionTexts>): unknown =>
    JSON.parse(lineOf({ ...texts, at: '/a', ...part }));
  expect(written({ test: 'range' })).toEqual({ at: '/a', min: '' });
  expect(written({ test: 'range', most: ' 5 ' })).toEqual({ at: '/a', max: '5' });
  expect(written({ test: 'range', value: 'x', most: '1e3' })).toEqual({ at: '/a', min: 'x', max: '1e3' });
  expect(written({ test: 'max_items', value: '3' })).toEqual({ at: '/a', max_items: 3 });
  expect(written({ test: 'max_items', value: '3.5' })).toEqual({ at: '/a', max_items: '3.5' });
  expect(written({ test: 'absent', value: 'x', actions: 'a.b,  c', optional: 'true' })).toEqual({
    actions: ['a.b', 'c'],
    at: '/a',
    absent: true,
    optional: true,
  });
});
