/** Parses JSON-RPC messages once, and writes them again from the evaluated values. */
import { readJson } from '../../../src/http/binding.ts';

export type Message = Readonly<Record<string, unknown>>;
/** The id of a request that can be answered. An integer that a double cannot represent is kept as text. */
export type RequestId = string | number | { readonly text: string };

const LIMITS = { maxDepth: 64, maxMembers: 100_000, mayHoldNul: true };

/**
 * The prototype of a number that a double cannot represent. It is not plain data, so no rule accepts it as an amount.
 */
const INEXACT: object = {};

/** Parses a line. Throws if two parsers could read the text differently, for example because of a repeated name. */
export function readMessage(line: Uint8Array): unknown {
  const inexactNumber = (text: string): unknown => Object.assign(Object.create(INEXACT), { text });
  return readJson(line, { ...LIMITS, inexactNumber });
}

/** Parses a line. Returns `undefined` for an unreadable line, because no JSON text has the value `undefined`. */
export function tryReadMessage(line: Uint8Array): unknown {
  try {
    return readMessage(line);
  } catch {
    return undefined;
  }
}

/** Returns a message as a line. Numbers are written as they were read. Characters that may end a line are escaped. */
export function writeMessage(message: unknown): string {
  return `${textOf(message).replaceAll(/[\u007f-\u009f\u2028\u2029]/g, escaped)}\n`;
}

function textOf(value: unknown): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(textOf).join()}]`;
  if (isInexact(value)) return value.text;
  const members = Object.entries(value).map(([name, member]) => `${JSON.stringify(name)}:${textOf(member)}`);
  return `{${members.join()}}`;
}

function escaped(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

export function isRequestId(id: unknown): id is RequestId {
  return typeof id === 'string' || Number.isInteger(id) || (isInexact(id) && /^-?\d+$/.test(id.text));
}

export function idText(id: RequestId): string {
  return typeof id === 'object' ? id.text : String(id);
}

function isInexact(value: unknown): value is { readonly text: string } {
  return typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === INEXACT;
}

/** Returns the answer to a line that cannot be read. The answer contains the id if a lenient parser finds one. */
export function unreadable(line: Uint8Array | undefined): Message {
  if (line === undefined)
    return errorAnswer(null, -32_700, 'The message is too long. Send a shorter message.');
  const id = idIn(line);
  if (id === undefined) return errorAnswer(null, -32_700, 'The message cannot be read. Send JSON in UTF-8.');
  return errorAnswer(
    id,
    -32_602,
    'Two programs could read the message differently. Send strict JSON with each name once.',
  );
}

function idIn(line: Uint8Array): RequestId | undefined {
  try {
    const { id } = Object(JSON.parse(new TextDecoder().decode(line))) as { readonly id?: unknown };
    // A lenient reader rounds a larger number: the answer would go to another request.
    return typeof id === 'string' || Number.isSafeInteger(id) ? (id as RequestId) : undefined;
  } catch {
    return undefined;
  }
}

export function errorAnswer(id: RequestId | null, code: number, message: string, data?: object): Message {
  return { jsonrpc: '2.0', id, error: { code, message, ...(data && { data }) } };
}
