import { isAbsolute } from 'node:path';
import { readJson } from '../../../src/http/binding.ts';
import { refusal } from './refused.ts';

/** A call of a tool that the host is about to make, or has made. */
export interface ToolEvent {
  /** `before` the tool, `after` it, or another event, which needs no verdict. */
  readonly phase: 'before' | 'after' | 'other';
  readonly name: string;
  readonly session: string;
  readonly cwd: string;
  readonly tool: string;
  readonly input: Readonly<Record<string, unknown>>;
  readonly callId: string;
  /** Finds the call again when its tool has ended. */
  readonly endId: string;
  /** The mode of the host, such as `bypassPermissions`. */
  readonly mode: string;
  /** The place where the MCP server of the tool was configured; `undefined` for the user, and for other tools. */
  readonly source: string | undefined;
  /** The end of the tool, in an event after it. */
  readonly outcome: 'succeeded' | 'failed' | 'unknown';
}

/** Returns the object in the event. Throws a refusal for an event that two readers may read differently. */
export function readEvent(bytes: Uint8Array): Readonly<Record<string, unknown>> {
  let value: unknown;
  try {
    value = readJson(bytes, { maxDepth: 64, maxMembers: 100_000, mayHoldNul: true });
  } catch (error) {
    throw refusal(`The event cannot be read: ${(error as Error).message}`);
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw unreadable('an object');
  return value as Readonly<Record<string, unknown>>;
}

/** Returns the text of a member of the event. Throws a refusal if there is none. */
export function textIn(event: Readonly<Record<string, unknown>>, name: string): string {
  const value = event[name];
  if (typeof value !== 'string' || value === '') throw unreadable(`the text ${name}`);
  return value;
}

/** Returns the folder of the event. Throws a refusal if it is not absolute. */
export function folderIn(event: Readonly<Record<string, unknown>>): string {
  const cwd = textIn(event, 'cwd');
  if (!isAbsolute(cwd)) throw unreadable('an absolute cwd');
  return cwd;
}

/** Returns the arguments of the tool. Throws a refusal if they are no object. */
export function argumentsIn(event: Readonly<Record<string, unknown>>): ToolEvent['input'] {
  const input = event['tool_input'] ?? {};
  if (typeof input !== 'object' || Array.isArray(input)) throw unreadable('the object tool_input');
  return input as ToolEvent['input'];
}

function unreadable(what: string): Error {
  return refusal(`The event cannot be read: it must have ${what}.`);
}
