import * as erasure from '../../src/erasure/validators.generated.ts';
import * as http from '../../src/http/validators.generated.ts';
import * as identity from '../../src/identity/validators.generated.ts';
import * as people from '../../src/people/validators.generated.ts';
import type { RequestName } from '../../src/schema/requests.ts';
import type { CompiledRequest } from '../../src/schema/validator.ts';
import * as core from '../../src/schema/validators.generated.ts';
import * as verifiers from '../../src/verifiers/validators.generated.ts';
import * as webhooks from '../../src/webhooks/validators.generated.ts';

const { intentMembers: _, ...ofCore } = core;

const SCHEMAS: Readonly<Record<string, CompiledRequest>> = {
  ...ofCore,
  ...erasure,
  ...http,
  ...identity,
  ...people,
  ...verifiers,
  ...webhooks,
};

/** Returns the schema by which a request is checked. */
export function schemaOf(name: RequestName): CompiledRequest {
  const schema = SCHEMAS[`${name.charAt(0).toLowerCase()}${name.slice(1)}Schema`];
  if (schema === undefined) throw new Error(`No folder has the schema of ${name}.`);
  return schema;
}
