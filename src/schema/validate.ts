/** Validates data by a JSON Schema, as plain data: the keywords that the schemas of requests use. */
import { pointer } from '../errors.ts';
import type { BareSchema, ValidationError } from './validator.ts';
import { schemas } from './validators.generated.ts';

type Found = ValidationError[];

/** Returns the errors of a value, in the order of the fields of its schema. */
export function errorsOf(schema: BareSchema, value: unknown): readonly ValidationError[] {
  const found: Found = [];
  validate(schema, value, '', found);
  return found;
}

function validate(schema: BareSchema, value: unknown, at: string, found: Found): void {
  const { type, $ref, enum: values } = schema;
  if ($ref !== undefined) validate(schemas[$ref], value, at, found);
  if (type !== undefined && ![type].flat().some((name) => isOf(name, value))) add(found, at, 'type');
  if (typeof value === 'string') validateText(schema, value, at, found);
  else if (typeof value === 'number') validateNumber(schema, value, at, found);
  else if (Array.isArray(value)) validateList(schema, value, at, found);
  else if (isOf('object', value))
    validateObject(schema, value as Readonly<Record<string, unknown>>, at, found);
  if (values !== undefined && !values.includes(value)) add(found, at, 'enum');
}

function add(found: Found, instancePath: string, keyword: string, params: ValidationError['params'] = {}) {
  found.push({ instancePath, keyword, params });
}

function isOf(type: string, value: unknown): boolean {
  if (type === 'null') return value === null;
  if (type === 'array') return Array.isArray(value);
  if (type === 'object') return typeof value === 'object' && value !== null && !Array.isArray(value);
  if (type === 'integer') return Number.isInteger(value);
  return type === 'number' ? Number.isFinite(value) : typeof value === type;
}

/** Counts lengths in UTF-16 units, as all lengths of the API. */
function validateText(
  { maxLength, minLength, pattern }: BareSchema,
  value: string,
  at: string,
  found: Found,
) {
  if (maxLength !== undefined && value.length > maxLength) add(found, at, 'maxLength', { limit: maxLength });
  if (minLength !== undefined && value.length < minLength) add(found, at, 'minLength', { limit: minLength });
  if (pattern !== undefined && !new RegExp(pattern, 'u').test(value)) add(found, at, 'pattern');
}

function validateNumber({ maximum, minimum }: BareSchema, value: number, at: string, found: Found) {
  if (!Number.isFinite(value)) return;
  if (maximum !== undefined && value > maximum) add(found, at, 'maximum');
  if (minimum !== undefined && value < minimum) add(found, at, 'minimum');
}

function validateList(schema: BareSchema, value: readonly unknown[], at: string, found: Found) {
  const { maxItems, minItems, items, uniqueItems } = schema;
  if (maxItems !== undefined && value.length > maxItems) add(found, at, 'maxItems', { limit: maxItems });
  if (minItems !== undefined && value.length < minItems) add(found, at, 'minItems', { limit: minItems });
  if (items !== undefined)
    for (let index = 0; index < value.length; index += 1)
      validate(items, value[index], `${at}/${index}`, found);
  if (uniqueItems === true) validateUnique(value, at, found);
}

/** Finds the last text that a list repeats; its other entries have the wrong type. */
function validateUnique(value: readonly unknown[], at: string, found: Found) {
  const places = new Map<string, number>();
  for (let i = value.length - 1; i >= 0; i -= 1) {
    const entry = value[i];
    if (typeof entry !== 'string') continue;
    const j = places.get(entry);
    if (j !== undefined) {
      add(found, at, 'uniqueItems', { i, j });
      break;
    }
    places.set(entry, i);
  }
}

function validateObject(
  schema: BareSchema,
  value: Readonly<Record<string, unknown>>,
  at: string,
  found: Found,
): void {
  const { maxProperties, properties = {}, required = [], additionalProperties: rest = true } = schema;
  if (maxProperties !== undefined && Object.keys(value).length > maxProperties)
    add(found, at, 'maxProperties', { limit: maxProperties });
  for (const name of required)
    if (value[name] === undefined) add(found, at, 'required', { missingProperty: name });
  if (rest !== true)
    for (const name in value)
      if (!Object.hasOwn(properties, name)) {
        if (rest === false) add(found, at, 'additionalProperties', { additionalProperty: name });
        else validate(rest, value[name], at + pointer(name), found);
      }
  for (const name in properties)
    if (value[name] !== undefined)
      validate(properties[name] as BareSchema, value[name], `${at}/${name}`, found);
}
