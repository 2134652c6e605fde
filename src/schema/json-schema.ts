/** A JSON Schema (2020-12, the dialect of OpenAPI 3.1) as plain data. */
export interface JsonSchema {
  readonly [keyword: string]: unknown;
}

export function closedObject(
  properties: Readonly<Record<string, JsonSchema>>,
  names: readonly string[],
  description: string,
): JsonSchema {
  return { type: 'object', description, properties, required: names, additionalProperties: false };
}

/** Creates the schema of a record. The compiler requires every field of its type. */
export function answer<Shape = Record<string, unknown>>(
  properties: Readonly<Record<keyof Shape & string, JsonSchema>>,
  optional: readonly string[] = [],
): JsonSchema {
  const names = Object.keys(properties).filter((name) => !optional.includes(name));
  return { type: 'object', properties, required: names, additionalProperties: false };
}

/**
 * Creates a schema that also accepts `null`. The given schema must have a `type`, so that a wrong value has only one
 * error.
 */
export function nullable(schema: JsonSchema): JsonSchema {
  const { type, enum: values } = schema;
  return {
    ...schema,
    type: [type, 'null'].flat(),
    ...(Array.isArray(values) && { enum: [...values, null] }),
  };
}

export function ref(name: string): JsonSchema {
  return { $ref: `#/components/schemas/${name}` };
}

export function page(item: string, extra: Readonly<Record<string, JsonSchema>> = {}): JsonSchema {
  return answer({
    data: { type: 'array', items: ref(item) },
    has_more: { type: 'boolean' },
    next_cursor: nullable({ type: 'string' }),
    ...extra,
  });
}
