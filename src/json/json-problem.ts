/** Creates messages for errors in a JSON text. They contain no part of the text, which may contain a secret. */
import { IdentityError } from '../errors.ts';

export function invalidJson(bytes: Uint8Array, offset: number, problem: string): IdentityError {
  const bytesBefore = bytes.subarray(0, offset);
  let line = 1;
  let lineStart = 0;
  for (
    let feed = bytesBefore.indexOf(LINE_FEED);
    feed !== -1;
    feed = bytesBefore.indexOf(LINE_FEED, lineStart)
  ) {
    line++;
    lineStart = feed + 1;
  }
  const column = new TextDecoder().decode(bytesBefore.subarray(lineStart)).length + 1;
  const place = `line ${line}, column ${column}`;
  return new IdentityError('invalid_json', `The body is not acceptable JSON: ${problem} at ${place}.`, {
    details: { offset },
  });
}

/**
 * Describes the byte at this offset. `wantedText` names the expected part. `holder` names the part of the text that
 * contains the byte.
 */
export function misplaced(bytes: Uint8Array, position: number, wantedText: string, holder?: string): string {
  if (position < bytes.length) return `${standingAt(bytes, position)} where ${wantedText} must be`;
  return holder === undefined ? 'the text ends' : `the text ends inside ${holder}`;
}

export function standingAt(bytes: Uint8Array, position: number): string {
  const character = String.fromCharCode(bytes[position] ?? 0);
  if (/[{}[\],:]/.test(character)) return character === ',' ? 'a comma' : `the character ${character}`;
  if (character === '"') return 'a string';
  if (character === "'") return 'an apostrophe instead of a quotation mark';
  if (/[A-Za-z_$]/.test(character)) return 'a word without quotation marks';
  if (/[0-9.+-]/.test(character)) return 'a number';
  if (character === '/' || character === '#') return 'a comment';
  if (bytes[position] === 0xef && bytes[position + 1] === 0xbb && bytes[position + 2] === 0xbf)
    return 'a byte-order mark';
  return character < ' ' ? 'a control character' : 'a character that has no place in JSON';
}

export function controlInString(byte: number): string {
  if (byte === LINE_FEED || byte === 0x0d) return 'a line break inside a string';
  return byte === 0x09 ? 'a tab inside a string' : 'a control character inside a string';
}

const LINE_FEED = 0x0a;
