import { runInNewContext } from 'node:vm';

/** Puts a value under a name into a record in some way that JavaScript has; the record, or what is in its place. */
export type Disguise = (record: Record<string, unknown>, name: string, value: unknown) => unknown;

const heirOf =
  (prototype: (name: string, value: unknown) => object | null): Disguise =>
  ({ ...record }, name, value) => {
    Reflect.deleteProperty(record, name);
    return Object.assign(Object.create(prototype(name, value)), record);
  };

/** Ways to give a record a member: some of them JSON carries, most of them only this process can see. */
export const DISGUISES: Readonly<Record<string, Disguise>> = {
  plain: (record, name, value) => ({ ...record, [name]: value }),
  frozen: (record, name, value) => Object.freeze({ ...record, [name]: value }),
  'no prototype': (record, name, value) => Object.assign(Object.create(null), record, { [name]: value }),
  'another realm': (record, name, value) =>
    Object.assign(runInNewContext('({})') as object, record, { [name]: value }),
  accessor: (record, name, value) =>
    Object.defineProperty({ ...record }, name, { get: () => value, enumerable: true }),
  hidden: (record, name, value) => Object.defineProperty({ ...record }, name, { value }),
  'hidden accessor': (record, name, value) =>
    Object.defineProperty({ ...record }, name, { get: () => value }),
  inherited: heirOf((name, value) => ({ [name]: value })),
  'inherited accessor': heirOf((name, value) =>
    Object.defineProperty({}, name, { get: () => value, enumerable: true }),
  ),
  'inherited from what inherits nothing': heirOf((name, value) =>
    Object.assign(Object.create(null), { [name]: value }),
  ),
  'field of a class': (record, name, value) =>
    Object.assign(new (class Data {})(), record, { [name]: value }),
  'private field with toJSON': (record, name, value) => {
    class Data {
      readonly #all = { ...record, [name]: value };
      toJSON(): object {
        return this.#all;
      }
    }
    return Object.assign(new Data(), record);
  },
  'own toJSON': (record, name, value) => ({ ...record, toJSON: () => ({ ...record, [name]: value }) }),
  'hidden toJSON': (record, name, value) =>
    Object.defineProperty({ ...record }, 'toJSON', { value: () => ({ ...record, [name]: value }) }),
  'in a Map': (record, name, value) => new Map(Object.entries({ ...record, [name]: value })),
  'on a Map': (record, name, value) => Object.assign(new Map(), record, { [name]: value }),
  'on a list': (record, name, value) => Object.assign([], record, { [name]: value }),
  'on a Date': (record, name, value) => Object.assign(new Date(), record, { [name]: value }),
  'on a boxed text': (record, name, value) => Object.assign(new String('a'), record, { [name]: value }),
  'on a function': (record, name, value) => Object.assign(() => undefined, record, { [name]: value }),
  'in the parameters of a URL': (_record, name, value) =>
    new URLSearchParams([[name, typeof value === 'number' ? `${value}` : '500']]),
  'under a symbol': (record, name, value) => ({ ...record, [Symbol(name)]: value }),
  'behind a Proxy': (record, name, value) => new Proxy({ ...record, [name]: value }, {}),
  'only read from a Proxy': (record, name, value) =>
    new Proxy({ ...record }, { get: (target, key) => (key === name ? value : Reflect.get(target, key)) }),
  'only shown by a Proxy': (record, name, value) =>
    new Proxy(
      { ...record, [name]: value },
      { get: (target, key) => (key === name ? undefined : Reflect.get(target, key)) },
    ),
  'not listed by a Proxy': (record, name, value) =>
    new Proxy(
      { ...record, [name]: value },
      { ownKeys: (target) => Reflect.ownKeys(target).filter((key) => key !== name) },
    ),
};

/** Values that JSON drops, changes or cannot carry, and values that it carries. */
export const ODD_VALUES: readonly unknown[] = [
  ...[undefined, null, -0, Number.NaN, Number.POSITIVE_INFINITY, 1e21, 0.1 + 0.2, 5n, Symbol('a')],
  ...[() => 5, new Date(0), new Map(), new Set([1]), new Number(5), new String('5'), new Boolean(true)],
  ...[[], [5], new Array(1), [undefined], { valueOf: () => 5 }, { toJSON: () => 5 }, /5/, new Error('5')],
  ...['\ud800', 'a\0b', '-0', '5', 'EUR', '', true, false, {}, { amount: 500 }, new Uint8Array(1)],
];
