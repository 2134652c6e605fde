/** The tests of section 3 and 4 of the contract, each on one value. */
import { inLowerCase, isMailTo, isPath, isPathUnder, isUrlUnder } from './reference-text.ts';

/** A condition as a passport has it, of any content. */
export interface Condition {
  readonly actions?: readonly string[];
  readonly at: string;
  readonly optional?: true;
  readonly in?: readonly (string | number | boolean | null)[];
  readonly not_in?: readonly string[];
  readonly prefix?: readonly string[];
  readonly suffix?: readonly string[];
  readonly min?: number | string;
  readonly max?: number | string;
  readonly email_in?: readonly string[];
  readonly url_under?: readonly string[];
  readonly path_under?: readonly string[];
  readonly max_items?: number;
  readonly only?: readonly string[];
  readonly present?: true;
  readonly absent?: true;
}

/** The names of the tests; `range` is `min`, `max`, or both. */
export type TestName =
  | 'in'
  | 'not_in'
  | 'prefix'
  | 'suffix'
  | 'range'
  | 'email_in'
  | 'url_under'
  | 'path_under'
  | 'max_items'
  | 'only'
  | 'present'
  | 'absent';

/** The name that a reason shows. */
export type Fault = Exclude<TestName, 'range'> | 'min' | 'max';

const NOT_OF_SCALARS: readonly TestName[] = ['max_items', 'only', 'present', 'absent'];

export function isScalarTest(test: TestName): boolean {
  return !NOT_OF_SCALARS.includes(test);
}

/** Which test the condition has; it must have one. */
export function testOf(condition: Condition): TestName {
  if (condition.min !== undefined || condition.max !== undefined) return 'range';
  const names: readonly Exclude<TestName, 'range'>[] = [
    ...(['in', 'not_in', 'prefix', 'suffix', 'email_in', 'url_under'] as const),
    ...(['path_under', 'max_items', 'only', 'present', 'absent'] as const),
  ];
  const name = names.find((one) => condition[one] !== undefined);
  if (name === undefined) throw new Error('no test');
  return name;
}

/** Nothing if the value passes, else the name of what it fails. */
export function holdsFor(condition: Condition, test: TestName, value: unknown): Fault | undefined {
  if (test === 'range') return brokenEnd(condition, value);
  return passes(condition, test, value) ? undefined : test;
}

function passes(condition: Condition, test: Exclude<TestName, 'range'>, value: unknown): boolean {
  switch (test) {
    case 'in':
      return (condition.in ?? []).some((entry) => isSameScalar(entry, value));
    case 'not_in':
      return isOutside(condition.not_in ?? [], value);
    case 'prefix':
      return (
        isTextWithoutControls(value) && (condition.prefix ?? []).some((entry) => value.startsWith(entry))
      );
    case 'suffix':
      return isTextWithoutControls(value) && (condition.suffix ?? []).some((entry) => value.endsWith(entry));
    case 'email_in':
      return typeof value === 'string' && isMailTo(condition.email_in ?? [], value);
    case 'url_under':
      return (
        typeof value === 'string' && (condition.url_under ?? []).some((entry) => isUrlUnder(entry, value))
      );
    case 'path_under':
      return (
        typeof value === 'string' &&
        isPath(value) &&
        (condition.path_under ?? []).some((entry) => isPathUnder(entry, value))
      );
    case 'max_items':
      return Array.isArray(value) && value.length <= (condition.max_items ?? -1);
    case 'only':
      return (
        isObject(value) &&
        Reflect.ownKeys(value).every((name) => (condition.only ?? []).includes(`${String(name)}`))
      );
    case 'present':
      return typeof value !== 'symbol' && !isEmpty(value);
    case 'absent':
      return false;
  }
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isEmpty(value: unknown): boolean {
  if (typeof value === 'object' && value !== null) return Object.keys(value).length === 0;
  return value === null || value === '';
}

/** Numbers by decimal value, everything else as it is. */
function isSameScalar(entry: unknown, value: unknown): boolean {
  if (typeof entry === 'number' && typeof value === 'number')
    return compareFractions(fractionOf(String(entry)), fractionOf(String(value))) === 0;
  return entry === value;
}

function isOutside(entries: readonly string[], value: unknown): boolean {
  const isText = typeof value === 'string' && /^(?:[!-~](?:[ -~]*[!-~])?)?$/.test(value);
  if (!isText && typeof value !== 'number' && typeof value !== 'boolean') return false;
  const text = inLowerCase(isText ? value : JSON.stringify(value));
  return entries.every((entry) => inLowerCase(entry) !== text);
}

function isTextWithoutControls(value: unknown): value is string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
  return typeof value === 'string' && !/[\u0000-\u001f\u007f]/.test(value);
}

/** A decimal as a fraction of whole numbers. */
interface Fraction {
  readonly over: bigint;
  readonly under: bigint;
}

/** The exact value of a decimal text, with any exponent. */
export function fractionOf(text: string): Fraction {
  const [, sign = '', whole = '', places = '', power = '0'] =
    /^(-?)([0-9]+)(?:\.([0-9]+))?(?:e([+-]?[0-9]+))?$/i.exec(text) ?? [];
  if (whole === '') throw new Error(`no decimal: ${text}`);
  const digits = BigInt(`${whole}${places}`) * (sign === '-' ? -1n : 1n);
  const exponent = Number(power) - places.length;
  return exponent >= 0
    ? { over: digits * 10n ** BigInt(exponent), under: 1n }
    : { over: digits, under: 10n ** BigInt(-exponent) };
}

export function compareFractions(a: Fraction, b: Fraction): number {
  const [left, right] = [a.over * b.under, b.over * a.under];
  return left < right ? -1 : Number(left > right);
}

/** Which end of the range the value breaks; for no number the lower one that there is. */
function brokenEnd({ min, max }: Condition, value: unknown): 'min' | 'max' | undefined {
  const isNumber = typeof value === 'number' || (typeof value === 'string' && isDecimalText(value));
  if (!isNumber) return min === undefined ? 'max' : 'min';
  const number = fractionOf(String(value));
  if (min !== undefined && compareFractions(number, fractionOf(String(min))) < 0) return 'min';
  if (max !== undefined && compareFractions(number, fractionOf(String(max))) > 0) return 'max';
  return undefined;
}

function isDecimalText(text: string): boolean {
  return text.length <= 40 && /^-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?$/.test(text) && !/^-0(?:\.0+)?$/.test(text);
}
