import { Ajv } from 'ajv';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { JsonSchema } from '../../src/schema/json-schema.ts';
import { type RequestName, requestSchemas } from '../../src/schema/requests.ts';
import { errorsOf } from '../../src/schema/validate.ts';
import type { BareSchema, ValidationError } from '../../src/schema/validator.ts';
import { intentMembers, schemas } from '../../src/schema/validators.generated.ts';

const NAMES = Object.keys(requestSchemas) as RequestName[];

/** The reference: Ajv over the same schemas. */
const ajv = new Ajv({
  allErrors: true,
  messages: false,
  unicode: false,
  allowUnionTypes: true,
  logger: false,
});
ajv.addKeyword('components');
const components = { schemas: requestSchemas };
for (const name of NAMES)
  ajv.addSchema({ $id: name, components, ...(requestSchemas[name] as JsonSchema) }, name);

function reference(name: RequestName, value: unknown): readonly ValidationError[] {
  const validator = ajv.getSchema(name);
  if (validator?.(value) === true) return [];
  return (validator?.errors ?? []).map(({ instancePath, keyword, params }) => {
    const { limit, i, j, missingProperty, additionalProperty } = params;
    const known = { limit, i, j, missingProperty, additionalProperty };
    const isBound = !['maximum', 'minimum'].includes(keyword);
    const kept = Object.entries(known).filter(
      ([key, fact]) => fact !== undefined && (key !== 'limit' || isBound),
    );
    return { instancePath, keyword, params: Object.fromEntries(kept) };
  });
}

const wrong = fc.oneof(
  fc.constantFrom(
    null,
    true,
    -1,
    0,
    0.5,
    1e9 + 0.5,
    Number.MAX_VALUE,
    Number.NaN,
    Number.POSITIVE_INFINITY,
    '',
  ),
  fc.constantFrom('a', 'test:x', 'é\u0007', 'x'.repeat(600), [], {}, ['a', 'a', 1, 'a'], { 'a/b~c': 1 }),
);

/** Makes values that often fit a schema. */
function valuesOf(schema: BareSchema): fc.Arbitrary<unknown> {
  const { $ref, enum: values, properties, required = [], items, additionalProperties: rest } = schema;
  if ($ref !== undefined) return fc.constant(null).chain(() => valuesOf(schemas[$ref]));
  const fit: fc.Arbitrary<unknown>[] = [];
  const types = [schema.type ?? []].flat();
  if (values !== undefined) fit.push(fc.constantFrom(...values));
  else if (types.includes('string'))
    fit.push(fc.string({ maxLength: 40 }), fc.constant('2030-01-01T00:00:00Z'));
  if (types.includes('integer') || types.includes('number'))
    fit.push(fc.integer({ min: -2, max: 700_000 }), fc.double());
  if (types.includes('boolean')) fit.push(fc.boolean());
  if (items !== undefined) fit.push(fc.array(valuesOf(items), { maxLength: 5 }));
  if (typeof rest === 'object') fit.push(fc.dictionary(fc.string(), valuesOf(rest), { maxKeys: 25 }));
  if (properties !== undefined) {
    const members = Object.entries(properties).map(([name, part]) => [name, valuesOf(part)] as const);
    const record = fc.record(Object.fromEntries(members), { requiredKeys: [...required] });
    fit.push(
      record,
      record,
      fc
        .tuple(record, fc.dictionary(fc.string(), fc.boolean(), { maxKeys: 2 }))
        .map(([fields, more]) => ({ ...more, ...fields })),
    );
  }
  return fit.length === 0
    ? wrong
    : fc.oneof({ weight: 9, arbitrary: fc.oneof(...fit) }, { weight: 1, arbitrary: wrong });
}

describe('the schemas as data', () => {
  test.each(NAMES)('find the errors of %s that Ajv finds, in its order', (name) => {
    fc.assert(
      fc.property(fc.oneof(valuesOf(schemas[name]), wrong), (value) => {
        expect(errorsOf(schemas[name], value)).toEqual(reference(name, value));
      }),
      { numRuns: 200 },
    );
  });

  test('count fields that are not own, as Ajv does', () => {
    const inherited = Object.create({ email: 'a@b.example', password: 1 });
    expect(errorsOf(schemas.LoginRequest, inherited)).toEqual(reference('LoginRequest', inherited));
  });
});

test('the compiled validator of intents accepts what the schema accepts', () => {
  fc.assert(
    fc.property(valuesOf(schemas.Intent), (intent) => {
      const open = { ...schemas.Intent, additionalProperties: true };
      expect(intentMembers(intent)).toBe(errorsOf(open, intent).length === 0);
    }),
    { numRuns: 1000 },
  );
});
