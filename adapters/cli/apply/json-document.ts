/** Reads a passport in a JSON file. The rules are as strict as for a request body over HTTP. */
import { readJson } from '../../../src/http/binding.ts';
import { IdentityError } from '../../../src/index.ts';
import {
  MAX_DEPTH,
  MAX_DOCUMENT_BYTES,
  MAX_MEMBERS,
  placeFinder,
  pointerTo,
  refuse,
  type WrittenPassport,
} from './document.ts';

export function readJsonDocument(path: string, bytes: Uint8Array): WrittenPassport {
  const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
  if (bytes.length > MAX_DOCUMENT_BYTES)
    refuse(path, text, 0, `It is larger than ${MAX_DOCUMENT_BYTES} bytes.`);
  const value = valueIn(path, bytes, text);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    refuse(path, text, 0, 'This value is no JSON object. Write a passport as one object, in braces.');
  }
  const offsets = offsetsIn(text);
  return {
    path,
    value: value as Readonly<Record<string, unknown>>,
    placeOf: placeFinder(path, text, offsets),
  };
}

function valueIn(path: string, bytes: Uint8Array, text: string): unknown {
  try {
    return readJson(bytes, { maxDepth: MAX_DEPTH, maxMembers: MAX_MEMBERS });
  } catch (error) {
    if (!(error instanceof IdentityError)) throw error;
    const offset = Number(error.details['offset']);
    const textBefore = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes.subarray(0, offset));
    const [, problem = 'it cannot be read'] =
      / JSON: (.*) at line \d+, column \d+\.$/.exec(error.message) ?? [];
    return refuse(path, text, textBefore.length, `This is not acceptable JSON: ${problem}.`);
  }
}

const TOKEN = /"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s{}[\],:"]+/g;

interface Level {
  readonly pointer: string;
  readonly isArray: boolean;
  /** The next index of an array, or the name of the next value in an object. */
  next: string | number | undefined;
}

/**
 * Returns the offset of each part of a JSON text, by its JSON Pointer. The offset of a member is the start of its name.
 */
function offsetsIn(text: string): ReadonlyMap<string, number> {
  const offsets = new Map<string, number>();
  const levels: Level[] = [];
  const note = (offset: number): string => {
    const level = levels.at(-1);
    if (level === undefined) return '';
    const pointer = pointerTo(level.pointer, level.next ?? '');
    if (level.isArray) offsets.set(pointer, offset);
    level.next = level.isArray ? Number(level.next) + 1 : undefined;
    return pointer;
  };
  for (const { 0: token, index } of text.matchAll(TOKEN)) {
    const level = levels.at(-1);
    if (token === '{') levels.push({ pointer: note(index), isArray: false, next: undefined });
    else if (token === '[') levels.push({ pointer: note(index), isArray: true, next: 0 });
    else if (token === '}' || token === ']') levels.pop();
    else if (token === ',' || token === ':') continue;
    else if (level?.isArray === false && level.next === undefined) {
      level.next = JSON.parse(token) as string;
      offsets.set(pointerTo(level.pointer, level.next), index);
    } else note(index);
  }
  return offsets;
}
