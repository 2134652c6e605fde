/** Writes the fields of a passport as texts, and reads what people type. */
import type { Passport } from '../../../../src/index.ts';
import {
  type FormField,
  PASSPORT_LABELS,
  type PlainField,
  TEXT_KINDS,
  type TextKind,
} from '../../../../src/schema/passport-words.ts';
import type { Budget, Pace } from '../../../../src/types.ts';
import { budgetsIn, linesOfBudgets, linesOfPaces, pacesIn } from './budget-lines.ts';
import { fromInput, toInput } from './time.ts';
import { linesOf } from './words.ts';

/** Writes a value as text, and reads a text that is not empty. The service checks what was read. */
interface Kind<Value = unknown> {
  write(value: Value): string;
  read(text: string): unknown;
}

const TEXT: Kind<string | number> = { write: (value) => `${value}`, read: (text) => text.trim() };
const PROSE: Kind<string> = { write: (value) => value, read: (text) => text };
const LINES: Kind<readonly string[]> = { write: (list) => list.join('\n'), read: linesOf };
const TIME: Kind<string> = { write: toInput, read: fromInput };
const JSON_LINES: Kind<readonly object[]> = {
  write: (list) => list.map((one) => JSON.stringify(one)).join('\n'),
  read: (text) => linesOf(text).map(parsed),
};
const BUDGETS: Kind<readonly Budget[]> = {
  write: (list) => linesOfBudgets(list).join('\n'),
  read: (text) => budgetsIn(linesOf(text)),
};
const PACES: Kind<readonly Pace[]> = {
  write: (list) => linesOfPaces(list).join('\n'),
  read: (text) => pacesIn(linesOf(text)),
};
const KEYS: Kind<readonly object[]> = { write: (keys) => JSON.stringify(keys, null, 2), read: keysIn };
const PAIRS: Kind<Readonly<Record<string, string>>> = {
  write: (pairs) =>
    Object.entries(pairs)
      .map(([name, value]) => `${name} = ${value}`)
      .join('\n'),
  read: (text) =>
    Object.fromEntries(
      linesOf(text).map((line) => {
        const [name = '', ...value] = line.split('=');
        return [name.trim(), value.join('=').trim()];
      }),
    ),
};

const KINDS: Readonly<Record<TextKind, Kind>> = {
  text: TEXT,
  prose: PROSE,
  lines: LINES,
  time: TIME,
  'json lines': JSON_LINES,
  budgets: BUDGETS,
  paces: PACES,
  keys: KEYS,
  pairs: PAIRS,
};

export const FORM_FIELDS = Object.keys(TEXT_KINDS) as readonly FormField[];

export const PLAIN_FIELDS = Object.keys(PASSPORT_LABELS) as readonly PlainField[];

/** Returns the text of a field; empty if the passport does not have it. */
export function textOf(passport: Partial<Passport>, field: FormField): string {
  return passport[field] === undefined ? '' : KINDS[TEXT_KINDS[field]].write(passport[field]);
}

/** Returns the typed value of a field. Returns `null` for an empty text. */
export function typedValue(text: string, field: FormField): unknown {
  return text.trim() === '' ? null : (KINDS[TEXT_KINDS[field]].read(text) ?? null);
}

/** Parses a JWK, a JWK set or a list of JWKs. A text that is not JSON stays a text, so that the service reports it. */
function keysIn(text: string): unknown {
  const read: unknown = parsed(text);
  const keys: unknown = Object(read).keys;
  return Array.isArray(read) ? read : Array.isArray(keys) ? keys : [read];
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
