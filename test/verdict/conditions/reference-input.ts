/** Section 6 of the contract once more: which conditions a passport may have, and where the others are wrong. */
import { isActionEntry } from '../../../src/base/values/action.ts';
import { namesIn } from './reference.ts';
import { compareFractions, fractionOf } from './reference-tests.ts';
import {
  defaultPortOf,
  inLowerCase,
  isAddress,
  isHost,
  isMailDomain,
  isPath,
  isPlainUrlPath,
  urlParts,
} from './reference-text.ts';

/** Whether a passport may have this condition. */
export function acceptsCondition(condition: unknown): boolean {
  return conditionErrors([condition]).length === 0;
}

/** The JSON Pointers of what is wrong, in no particular order. */
export function conditionErrors(conditions: unknown): readonly string[] {
  if (!Array.isArray(conditions) || conditions.length > 16) return ['/conditions'];
  return conditions.flatMap((condition: unknown, index) =>
    errorsOf(condition).map((path) => `/conditions/${index}${path}`),
  );
}

type Fields = Readonly<Record<string, unknown>>;

/** The rule of a test: the errors of its value, below its name. */
type Check = (value: unknown) => readonly string[];

const WRONG: readonly string[] = [''];
const RIGHT: readonly string[] = [];

const CHECKS: Readonly<Record<string, Check>> = {
  in: listOf(
    256,
    (entry) => isText(entry, 0, 256) || isNumber(entry) || typeof entry === 'boolean' || entry === null,
  ),
  not_in: listOf(256, (entry) => isText(entry, 0, 256) && /^(?:[!-~](?:[ -~]*[!-~])?)?$/.test(entry)),
  prefix: listOf(64, (entry) => isText(entry, 1, 256) && !/^(?:\/|\.\/|\.\.\/|~|https?:)/.test(entry)),
  suffix: listOf(64, (entry) => isText(entry, 1, 256) && !entry.startsWith('@')),
  min: (value) => (isBound(value) ? RIGHT : WRONG),
  max: (value) => (isBound(value) ? RIGHT : WRONG),
  email_in: listOf(256, (entry) => typeof entry === 'string' && isMailEntry(entry)),
  url_under: listOf(64, (entry) => typeof entry === 'string' && isUrlEntry(entry)),
  path_under: listOf(64, (entry) => typeof entry === 'string' && isPathEntry(entry)),
  max_items: (value) =>
    Number.isInteger(value) && Number(value) >= 0 && Number(value) <= 1_000 ? RIGHT : WRONG,
  only: listOf(64, (entry) => isText(entry, 0, 128), 0),
  present: (value) => (value === true ? RIGHT : WRONG),
  absent: (value) => (value === true ? RIGHT : WRONG),
};

function errorsOf(condition: unknown): readonly string[] {
  if (typeof condition !== 'object' || condition === null || Array.isArray(condition)) return WRONG;
  const fields: Fields = Object.fromEntries(
    Object.entries(condition).filter(([, value]) => value !== undefined),
  );
  const names = Object.keys(fields);
  const tests = names.filter((name) => Object.hasOwn(CHECKS, name));
  const unknown = names.filter((name) => !['actions', 'at', 'optional', ...tests].includes(name));
  const kinds = new Set(tests.map((name) => (name === 'max' ? 'min' : name)));
  return [
    ...unknown.map((name) => `/${name.replace(/~/g, '~0').replace(/\//g, '~1')}`),
    ...(kinds.size === 1 ? RIGHT : WRONG),
    ...tests.flatMap((name) => (CHECKS[name] ?? none)(fields[name]).map((path) => `/${name}${path}`)),
    ...(isRangeEmpty(fields) ? ['/max'] : RIGHT),
    ...(isPointer(fields['at'], kinds.has('only')) ? RIGHT : ['/at']),
    ...actionErrors(fields['actions']),
    ...(isOptionalWrong(fields, kinds) ? ['/optional'] : RIGHT),
  ];
}

function none(): readonly string[] {
  return RIGHT;
}

/** A list of unique entries, of at least one entry unless `least` says otherwise. */
function listOf(most: number, isEntry: (entry: unknown) => boolean, least = 1): Check {
  return (list) => {
    if (!Array.isArray(list) || list.length < least || list.length > most) return WRONG;
    const wrong = list.flatMap((entry: unknown, index) => (isEntry(entry) ? [] : [`/${index}`]));
    return new Set(list).size === list.length ? wrong : [...WRONG, ...wrong];
  };
}

function isText(value: unknown, least: number, most: number): value is string {
  return typeof value === 'string' && value.length >= least && value.length <= most;
}

function isNumber(value: unknown): boolean {
  return typeof value === 'number' && Number.isFinite(value) && !Object.is(value, -0);
}

/** An exact decimal of at most 10^15 in size and 6 decimals. */
function isBound(value: unknown): value is number | string {
  if (typeof value !== 'string' && !isNumber(value)) return false;
  if (!/^-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?$/.test(String(value)) || /^-0(?:\.0+)?$/.test(String(value)))
    return false;
  const { over, under } = fractionOf(String(value));
  const size = over < 0n ? -over : over;
  return size <= 10n ** 15n * under && (over * 1_000_000n) % under === 0n;
}

function isRangeEmpty({ min, max }: Fields): boolean {
  return (
    isBound(min) && isBound(max) && compareFractions(fractionOf(String(min)), fractionOf(String(max))) > 0
  );
}

function isPointer(at: unknown, isOnly: boolean): boolean {
  if (at === '') return isOnly;
  if (!isText(at, 1, 256) || !/^(?:\/(?:[^/~]|~[01])*)+$/.test(at)) return false;
  const names = namesIn(at);
  return names.length <= 8 && !names.includes('__proto__') && !names.includes('-');
}

function actionErrors(actions: unknown): readonly string[] {
  if (actions === undefined) return RIGHT;
  const isEntry = (entry: unknown) => typeof entry === 'string' && isActionEntry(entry);
  return listOf(256, isEntry)(actions).map((path) => `/actions${path}`);
}

function isOptionalWrong({ optional }: Fields, kinds: ReadonlySet<string>): boolean {
  if (optional === undefined) return false;
  return typeof optional !== 'boolean' || (optional && (kinds.has('present') || kinds.has('absent')));
}

function isMailEntry(entry: string): boolean {
  return entry === inLowerCase(entry) && (isAddress(entry) || isMailDomain(entry));
}

function isUrlEntry(entry: string): boolean {
  const parts = urlParts(entry);
  if (parts === undefined || parts.hasMore || parts.port === defaultPortOf(parts.scheme)) return false;
  const { host, path } = parts;
  const rest = host.startsWith('*.') ? host.slice(2) : host;
  const isStarred = rest !== host;
  if (!isHost(rest) || rest !== inLowerCase(rest)) return false;
  return isPlainUrlPath(path) && (!isStarred || /\.[a-z][^.]*$/.test(rest));
}

function isPathEntry(entry: string): boolean {
  return entry === '/' || entry === '.' || (isPath(entry) && !entry.endsWith('/'));
}
