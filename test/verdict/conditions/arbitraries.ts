/** Conditions, and intents that are aimed at them, so that both verdicts are frequent. */
import type { Draw } from './draw.ts';
import { oddValue } from './odd-values.ts';
import { type Condition, namesIn } from './reference.ts';
import { LEFT_OUT, SUBJECTS, subjectOf } from './values.ts';

/** A question about conditions. */
export interface ConditionQuestion {
  readonly conditions: readonly Condition[];
  readonly action: string;
  /** `undefined` where the intent has none. */
  readonly parameters: unknown;
}

/** How strange the values are that a question may have. */
export type Kind = 'json' | 'odd';

const ACTIONS = ['mail.send', 'mail.send.now', 'files.read'];
const ACTION_LISTS = [['mail.*'], ['mail.send'], ['files.*', 'x'], ['*'], ['other']];
const POINTERS = [
  ...['/to', '/to', '/to', '/mail/to', '/list/*/to', '/list/*', '/list/0', '/list/1/to', '/to/*', '/to/0'],
  ...[
    '/a~1b',
    '/m~0n',
    '/',
    '/To',
    '/list/*/all/*/x',
    '/a/b/c/d/e/f/g/h',
    '/amount',
    '/constructor',
    '/length',
    '/\u00e9',
    '/01',
    '/mail',
  ],
];

export function conditionsOf(draw: Draw): readonly Condition[] {
  const count = draw.chance(0.02) ? 16 : 1 + draw.below(3);
  return Array.from({ length: count }, () => conditionOf(draw));
}

export function conditionOf(draw: Draw): Condition {
  const test = draw.one(SUBJECTS).test(draw);
  const at = test.only !== undefined && draw.chance(0.5) ? '' : draw.one(POINTERS);
  const mayBeOptional = test.present === undefined && test.absent === undefined;
  return {
    ...(draw.chance(0.3) && { actions: draw.one(ACTION_LISTS) }),
    at,
    ...(mayBeOptional && draw.chance(0.2) && { optional: true as const }),
    ...test,
  };
}

export function questionOf(draw: Draw, kind: Kind = 'json'): ConditionQuestion {
  const conditions = conditionsOf(draw);
  return { conditions, action: draw.one(ACTIONS), parameters: parametersFor(draw, conditions, kind) };
}

/** The parameters of an intent that mostly has something at every pointer. */
export function parametersFor(draw: Draw, conditions: readonly Condition[], kind: Kind = 'json'): unknown {
  if (draw.chance(0.01)) return draw.one([undefined, null, [], ['x'], 'x', 7]);
  const strictness = draw.one([0, 0.1, 0.5]);
  let root: unknown = {};
  for (const condition of conditions) {
    const make = () => valueFor(draw, condition, kind, strictness);
    if (condition.at === '') root = merged(root, make());
    else if (!draw.chance(0.04)) root = placed(draw, root, namesIn(condition.at), make);
  }
  if (draw.chance(0.04)) root = withTwin(draw, root);
  if (kind === 'odd' && draw.chance(0.05)) return oddValue(draw, root);
  return root;
}

function valueFor(draw: Draw, condition: Condition, kind: Kind, strictness: number): unknown {
  const subject = subjectOf(condition);
  const value = (draw.chance(strictness) ? subject.near : subject.passing)(draw, condition);
  if (value === LEFT_OUT) return value;
  if (kind === 'odd' && draw.chance(0.3)) return oddValue(draw, value);
  if (condition.at === '' || !draw.chance(0.25)) return value;
  const other = subject.passing(draw, condition);
  return draw.one<() => unknown>([
    () => [value],
    () => [value, other],
    () => [other, value],
    () => [value, [value]],
    () => [],
    () => ({ 0: value }),
    () => (draw.chance(0.2) ? many(draw, value) : [other]),
  ])();
}

/** Arrays about as long as a pointer may read. */
function many(draw: Draw, value: unknown): unknown {
  const length = draw.one([255, 256, 257, 300]);
  const all = Array.from({ length }, () => value);
  return draw.chance(0.3) ? [all.slice(0, length >> 1), all.slice(length >> 1)] : all;
}

/** The holder with the value at the place that the names lead to; sometimes with something else on the way. */
function placed(draw: Draw, holder: unknown, names: readonly string[], make: () => unknown): unknown {
  const [name, ...rest] = names;
  if (name === undefined) return make();
  if (draw.chance(0.01)) return draw.one<unknown>(['x', null, [], {}, 7, [[]]]);
  if (name === '*') return elements(draw, holder, (before) => placed(draw, before, rest, make));
  if (/^(?:0|1)$/.test(name) && draw.chance(0.95)) {
    const all = Array.isArray(holder) ? [...holder] : [];
    for (let index = all.length; index <= Number(name); index += 1) all[index] = 'x';
    const value = placed(draw, all[Number(name)], rest, make);
    return value === LEFT_OUT ? all.slice(0, Number(name)) : all.with(Number(name), value);
  }
  const object = isObject(holder) ? holder : {};
  return withMember(object, name, placed(draw, own(object, name), rest, make));
}

function elements(draw: Draw, holder: unknown, place: (before: unknown) => unknown): unknown {
  const before: readonly unknown[] = Array.isArray(holder) && holder.length < 5 ? holder : [undefined];
  const count = draw.chance(0.01) ? draw.one([0, 256, 257]) : 1 + draw.below(3);
  const all = Array.from({ length: count }, (_, index) => place(before[index % before.length]));
  return all.filter((value) => value !== LEFT_OUT);
}

function merged(holder: unknown, value: unknown): unknown {
  if (!isObject(holder) || !isObject(value) || Object.keys(holder).length === 0) return value;
  let all: object = holder;
  for (const name of Object.keys(value)) all = withMember(all, name, own(value, name));
  return all;
}

/** A second member whose name differs in the case of a letter. */
function withTwin(draw: Draw, holder: unknown): unknown {
  if (!isObject(holder)) return holder;
  const name = draw.one([...Object.keys(holder), 'to']);
  const inner = own(holder, name);
  if (isObject(inner) && draw.chance(0.5)) return withMember(holder, name, withTwin(draw, inner));
  const twin = draw.one([
    name.toUpperCase(),
    name.replace(/^\w/, (letter) => letter.toUpperCase()),
    `${name} `,
    `${name}\u0000`,
    name.replace('t', '\u01ad'),
  ]);
  return withMember(holder, twin, 'twin');
}

/** Copies the members, so that getters and symbols of an odd object stay where they are. */
function withMember(object: object, name: string, value: unknown): object {
  if (value === LEFT_OUT) return object;
  const { [name]: _, ...others }: Record<string, PropertyDescriptor> =
    Object.getOwnPropertyDescriptors(object);
  const copy = Object.create(Object.getPrototypeOf(object), others);
  return Object.defineProperty(copy, name, { value, enumerable: true, writable: true, configurable: true });
}

function own(object: object, name: string): unknown {
  return Object.getOwnPropertyDescriptor(object, name)?.value;
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
