/**
 * Compiles the request schemas ahead of time: no `new Function` at run time, and no Ajv in the package. Intents become
 * code, because every verdict validates one. All others stay data, without their texts.
 */
import { Ajv } from 'ajv';
import standaloneCode from 'ajv/dist/standalone/index.js';

const HEADER = `// @ts-nocheck
// Generated from requests.ts by \`npm run build\`. Do not edit it.
import type { RequestName } from './requests.ts';
import type { RequestSchema, Validator } from './validator.ts';
`;

/** The text of validators.generated.ts for these schemas by name. */
export function compileValidators(schemas) {
  const bareSchemas = Object.fromEntries(
    Object.entries(schemas).map(([name, schema]) => [name, bare(schema)]),
  );
  const ajv = new Ajv({
    messages: false, // what would be right is said in expected.ts
    unicode: false, // counts lengths in UTF-16 units, as every length of the API, and needs no runtime helper
    strict: true,
    allowUnionTypes: true,
    logger: false, // Ajv calls `unicode` deprecated; nothing replaces it
    code: { source: true, esm: true, lines: true },
  });
  // A walk over the names of a copy whose names are known would take as long as half of a verdict.
  ajv.addSchema({ ...bareSchemas.Intent, additionalProperties: true }, 'intentMembers');
  const code = standaloneCode
    .default(ajv, { intentMembers: 'intentMembers' })
    .replace(/^"use strict";\n?/, '')
    .replace(/^export const (\w+) = /m, 'const $1: Validator = ')
    // Not read: the schemas as data find the errors.
    .replaceAll(/^validate\d+\.errors = .*;\n/gm, '');
  if (/\brequire\(/.test(code)) throw new Error('The compiled validators need a runtime helper of Ajv.');
  return `${HEADER}${code}
/** Validates the fields of an intent that has no others. */
export { intentMembers };

/** The schemas without their texts. */
export const schemas: Readonly<Record<RequestName, RequestSchema>> = ${JSON.stringify(bareSchemas)};
`;
}

/** The keywords that validate nothing. */
const ANNOTATIONS = ['description', 'examples'];

/** Returns a schema without what validates nothing, and with references by name. */
function bare({ $ref, properties, items, additionalProperties: rest, ...own }) {
  for (const keyword of ANNOTATIONS) delete own[keyword];
  return {
    ...own,
    ...($ref !== undefined && { $ref: $ref.replace('#/components/schemas/', '') }),
    ...(properties !== undefined && {
      properties: Object.fromEntries(Object.entries(properties).map(([name, part]) => [name, bare(part)])),
    }),
    ...(items !== undefined && { items: bare(items) }),
    ...(rest !== undefined && { additionalProperties: typeof rest === 'object' ? bare(rest) : rest }),
  };
}
