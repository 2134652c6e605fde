import type { ConditionTest } from '../../../../src/types.ts';

export interface ConditionTexts {
  readonly at: string;
  /** The name of the test; `range` for `min` and `max`. */
  readonly test: TypedTest;
  /** One entry per line, or the minimum of a range. */
  readonly value: string;
  readonly most: string;
  /** Actions and patterns, separated by commas; empty for every action. */
  readonly actions: string;
  /** `true`, or an empty text. */
  readonly optional: string;
}

export type TypedTest = Exclude<ConditionTest, 'min' | 'max'> | 'range';

export const LIST_TESTS: readonly TypedTest[] = [
  'in',
  'not_in',
  'prefix',
  'suffix',
  'email_in',
  'url_under',
  'path_under',
  'only',
];

const TESTS: readonly TypedTest[] = [...LIST_TESTS, 'range', 'max_items', 'present', 'absent'];

export const NEW_CONDITION: string = lineOf({
  at: '',
  test: 'in',
  value: '',
  most: '',
  actions: '',
  optional: '',
});

/** Returns the texts with which the form shows a condition. Returns `undefined` if the form cannot show all of the condition. */
export function conditionTexts(line: string): ConditionTexts | undefined {
  const condition = objectIn(line);
  if (condition === undefined) return undefined;
  const { at, actions, optional, min, max, ...tests } = condition;
  const names = Object.keys(tests);
  const hasRange = min !== undefined || max !== undefined;
  const test = (hasRange ? 'range' : names[0]) as TypedTest;
  if (names.length !== (hasRange ? 0 : 1) || !TESTS.includes(test) || typeof at !== 'string')
    return undefined;
  const texts = {
    at,
    test,
    value: hasRange ? plainText(min) : valueText(tests[test]),
    most: plainText(max),
    actions: Array.isArray(actions) ? actions.join(', ') : '',
    optional: optional === true ? 'true' : '',
  };
  // A line that the row would write differently has more in it than the row shows.
  return sameValue(condition, objectIn(lineOf(texts))) ? texts : undefined;
}

/** Returns the condition of a row as JSON. Wrong input is passed on, so that the service reports it. */
export function lineOf({ at, test, value, most, actions, optional }: ConditionTexts): string {
  const listed = actions.split(/[\s,]+/).filter((action) => action !== '');
  return JSON.stringify({
    ...(listed.length > 0 && { actions: listed }),
    at,
    ...testIn(test, value, most),
    ...(optional !== '' && { optional: true }),
  });
}

function testIn(test: TypedTest, value: string, most: string): object {
  if (test === 'range') {
    const [min, max] = [value.trim(), most.trim()];
    // Without an end it would be a condition without a test.
    return { ...((min !== '' || max === '') && { min }), ...(max !== '' && { max }) };
  }
  if (test === 'present' || test === 'absent') return { [test]: true };
  if (test === 'max_items') return { max_items: /^\d{1,9}$/.test(value.trim()) ? Number(value) : value };
  const entries = value.split('\n').filter((entry) => entry !== '');
  return { [test]: entries.map((entry) => entryIn(entry, test)) };
}

/**
 * Converts a line of text to an entry of a condition. A quoted line such as `"12"` becomes a text. Only for
 * the test `in`, lines such as `12`, `true` and `null` become JSON values.
 */
function entryIn(text: string, test: TypedTest): unknown {
  const isJson = text.startsWith('"') || (test === 'in' && /^(?:-?\d|true$|false$|null$)/.test(text));
  if (!isJson) return text;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function entryText(entry: unknown): string {
  if (typeof entry !== 'string') return JSON.stringify(entry);
  return /^(?:"|-?\d|true$|false$|null$)|[\r\n]|^$/.test(entry) ? JSON.stringify(entry) : entry;
}

function valueText(value: unknown): string {
  return Array.isArray(value) ? value.map(entryText).join('\n') : plainText(value);
}

function plainText(value: unknown): string {
  return value === undefined || value === true ? '' : `${value}`;
}

function objectIn(line: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const read: unknown = JSON.parse(line);
    return typeof read === 'object' && read !== null && !Array.isArray(read) ? { ...read } : undefined;
  } catch {
    return undefined;
  }
}

function sameValue(one: object, other: object | undefined): boolean {
  const text = (value: object | undefined): string =>
    JSON.stringify(value, (name, member) => {
      if (name === 'min' || name === 'max') return `${member}`;
      return member === false ? undefined : member;
    });
  const sorted = (value: object | undefined): object | undefined =>
    value && Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
  return text(sorted(one)) === text(sorted(other));
}
