import { Ajv } from 'ajv';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { JsonSchema } from '../../src/schema/json-schema.ts';
import { type RequestName, requestSchemas } from '../../src/schema/requests.ts';
import type { ValidationError, Validator } from '../../src/schema/validator.ts';
import { intentMembers } from '../../src/schema/validators.generated.ts';
import { schemaOf as compiledRequest } from '../support/request-schemas.ts';

/** A schema of a request, with the keywords by which values are made. */
interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly additionalProperties?: boolean | Schema;
}

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
  return validator?.(value) === true ? [] : factsOf(validator?.errors ?? []);
}

/** The facts that check.ts reads. */
function factsOf(errors: readonly ValidationError[]): readonly ValidationError[] {
  return errors.map(({ instancePath, keyword, params }) => {
    const { limit, i, j, missingProperty, additionalProperty } = params;
    const isBound = !['maximum', 'minimum'].includes(keyword);
    const facts = { ...(isBound && { limit }), i, j, missingProperty, additionalProperty };
    return { instancePath, keyword, params: facts };
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
function valuesOf(schema: Schema): fc.Arbitrary<unknown> {
  const { $ref, enum: values, properties, required = [], items, additionalProperties: rest } = schema;
  if ($ref !== undefined)
    return fc.constant(null).chain(() => valuesOf(schemaOf($ref.replace('#/components/schemas/', ''))));
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

function schemaOf(name: string): Schema {
  return requestSchemas[name as RequestName] as Schema;
}

function known(validator: Validator, value: unknown): readonly ValidationError[] {
  return validator(value) ? [] : factsOf(validator.errors ?? []);
}

test.each(NAMES)('the validator of %s finds the errors that Ajv finds, in its order', (name) => {
  fc.assert(
    fc.property(fc.oneof(valuesOf(schemaOf(name)), wrong), (value) => {
      expect(known(compiledRequest(name).validate, value)).toEqual(reference(name, value));
    }),
    { numRuns: 200 },
  );
});

test('the validator of plain intents accepts what the schema accepts', () => {
  fc.assert(
    fc.property(valuesOf(schemaOf('Intent')), (intent) => {
      const isOther = ({ keyword, instancePath }: ValidationError) =>
        keyword !== 'additionalProperties' || instancePath !== '';
      const faults = reference('Intent', intent).filter(isOther);
      const isOpen = intent !== null && typeof intent === 'object' && 'usage' in intent;
      if (!isOpen) expect(intentMembers(intent)).toBe(faults.length === 0);
    }),
    { numRuns: 1000 },
  );
});
