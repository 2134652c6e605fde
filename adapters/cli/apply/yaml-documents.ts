/**
 * Reads the passports in a YAML file. It accepts only what JSON can express: no anchors, aliases, tags, directives and
 * merge keys. The tokens of a document are counted before parsing, because some texts of 64 KiB crash the parser of
 * `yaml`.
 */
import type { Document, Node, Pair, Scalar } from 'yaml';
import { readJson } from '../../../src/http/binding.ts';
import { IdentityError } from '../../../src/index.ts';
import { usageError } from '../output/error.ts';
import {
  MAX_DEPTH,
  MAX_DOCUMENT_BYTES,
  MAX_MEMBERS,
  placeFinder,
  pointerTo,
  refuse,
  type WrittenPassport,
} from './document.ts';

type Yaml = typeof import('yaml');

export async function loadYaml(): Promise<Yaml> {
  return import('yaml').catch((cause: unknown) => {
    throw usageError('A YAML file needs the package yaml: npm install yaml@2', cause);
  });
}

interface Part {
  readonly path: string;
  readonly text: string;
  readonly from: number;
  readonly source: string;
}

export function readYamlDocuments(yaml: Yaml, path: string, bytes: Uint8Array): readonly WrittenPassport[] {
  const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
  const bad = text.search(UNREADABLE);
  if (bad >= 0) refuse(path, text, bad, 'This character is no text of YAML, or no UTF-8.');
  return partsOf(path, text)
    .filter(({ source }) => !source.split('\n').every((line) => BLANK.test(line)))
    .map((part) => readPart(yaml, part));
}

/**
 * Matches bytes that are not UTF-8, byte-order marks, control characters, and line breaks that only some readers know.
 */
const UNREADABLE = /[\uFFFD\uFEFF\u2028\u2029]|(?![\t\n\r])\p{Cc}|\r(?!\n)/u;

const BLANK = /^(?:(?:---|\.\.\.)(?=\s|$))?\s*(?:#.*)?$/;

/** Splits a file at the lines that begin or end a document. No text within a document can contain such a line. */
function partsOf(path: string, text: string): readonly Part[] {
  const parts: Part[] = [];
  let start = 0;
  const end = (end: number): void => {
    if (end > start) parts.push({ path, text, from: start, source: text.slice(start, end) });
    start = end;
  };
  for (const { 0: line, index } of text.matchAll(/^(?:---|\.\.\.)(?=[ \t\r\n]|$)[^\n]*\n?/gm)) {
    end(line.startsWith('---') ? index : index + line.length);
  }
  end(text.length);
  return parts;
}

function readPart(yaml: Yaml, part: Part): WrittenPassport {
  const { path, text, from, source } = part;
  const fail = (offset: number, message: string): never => refuse(path, text, from + offset, message);
  if (Buffer.byteLength(source) > MAX_DOCUMENT_BYTES)
    fail(0, `It is larger than ${MAX_DOCUMENT_BYTES} bytes.`);
  assertSmall(yaml, source, fail);
  // Repeated names are found below: yaml takes 20 s for 20,000 of them.
  const document = yaml.parseDocument(source, {
    schema: 'failsafe',
    uniqueKeys: false,
    prettyErrors: false,
    logLevel: 'silent',
  }) as Document;
  const [error] = [...document.errors, ...document.warnings];
  if (error !== undefined) {
    const problem = error.code.toLowerCase().replaceAll('_', ' ');
    fail(error.pos[0], `This is not acceptable YAML: ${problem}.`);
  }
  const offsets = new Map<string, number>();
  const reader: Reader = { yaml, fail, offsets, from, members: 0 };
  const value = partOf(reader, document.contents, { pointer: '', depth: 0, at: 0 });
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return fail(0, 'This value is no object. Write a passport as one object, with fields such as domain.');
  }
  if (!offsets.has('')) offsets.set('', from);
  return {
    path,
    value: value as Readonly<Record<string, unknown>>,
    placeOf: placeFinder(path, text, offsets),
  };
}

type Fail = (offset: number, message: string) => never;

const REFUSED: Readonly<Record<string, string>> = {
  'directive-line': 'A directive is refused. Remove it.',
  anchor: 'An anchor is refused. Write the value out.',
  alias: 'An alias is refused. Write the value out.',
  tag: 'A tag is refused. Remove it.',
  'explicit-key-ind': 'A name that begins with ? is refused. Remove the ?.',
  'byte-order-mark': 'A byte-order mark is refused. Remove it.',
};

/** The change of the depth after a token. */
const DEPTHS: Readonly<Record<string, number>> = {
  'flow-map-start': 1,
  'flow-seq-start': 1,
  'flow-map-end': -1,
  'flow-seq-end': -1,
};

/**
 * The types of the tokens that are counted, to limit the number of members and elements. A member or element
 * has at most four of them.
 */
const COUNTED: readonly string[] = [
  ...['map-value-ind', 'seq-item-ind', 'comma', 'flow-map-start', 'flow-seq-start', 'block-scalar-header'],
  ...['single-quoted-scalar', 'double-quoted-scalar', 'scalar'],
];

/** Throws for a document that would take long to parse, or that uses parts of YAML that JSON does not have. */
function assertSmall(yaml: Yaml, source: string, fail: Fail): void {
  let offset = 0;
  let depth = 0;
  let count = 0;
  for (const token of new yaml.Lexer().lex(source)) {
    const type = yaml.CST.tokenType(token) ?? 'error';
    const refusedText = REFUSED[type];
    if (refusedText !== undefined) fail(offset, refusedText);
    depth += DEPTHS[type] ?? 0;
    if (depth < 0) fail(offset, 'This is not acceptable YAML: unexpected token.');
    if (depth > MAX_DEPTH) fail(offset, TOO_DEEP);
    if (COUNTED.includes(type)) count += 1;
    if (count > 4 * MAX_MEMBERS) fail(offset, TOO_MANY);
    // Marks of the lexer itself, which stand for no text.
    if (!CONTROL.includes(token)) offset += token.length;
  }
}

const TOO_DEEP = `It has more than ${MAX_DEPTH} levels.`;
const TOO_MANY = `It has more than ${MAX_MEMBERS} members and elements.`;
const CONTROL: readonly string[] = ['\u0002', '\u0018', '\u001f', '\uFEFF'];

interface Reader {
  readonly yaml: Yaml;
  readonly fail: Fail;
  readonly offsets: Map<string, number>;
  readonly from: number;
  members: number;
}

interface Place {
  readonly pointer: string;
  readonly depth: number;
  /** The offset of the name, which is used if the value has no offset. */
  readonly at: number;
}

function partOf(reader: Reader, node: unknown, place: Place): unknown {
  const { yaml, fail } = reader;
  const { depth, at } = place;
  if (node === null || node === undefined) return fail(at, 'A value is missing.');
  const start = (node as Node).range?.[0] ?? at;
  if (!reader.offsets.has(place.pointer)) reader.offsets.set(place.pointer, reader.from + start);
  if (yaml.isScalar(node)) return scalarOf(reader, node, start);
  if (depth === MAX_DEPTH) fail(start, TOO_DEEP);
  if (yaml.isSeq(node)) {
    return node.items.map((item, index) => {
      count(reader, start);
      return partOf(reader, item, { pointer: `${place.pointer}/${index}`, depth: depth + 1, at: start });
    });
  }
  if (!yaml.isMap(node)) return fail(start, 'This is not acceptable YAML.');
  return objectOf(reader, node.items, { ...place, at: start });
}

function objectOf(reader: Reader, pairs: readonly Pair[], { pointer, depth, at }: Place): object {
  const { yaml, fail } = reader;
  const names = new Set<string>();
  const object: Record<string, unknown> = {};
  for (const { key, value } of pairs) {
    count(reader, at);
    if (!yaml.isScalar(key)) return fail((key as Node | null)?.range?.[0] ?? at, 'A name must be a text.');
    const start = key.range?.[0] ?? at;
    const name = scalarOf(reader, key, start);
    if (typeof name !== 'string') return fail(start, 'A name must be a text: quote it.');
    if (name === '__proto__') fail(start, 'The name __proto__ is refused. Use another name.');
    if (names.has(name)) fail(start, 'A name is repeated. Remove one.');
    names.add(name);
    const inner = pointerTo(pointer, name);
    reader.offsets.set(inner, reader.from + start);
    object[name] = partOf(reader, value, { pointer: inner, depth: depth + 1, at: start });
  }
  return object;
}

function scalarOf({ fail }: Reader, { type, value, source }: Scalar, start: number): unknown {
  if (type !== 'PLAIN' && type !== undefined) {
    const text = String(value);
    if (/[\uD800-\uDFFF\0]/u.test(text)) fail(start, 'A text has half a character, or U+0000.');
    return text;
  }
  const read = readPlainScalar(source ?? String(value));
  return 'fault' in read ? fail(start, read.fault) : read.value;
}

function count(reader: Reader, position: number): void {
  reader.members += 1;
  if (reader.members > MAX_MEMBERS) reader.fail(position, TOO_MANY);
}

// Decides which YAML texts need quotation marks, because other YAML readers would take them for another
// value.

export type PlainScalar = { readonly value: unknown } | { readonly fault: string };

const NUMBER = /^-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?$/;

/** Matches texts that a reader of YAML 1.1 or 1.2 takes for another value. */
const READ_DIFFERENTLY: readonly RegExp[] = [
  /^(?:y|yes|n|no|true|false|on|off|null|~|=|<<)$/i,
  // Numbers with other signs, zeros, marks and bases.
  /^[-+]?(?:[0-9][0-9_]*|0b[01_]+|0o[0-7_]+|0x[0-9a-f_]+)$/i,
  /^[-+]?[0-9_]*\.[0-9_.]*(?:e[-+]?[0-9]+)?$/i,
  /^[-+]?[0-9][0-9_]*(?:\.[0-9_]*)?e[-+]?[0-9]+$/i,
  /^[-+]?\.(?:inf|nan)$/i,
  // A time of day is a number to the base of 60; a day is an instant.
  /^[-+]?[0-9][0-9_]*(?::[0-5]?[0-9])+(?:\.[0-9_]*)?$/,
  /^[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}(?:$|[Tt \t])/,
];

export function readPlainScalar(text: string): PlainScalar {
  if (text === '') return { fault: 'A value is missing.' };
  if (text === 'true' || text === 'false') return { value: text === 'true' };
  if (text === 'null') return { value: null };
  if (NUMBER.test(text)) return numberIn(text);
  if (isReadDifferently(text)) return { fault: 'Quote this text: YAML 1.1 reads it differently.' };
  return { value: text };
}

export function isPlainText(text: string): boolean {
  return /^[A-Za-z][\w.-]*$/.test(text) && !isReadDifferently(text);
}

function isReadDifferently(text: string): boolean {
  return READ_DIFFERENTLY.some((form) => form.test(text));
}

function numberIn(text: string): PlainScalar {
  try {
    return { value: readJson(new TextEncoder().encode(text)) };
  } catch (error) {
    if (!(error instanceof IdentityError)) throw error;
    return { fault: 'Quote this number: a double does not hold it exactly.' };
  }
}
