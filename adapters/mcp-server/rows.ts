/** Reads the scopes and the argument schemas of the operations that tools call, from the table of operations. */
import {
  type Endpoint,
  endpoints,
  type JsonSchema,
  openApiDocument,
  type Scope,
} from '../../src/http/index.ts';

export type RowName = `${Endpoint['method']} /${string}`;

export type Arguments = Readonly<Record<string, Argument>>;

export interface Argument {
  readonly schema: JsonSchema;
  readonly isRequired?: true;
}

const { schemas } = openApiDocument(endpoints)['components'] as {
  readonly schemas: Readonly<Record<string, JsonSchema>>;
};

export const apiNames: ReadonlySet<string> = new Set(namesIn(schemas));

export function scopeOf(name: RowName): Scope {
  const { management } = rowOf(name);
  const [scope] = Array.isArray(management) ? (management as readonly Scope[]) : [];
  if (scope === undefined) throw new Error(`No scope of a management key allows ${name}.`);
  return scope;
}

export function pathOf(name: RowName): Arguments {
  const names = [...name.matchAll(/\{(\w+)\}/g)].map(([, parameter]) => parameter ?? '');
  return Object.fromEntries(names.map((parameter) => [parameter, required(schemaOf('Passport', parameter))]));
}

export function queryOf(name: RowName, fixedNames: readonly string[] = []): Arguments {
  const parameters = (rowOf(name).query ?? []).filter(
    (parameter) => parameter.isOfHttp !== true && !fixedNames.includes(parameter.name),
  );
  return Object.fromEntries(
    parameters.map(({ name: parameter, description, schema }) => [
      parameter,
      { schema: whole({ ...schema, description }) },
    ]),
  );
}

export function bodyOf(name: RowName, fields: readonly string[]): Arguments {
  const { required: must = [] } = bodySchema(name) as { readonly required?: readonly string[] };
  const schema = rowOf(name).body?.schema ?? '';
  return Object.fromEntries(
    fields.map((field) => [
      field,
      must.includes(field) ? required(schemaOf(schema, field)) : { schema: schemaOf(schema, field) },
    ]),
  );
}

export function bodySchema(name: RowName): JsonSchema {
  return whole(schemas[rowOf(name).body?.schema ?? ''] ?? {});
}

export function schemaOf(record: string, field: string): JsonSchema {
  const { properties = {} } = (schemas[record] ?? {}) as {
    readonly properties?: Readonly<Record<string, JsonSchema>>;
  };
  const schema = properties[field];
  if (schema === undefined) throw new Error(`${record} has no field ${field}.`);
  return whole(schema);
}

export function required(schema: JsonSchema): Argument {
  return { schema, isRequired: true };
}

function rowOf(name: RowName): Endpoint {
  const row = endpoints.find(({ method, path }) => `${method} ${path}` === name);
  if (row === undefined) throw new Error(`There is no operation ${name}.`);
  return row;
}

const REF = '#/components/schemas/';

/**
 * Returns the schema with all schemas that it refers to. It has no examples, because each word costs the model tokens.
 */
function whole(schema: JsonSchema): JsonSchema {
  const { $ref } = schema;
  if (typeof $ref === 'string') return whole(schemas[$ref.slice(REF.length)] ?? {});
  const members = Object.entries(schema).filter(([name]) => name !== 'examples');
  return Object.fromEntries(members.map(([name, member]) => [name, wholeMember(member)]));
}

function wholeMember(member: unknown): unknown {
  if (Array.isArray(member)) return member.map(wholeMember);
  return typeof member === 'object' && member !== null ? whole(member as JsonSchema) : member;
}

function namesIn(schema: unknown): readonly string[] {
  if (typeof schema !== 'object' || schema === null) return [];
  const { properties = {} } = schema as { readonly properties?: object };
  return [...Object.keys(properties), ...Object.values(schema).flatMap(namesIn)];
}
