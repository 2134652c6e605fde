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

/** The schema of a record: the compiler asks for every field of its type. */
export function answer<Shape = Record<string, unknown>>(
  properties: Readonly<Record<keyof Shape & string, JsonSchema>>,
  optional: readonly string[] = [],
): JsonSchema {
  const required = Object.keys(properties).filter((name) => !optional.includes(name));
  return { type: 'object', properties, required, additionalProperties: false };
}

/** The same schema, or `null`. The schema must have a `type`, so that only one thing can be wrong with a value. */
export function nullable(schema: JsonSchema): JsonSchema {
  const { type, enum: values } = schema;
  return {
    ...schema,
    type: [type, 'null'].flat(),
    ...(Array.isArray(values) && { enum: [...values, null] }),
  };
}

/** A reference to a schema of this package by its name. */
export function ref(name: string): JsonSchema {
  return { $ref: `#/components/schemas/${name}` };
}

/** A page of a list whose records have that schema. */
export function page(item: string, extra: Readonly<Record<string, JsonSchema>> = {}): JsonSchema {
  return answer({
    data: { type: 'array', items: ref(item) },
    has_more: { type: 'boolean' },
    next_cursor: nullable({ type: 'string' }),
    ...extra,
  });
}
