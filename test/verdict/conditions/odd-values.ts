/** Values that JSON cannot carry, or that are read in another way than they are shown. */
import { runInNewContext } from 'node:vm';
import type { Draw } from './draw.ts';

/** Makes something odd of a value, which stays visible in it where that is possible. */
export type Oddity = (value: unknown) => unknown;

class Holder {
  readonly value: unknown;
  constructor(value: unknown) {
    this.value = value;
  }
  toJSON(): unknown {
    return this.value;
  }
  toString(): string {
    return String(this.value);
  }
}

/** An object may throw when it is made a text. */
const textOf = (value: unknown): string => (typeof value === 'object' ? '1' : String(value));
const members = (value: unknown): object =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? value : { value };
const elements = (value: unknown): unknown[] => (Array.isArray(value) ? [...value] : [value]);

/** In the place of a value: section 2, rule 7 says what must become of these. */
export const UNCARRIED: Readonly<Record<string, Oddity>> = {
  undefined: () => undefined,
  NaN: () => Number.NaN,
  infinity: () => Number.POSITIVE_INFINITY,
  'negative zero': () => -0,
  function: (value) => () => value,
  'function with a member': (value) => Object.assign(() => value, { to: value }),
  symbol: (value) => Symbol(textOf(value)),
  bigint: () => 1n,
  instance: (value) => new Holder(value),
  'heir of data': (value) => Object.assign(Object.create({ more: 1 }), members(value)),
  'members by inheritance': (value) => Object.create(members(value)),
  'boxed text': (value) => new String(textOf(value)),
  'boxed number': (value) => new Number(textOf(value)),
  Map: (value) => new Map(Object.entries(members(value))),
  Set: (value) => new Set(elements(value)),
  Date: () => new Date(0),
  'typed array': () => new Uint8Array(1),
  'array of a class': (value) => Object.assign(new (class extends Array {})(), elements(value)),
  Promise: (value) => Promise.resolve(value),
};

/** Data, however it was made. */
export const CARRIED: Readonly<Record<string, Oddity>> = {
  'no prototype': (value) => (isData(value) ? Object.assign(Object.create(null), value) : value),
  frozen: (value) => Object.freeze(value),
  'Proxy of data': (value) => (typeof value === 'object' && value !== null ? new Proxy(value, {}) : value),
  'another realm': (value) =>
    isData(value) ? Object.assign(runInNewContext('({})') as object, value) : value,
};

/** What has more, or something else, than its members show. */
export const SLY: Readonly<Record<string, Oddity>> = {
  getter: (value) => Object.defineProperty({}, 'to', { get: () => value, enumerable: true }),
  'hidden member': (value) => Object.defineProperty({ ...members(value) }, 'bcc', { value: 'x' }),
  'member by symbol': (value) => ({ ...members(value), [Symbol('to')]: 'x' }),
  'own toJSON': (value) => ({ ...members(value), toJSON: () => ({ to: 'eve@evil.example' }) }),
  'array with a hole': (value) => Object.assign(new Array(elements(value).length + 1), elements(value)),
  'array of undefined': (value) => [...elements(value), undefined],
};

function isData(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function oddValue(draw: Draw, value: unknown): unknown {
  const oddities = draw.chance(0.7) ? UNCARRIED : CARRIED;
  return (oddities[draw.one(Object.keys(oddities))] ?? String)(value);
}
