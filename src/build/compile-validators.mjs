/** Compiles the request schemas ahead of time: no `new Function` at run time, and no Ajv in the package. */
import { Ajv } from 'ajv';
import standaloneCode from 'ajv/dist/standalone/index.js';

const HEADER = `// @ts-nocheck
// Generated from requests.ts by \`npm run build\`. Do not edit it.
import type { Validator } from './validator.ts';
import type { RequestName } from './requests.ts';
`;

/** The text of validators.generated.ts for these schemas by name. */
export function compileValidators(schemas) {
  // unicode: false counts lengths in UTF-16 units, as every length of the API, and needs no runtime helper.
  const ajv = new Ajv({
    allErrors: true,
    messages: false, // what would be right is said in expected.ts
    unicode: false,
    strict: true,
    allowUnionTypes: true,
    logger: false, // Ajv calls `unicode` deprecated; nothing replaces it
    code: { source: true, esm: true, lines: true },
  });
  for (const [name, schema] of Object.entries(schemas)) ajv.addSchema(rewriteRefs(schema), name);
  // A walk over the names of a copy whose names are known would take as long as half of a verdict.
  ajv.addSchema({ ...rewriteRefs(schemas.Intent), additionalProperties: true }, 'intentMembers');
  const names = Object.fromEntries([...Object.keys(schemas), 'intentMembers'].map((name) => [name, name]));
  const code = standaloneCode
    .default(ajv, names)
    .replace(/^"use strict";\n?/, '')
    .replace(/^export const (\w+) = /gm, 'const $1: Validator = ')
    // Not read, and a good part of the code.
    .replaceAll(/schemaPath:"[^"]*",/g, '');
  if (/\brequire\(/.test(code)) throw new Error('The compiled validators need a runtime helper of Ajv.');
  const list = Object.keys(schemas).join(', ');
  const fields = Object.entries(schemas).map(([name, { properties }]) => [name, Object.keys(properties)]);
  return `${HEADER}${code}
export const validators: Readonly<Record<RequestName, Validator>> = { ${list} };

/** Validates the fields of an intent that has no others: an error has to be found by \`validators.Intent\`. */
export { intentMembers };

/** The fields of each request. */
export const fieldNames: Readonly<Record<RequestName, readonly string[]>> = ${JSON.stringify(Object.fromEntries(fields))};
`;
}

function rewriteRefs(schema) {
  return JSON.parse(JSON.stringify(schema).replaceAll('"#/components/schemas/', '"'));
}
