/** Data that JSON carries without a change, and nothing else: for intents that are sent elsewhere to be judged. */
import { IdentityError, notPlain } from '../errors.ts';
import { plainCopy } from './plain-data.ts';

/** What a verdict reads of an intent and of its parameters. */
const READ = [
  ...['agent_id', 'action', 'target', 'parameters', 'dry_run', 'hold_seconds', 'approval_id'],
  ...['proof', 'amount', 'currency'],
];

/** How many members and elements a body may have in all. */
export const MAX_BODY_MEMBERS = 1_000;
/** The same of the body of a batch. */
export const MAX_BATCH_MEMBERS = 10_000;

const LONE_SURROGATE = /\p{Surrogate}/u;

/** A frozen copy of plain data that JSON can carry, or `invalid_request` with the path of what it cannot. */
export function jsonData(value: unknown, maxMembers: number): unknown {
  try {
    const data = plainCopy(value, { maxMembers, takes: isCarried, refuse });
    demandNoMore(value, data, []);
    return data;
  } catch (error) {
    // A value that throws when it is read is not plain data.
    throw error instanceof IdentityError ? error : notPlain([]);
  }
}

/** The JSON text of what `jsonData` gave, put together here so that no `toJSON` can change it. */
export function jsonText(data: unknown): string {
  if (Array.isArray(data)) return `[${data.map(jsonText).join()}]`;
  if (typeof data !== 'object' || data === null) return JSON.stringify(data);
  const members = Object.entries(data).map(([name, value]) => `${JSON.stringify(name)}:${jsonText(value)}`);
  return `{${members.join()}}`;
}

/** Refuses an object that inherits a name of `READ`, from a changed `Object.prototype`, or answers it as a Proxy. */
function demandNoMore(given: unknown, data: unknown, path: readonly string[]): void {
  if (typeof data !== 'object' || data === null) return;
  for (const name of READ) {
    if (!Object.hasOwn(data, name) && Reflect.get(Object(given), name) !== undefined) refuse([...path, name]);
  }
  for (const [name, part] of Object.entries(data)) demandNoMore(Object(given)[name], part, [...path, name]);
}

function isCarried(value: unknown): boolean {
  if (typeof value === 'string') return !LONE_SURROGATE.test(value);
  if (typeof value === 'number') return Number.isFinite(value) && !Object.is(value, -0);
  return value === null || typeof value === 'boolean';
}

function refuse(path: readonly string[]): never {
  throw notPlain(path);
}
