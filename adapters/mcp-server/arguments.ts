/** Checks the arguments of a call. The service checks their values as well. */
import type { JsonSchema } from '../../src/http/index.ts';
import { IdentityError } from '../../src/index.ts';
import { MAX_ITEMS } from './bounded.ts';
import type { Arguments } from './rows.ts';

export type Given = Readonly<Record<string, unknown>>;

export function inputSchema(knownArguments: Arguments): JsonSchema & { readonly type: 'object' } {
  const entries = Object.entries(knownArguments);
  return {
    type: 'object',
    properties: Object.fromEntries(entries.map(([name, { schema }]) => [name, atMost(name, schema)])),
    required: entries.filter(([, { isRequired }]) => isRequired).map(([name]) => name),
    additionalProperties: false,
  };
}

function atMost(name: string, schema: JsonSchema): JsonSchema {
  return name === 'limit' ? { ...schema, maximum: MAX_ITEMS, default: MAX_ITEMS } : schema;
}

/**
 * Returns the checked arguments of a call.
 *
 * @throws {IdentityError} `invalid_request` for an argument that is unknown, missing or of another type.
 */
export function checkedArguments(knownArguments: Arguments, value: unknown = {}): Given {
  const errors = [...argumentErrors(knownArguments, Object(value))];
  if (errors.length === 0) return value as Given;
  throw new IdentityError('invalid_request', 'The arguments are not valid.', { details: { errors } });
}

function* argumentErrors(knownArguments: Arguments, values: Given) {
  const { properties = {} } = inputSchema(knownArguments) as {
    readonly properties?: Readonly<Record<string, JsonSchema>>;
  };
  for (const [name, value] of Object.entries(values)) {
    const schema = Object.hasOwn(properties, name) ? properties[name] : undefined;
    if (schema === undefined) yield errorAt(name, 'unknown_field', 'There is no such argument.');
    else if (!isOfType(schema, value))
      yield errorAt(name, 'malformed', 'The argument does not fit the schema of the tool.');
  }
  for (const [name, { isRequired }] of Object.entries(knownArguments)) {
    if (isRequired && values[name] === undefined) yield errorAt(name, 'required', 'The argument is missing.');
  }
}

function errorAt(name: string, code: string, message: string) {
  return { path: `/${name}`, code, message };
}

function isOfType({ type, minimum, maximum, maxItems, enum: values }: JsonSchema, value: unknown): boolean {
  if (Array.isArray(values)) return values.includes(value);
  if (type === 'integer') return Number.isInteger(value) && inRange(value as number, minimum, maximum);
  if (type === 'array') return Array.isArray(value) && !(value.length > Number(maxItems));
  if (type === 'object') return typeof value === 'object' && value !== null && !Array.isArray(value);
  return type === undefined || typeof value === type;
}

function inRange(value: number, minimum: unknown, maximum: unknown): boolean {
  return !(value < Number(minimum ?? value)) && !(value > Number(maximum ?? value));
}
