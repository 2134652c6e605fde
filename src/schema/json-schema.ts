/** A JSON Schema (2020-12, the dialect of OpenAPI 3.1) as plain data. */
export interface JsonSchema {
  readonly [keyword: string]: unknown;
}

/** An object schema that refuses every field it does not name. */
export function closedObject(
  properties: Readonly<Record<string, JsonSchema>>,
  required: readonly string[],
  description: string,
): JsonSchema {
  return { type: 'object', description, properties, required, additionalProperties: false };
}

/** The same schema, or `null`. The schema must have a `type`, so that only one thing can be wrong with a value. */
export function nullable(schema: JsonSchema): JsonSchema {
  return { ...schema, type: [schema['type'], 'null'].flat() };
}

/** A reference to a schema of this package by its name. */
export function ref(name: string): JsonSchema {
  return { $ref: `#/components/schemas/${name}` };
}
