/** Compiles the request schemas ahead of time: no `new Function` at run time, and no Ajv in the package. */
import { Ajv } from 'ajv';
import standaloneCode from 'ajv/dist/standalone/index.js';

const HEADER = `// @ts-nocheck
// Generated from src/schema/requests.ts by \`npm run build\`. Do not edit it.
import { type CompiledRequest, concat, push, type Validator } from '../schema/validator.ts';

`;

/** The lines with which Ajv adds an error, or the errors of a part. */
const ADDS_ERROR =
  /const (?:err\d+) = (\{.*\});\nif\(vErrors === null\)\{\nvErrors = \[err\d+\];\n\}\nelse \{\nvErrors\.push\(err\d+\);\n\}\nerrors\+\+;/g;
const ADDS_ERRORS =
  /vErrors = vErrors === null \? (\w+)\.errors : vErrors\.concat\(\1\.errors\);\nerrors = vErrors\.length;/g;

/** The facts of errors that check.ts does not read, up to the end of their line. */
const UNREAD_PARAMS = /params:\{(?:allowedValues|type|comparison|pattern):.*\}\}/g;
/** A schema that code refers to. Without these facts only the names of its fields are read. */
const SCHEMA = /^const (schema\d+) = (\{.*\});$/gm;

/** The folder of the core, which also has the check of plain intents. */
const CORE = 'schema';

/** Returns the texts of the modules by folder of `src`, for schemas by name and names by folder. */
export function compileValidators(schemas, folders) {
  const names = Object.values(folders).flat();
  if (names.length !== Object.keys(schemas).length || names.some((name) => schemas[name] === undefined))
    throw new Error('Each request has one folder.');
  return Object.fromEntries(
    Object.entries(folders).map(([folder, own]) => [folder, moduleOf(schemas, own, folder === CORE)]),
  );
}

function moduleOf(all, names, isCore) {
  const schemas = Object.fromEntries(reachable(all, names).map((name) => [name, all[name]]));
  // unicode: false counts lengths in UTF-16 units, as every length of the API, and needs no runtime helper.
  const ajv = new Ajv({
    allErrors: true,
    messages: false, // what would be right is said in expected.ts
    unicode: false,
    strict: true,
    allowUnionTypes: true,
    logger: false, // Ajv calls `unicode` deprecated; nothing replaces it
    inlineRefs: false, // a part that several schemas have becomes one function
    code: { source: true, esm: true, lines: true },
  });
  for (const [name, schema] of Object.entries(withSharedParts(schemas))) ajv.addSchema(schema, name);
  // A walk over the names of a copy whose names are known would take as long as half of a verdict.
  if (isCore) ajv.addSchema({ ...bare(schemas.Intent), additionalProperties: true }, 'intentMembers');
  const exported = [...names, ...(isCore ? ['intentMembers'] : [])];
  const code = standaloneCode
    .default(ajv, Object.fromEntries(exported.map((name) => [name, name])))
    .replace(/^"use strict";\n?/, '')
    .replace(/^export const (\w+) = /gm, 'const $1: Validator = ')
    // Not read, and a good part of the code.
    .replaceAll(/schemaPath:"[^"]*",/g, '')
    .replaceAll(UNREAD_PARAMS, 'params:{}}')
    .replaceAll(SCHEMA, (_, name, text) => `const ${name} = ${JSON.stringify(namesIn(JSON.parse(text)))};`)
    .replaceAll(ADDS_ERROR, 'vErrors = push(vErrors, $1);\nerrors++;')
    .replaceAll(ADDS_ERRORS, 'vErrors = concat(vErrors, $1.errors);\nerrors = vErrors.length;');
  if (/\brequire\(/.test(code)) throw new Error('The compiled validators need a runtime helper of Ajv.');
  if (/\bschema\d+(?!\.properties, | = )\b/.test(code)) throw new Error('The code reads more of a schema.');
  const requests = names.map((name) => {
    const fields = JSON.stringify(Object.keys(schemas[name].properties));
    return `export const ${valueName(name)}: CompiledRequest = { name: '${name}', validate: ${name}, fields: ${fields} };`;
  });
  const plain = `
/** Validates the fields of an intent that has no others: an error has to be found by \`intentSchema\`. */
export { intentMembers };
`;
  return `${HEADER}${code}\n${requests.join('\n')}\n${isCore ? plain : ''}`;
}

/** Returns the names, and those to which their schemas refer, in the order of all. */
function reachable(all, names) {
  const found = new Set(names);
  for (const name of found)
    for (const [, other] of JSON.stringify(all[name]).matchAll(/#\/components\/schemas\/(\w+)/g))
      found.add(other);
  return Object.keys(all).filter((name) => found.has(name));
}

function valueName(name) {
  return `${name[0].toLowerCase()}${name.slice(1)}Schema`;
}

function namesIn({ properties = {} }) {
  return { properties: Object.fromEntries(Object.keys(properties).map((name) => [name, true])) };
}

/** The keywords that validate nothing. */
const ANNOTATIONS = ['description', 'examples'];

/** Returns the schemas by name. Each large part that occurs several times becomes a separate schema. */
function withSharedParts(schemas) {
  const all = Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [name, bare(schema)]));
  const counts = new Map();
  for (const schema of Object.values(all)) {
    eachPart(schema, (part) => {
      const text = JSON.stringify(part);
      counts.set(text, (counts.get(text) ?? 0) + 1);
      return part;
    });
  }
  const names = new Map();
  const shared = (part) => {
    const text = JSON.stringify(part);
    // The code for lists without repetition must see the type of texts.
    const isCompound = [part.type].flat().some((type) => type === 'object' || type === 'array');
    if (!isCompound || text.length < SHARED_LENGTH || counts.get(text) < 2) return part;
    if (!names.has(text)) names.set(text, `part${names.size}`);
    return { $ref: names.get(text) };
  };
  const result = Object.fromEntries(
    Object.entries(all).map(([name, schema]) => [name, eachPart(schema, shared)]),
  );
  for (const [text, name] of names) result[name] = eachPart(JSON.parse(text), shared);
  return result;
}

/** The number of characters from which a repeated part is worth a function. */
const SHARED_LENGTH = 120;

/** Returns a copy of a schema whose members and items are what `change` makes of them, the outer ones first. */
function eachPart(schema, change) {
  const { properties, items, additionalProperties: rest } = schema;
  const next = (part) => eachPart(change(part), change);
  return {
    ...schema,
    ...(properties !== undefined && {
      properties: Object.fromEntries(Object.entries(properties).map(([name, part]) => [name, next(part)])),
    }),
    ...(items !== undefined && { items: next(items) }),
    ...(typeof rest === 'object' && { additionalProperties: next(rest) }),
  };
}

/** Returns a schema without what validates nothing, and with references by name. */
function bare(schema) {
  return eachPart(ownBare(schema), ownBare);
}

function ownBare({ $ref, ...own }) {
  for (const keyword of ANNOTATIONS) delete own[keyword];
  return $ref === undefined ? own : { ...own, $ref: $ref.replace('#/components/schemas/', '') };
}
