/** The passport of one agent, read from a file. Each field and list element has its line and column. */
import { IdentityError } from '../../../src/index.ts';
import { usageError } from '../output/error.ts';
import { plain } from './plain-line.ts';

export interface WrittenPassport {
  readonly path: string;
  readonly value: Readonly<Record<string, unknown>>;
  /** Returns the position of a field or list element as `file:line:column`. `pointer` is its JSON Pointer. */
  readonly placeOf: (pointer: string) => string;
}

/** An error in a file. The message never contains text of the file, because that text may be a secret. */
export interface Fault {
  /** The position, `file:line:column`. */
  readonly place: string;
  readonly message: string;
}

export const MAX_DOCUMENT_BYTES: number = 64 * 1024;
export const MAX_DEPTH = 32;
export const MAX_MEMBERS = 1_000;

export class FaultyFile extends Error {
  readonly faults: readonly Fault[];
  constructor(faults: readonly Fault[]) {
    super('A file is faulty.');
    this.faults = faults;
  }
}

export function pointerTo(pointer: string, name: string | number): string {
  return `${pointer}/${`${name}`.replaceAll('~', '~0').replaceAll('/', '~1')}`;
}

export function refuse(path: string, text: string, offset: number, message: string): never {
  throw new FaultyFile([{ place: placeIn(path, text, offset), message }]);
}

export function placeIn(path: string, text: string, offset: number): string {
  const textBefore = text.slice(0, offset);
  const start = textBefore.lastIndexOf('\n') + 1;
  const line = textBefore.split('\n').length;
  return `${path}:${line}:${offset - start + 1}`;
}

/**
 * Returns a function that finds the position of a field or list element by its JSON Pointer. For a missing field, the
 * function returns the position of the object or list around it.
 */
export function placeFinder(
  path: string,
  text: string,
  offsets: ReadonlyMap<string, number>,
): (pointer: string) => string {
  return (pointer) => {
    let entryPointer = pointer;
    while (entryPointer !== '' && !offsets.has(entryPointer))
      entryPointer = entryPointer.slice(0, entryPointer.lastIndexOf('/'));
    return placeIn(path, text, offsets.get(entryPointer) ?? 0);
  };
}

export function faultError(faults: readonly Fault[]): Error {
  const [first] = faults;
  const lineOf = ({ place, message }: Fault): string => `${plain(place)}: ${message}`;
  if (first !== undefined && faults.length === 1) return usageError(lineOf(first));
  const errors = faults.map(({ place, message }) => ({ path: plain(place), code: 'malformed', message }));
  return new IdentityError('invalid_request', 'The files are not valid. ', { details: { errors } });
}

// Finds secrets in passport files. A passport contains no secrets, and many people read the files.

const SECRET =
  /\b(?:ais_(?:live|test|manage)_[0-9A-Za-z]{8,}|whsec_[0-9A-Za-z+/_-]{8,})|-----BEGIN [A-Z ]*PRIVATE KEY-----/g;

const MESSAGE = 'This is a secret. Remove it here, and replace it where it is valid.';

export function secretsInText(path: string, text: string): readonly Fault[] {
  return [...text.matchAll(SECRET)].map(({ index }) => ({
    place: placeIn(path, text, index),
    message: MESSAGE,
  }));
}

/** Finds secrets that only the parsed values show: texts with escapes or line breaks, and private keys as JWK. */
export function secretsInValue({ value, placeOf }: WrittenPassport): readonly Fault[] {
  const faults: Fault[] = [];
  const look = (part: unknown, pointer: string): void => {
    if (typeof part === 'string' && isSecret(part))
      faults.push({ place: placeOf(pointer), message: MESSAGE });
    if (typeof part !== 'object' || part === null) return;
    if (isPrivateKey(part)) faults.push({ place: placeOf(pointer), message: MESSAGE });
    for (const [name, inner] of Object.entries(part)) {
      const entryPointer = pointerTo(pointer, name);
      if (isSecret(name)) faults.push({ place: placeOf(entryPointer), message: MESSAGE });
      look(inner, entryPointer);
    }
  };
  look(value, '');
  return faults;
}

function isSecret(text: string): boolean {
  if (text.search(SECRET) >= 0) return true;
  return /"kty"\s*:/.test(text) && /"[dk]"\s*:/.test(text);
}

function isPrivateKey(part: object): boolean {
  return Object.hasOwn(part, 'kty') && (Object.hasOwn(part, 'd') || Object.hasOwn(part, 'k'));
}
