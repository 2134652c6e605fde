import { isAbsolute } from 'node:path';
import { readJson } from '../../../src/http/binding.ts';
import { refusal } from './refused.ts';

export interface ToolEvent {
  /** `before` or `after` the tool, or `other` for an event that needs no verdict. */
  readonly phase: 'before' | 'after' | 'other';
  readonly name: string;
  readonly session: string;
  readonly cwd: string;
  readonly tool: string;
  readonly input: Readonly<Record<string, unknown>>;
  readonly callId: string;
  /** The id with which the call is found again after its tool has ended. */
  readonly endId: string;
  /** The mode of the coding agent, such as `bypassPermissions`. */
  readonly mode: string;
  /**
   * The place where the MCP server of the tool was configured; `undefined` for the user's own configuration, and for
   * other tools.
   */
  readonly source: string | undefined;
  /** The result of the tool, in an event after the tool. */
  readonly outcome: 'succeeded' | 'failed' | 'unknown';
}

/** Parses the object in the event. Throws a refusal if two parsers could read the event differently. */
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

export function textIn(event: Readonly<Record<string, unknown>>, name: string): string {
  const value = event[name];
  if (typeof value !== 'string' || value === '') throw unreadable(`the text ${name}`);
  return value;
}

export function folderIn(event: Readonly<Record<string, unknown>>): string {
  const cwd = textIn(event, 'cwd');
  if (!isAbsolute(cwd)) throw unreadable('an absolute cwd');
  return cwd;
}

export function argumentsIn(event: Readonly<Record<string, unknown>>): ToolEvent['input'] {
  const input = event['tool_input'] ?? {};
  if (typeof input !== 'object' || Array.isArray(input)) throw unreadable('the object tool_input');
  return input as ToolEvent['input'];
}

export function unreadable(label: string): Error {
  return refusal(`The event cannot be read: it must have ${label}.`);
}
