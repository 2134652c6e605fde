/** Validates lines against the class definitions of OCSF 1.8.0. `ocsf-1.8.0.json` is the part of them for our classes. */
import { readFileSync } from 'node:fs';

/** An attribute: its type, `r` required, `l` a list, `e` its numbers. */
interface Attribute {
  readonly t: string;
  readonly r?: number;
  readonly l?: number;
  readonly e?: readonly string[];
  readonly p?: string;
}

interface Shape {
  readonly a: Readonly<Record<string, Attribute>>;
  readonly c?: { readonly at_least_one?: readonly string[] };
}

interface Plain {
  readonly t?: string;
  /** A pattern, a longest length, a range. */
  readonly x?: string;
  readonly m?: number;
  readonly g?: readonly [number, number];
}

interface Schema {
  readonly classes: Readonly<Record<string, Shape & { readonly category_uid: number }>>;
  readonly objects: Readonly<Record<string, Shape>>;
  readonly types: Readonly<Record<string, Plain>>;
}

const FILE = new URL('ocsf-1.8.0.json', import.meta.url);
const schema: Schema = JSON.parse(readFileSync(FILE, 'utf8'));

type Members = Readonly<Record<string, unknown>>;

/** Returns the problems of an event; empty if it is valid. */
export function problemsOf(event: Members): readonly string[] {
  const { class_uid, category_uid, activity_id, type_uid, metadata } = event;
  const found = schema.classes[`${class_uid}`];
  if (found === undefined) return [`class ${class_uid}`];
  const { profiles = [], version } = Object(metadata) as {
    readonly profiles?: readonly string[];
    readonly version?: string;
  };
  return [
    ...(category_uid === found.category_uid ? [] : ['/category_uid']),
    ...(type_uid === Number(class_uid) * 100 + Number(activity_id) ? [] : ['/type_uid']),
    ...(version === '1.8.0' ? [] : ['/metadata/version']),
    ...(activity_id !== 99 || typeof event['activity_name'] === 'string' ? [] : ['/activity_name']),
    ...shapeProblems(event, found, { path: '', profiles }),
  ];
}

interface Place {
  readonly path: string;
  readonly profiles: readonly string[];
}

function shapeProblems(value: unknown, { a, c }: Shape, { path, profiles }: Place): readonly string[] {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return [path];
  const members = Object.entries(value);
  const isThere = (name: string) => Object.hasOwn(value, name);
  const missing = Object.entries(a).filter(
    ([name, { r, p }]) => r === 1 && (p === undefined || profiles.includes(p)) && !isThere(name),
  );
  const oneOf = c?.at_least_one ?? [];
  return [
    ...missing.map(([name]) => `${path}/${name} is missing`),
    ...(oneOf.length === 0 || oneOf.some(isThere) ? [] : [`${path} has none of ${oneOf.join()}`]),
    ...members.flatMap(([name, member]) => {
      const attribute = a[name];
      const isKnown = attribute !== undefined && (!attribute.p || profiles.includes(attribute.p));
      if (!isKnown) return [`${path}/${name} is unknown`];
      return attributeProblems(member, attribute, { path: `${path}/${name}`, profiles });
    }),
  ];
}

function attributeProblems(value: unknown, attribute: Attribute, place: Place): readonly string[] {
  const { t, l, e } = attribute;
  if (l === 1) {
    if (!Array.isArray(value)) return [place.path];
    return value.flatMap((item) => attributeProblems(item, { t }, place));
  }
  if (t === '@object') return typeof value === 'object' && value !== null ? [] : [place.path];
  if (t.startsWith('@')) return shapeProblems(value, schema.objects[t.slice(1)] ?? { a: {} }, place);
  // The definitions name the class and the category of the base event; `problemsOf` checks both.
  const isHead = place.path === '/class_uid' || place.path === '/category_uid';
  if (e !== undefined && !isHead && !e.includes(`${value}`)) return [place.path];
  return isPlain(value, t) ? [] : [place.path];
}

function isPlain(value: unknown, name: string): boolean {
  const { t, x, m, g } = schema.types[name] ?? {};
  const base = t ?? name;
  if (base === 'json_t') return true;
  if (base === 'boolean_t') return typeof value === 'boolean';
  if (base !== 'string_t') {
    return (
      Number.isSafeInteger(value) && (g === undefined || (Number(value) >= g[0] && Number(value) <= g[1]))
    );
  }
  if (typeof value !== 'string' || value.length > (m ?? Number.POSITIVE_INFINITY)) return false;
  return x === undefined || new RegExp(x).test(value);
}
