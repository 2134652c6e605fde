/** Checks that data survives JSON unchanged. It is used for intents that another service evaluates. */
import { IdentityError, notPlain } from '../../errors.ts';
import type { ApprovedIntent } from '../../records/approval.ts';
import type { Intent } from '../../records.ts';
import { isJsonNumber, MAX_DEPTH, plainCopy } from './plain-data.ts';

export const MAX_BODY_MEMBERS = 1_000;
export const MAX_BATCH_MEMBERS = 10_000;

const LONE_SURROGATE = /\p{Surrogate}/u;

/**
 * Returns a frozen copy of plain data that survives JSON unchanged.
 *
 * @throws {IdentityError} `invalid_request` with the path of a part that does not.
 */
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

/**
 * Says whether an object is plain data that survives JSON unchanged. It makes no copy, and takes about half the time of
 * `jsonData`. It also returns `false` for some rare forms that `jsonData` accepts, such as a member that is
 * `undefined`.
 */
export function isCarriedAsIs(value: unknown, maxMembers: number): value is object {
  try {
    return typeof value === 'object' && value !== null && membersOf(value, maxMembers, MAX_DEPTH) >= 0;
  } catch {
    return false;
  }
}

/**
 * Returns how many more members are permitted after the members of the object. If the object is not plain
 * data or has too many members, returns a negative number, and the caller refuses the object.
 */
function membersOf(value: object, limit: number, levels: number): number {
  if (!hasPlainPrototype(value) || levels === 0) return REFUSED;
  const names = Object.keys(value);
  let leftCount = limit - names.length;
  if (leftCount < 0 || !containsAll(names, value) || unknownNameIn(value as Read, value) !== undefined)
    return REFUSED;
  for (const name of names) {
    const ownDescriptor = Object.getOwnPropertyDescriptor(value, name);
    const part: unknown = ownDescriptor?.value;
    if (part !== (value as Parts)[name] || !isCarried(name)) return REFUSED;
    if (typeof part === 'object' && part !== null) leftCount = membersOf(part, leftCount, levels - 1);
    else if (!isCarried(part)) return REFUSED;
    if (leftCount < 0) return REFUSED;
  }
  return leftCount;
}

const REFUSED = -1;

function hasPlainPrototype(value: object): boolean {
  return Object.getPrototypeOf(value) === (Array.isArray(value) ? Array.prototype : Object.prototype);
}

/** Says whether `names` are all own members. A hidden member, a symbol or a gap in a list makes it `false`. */
function containsAll(names: readonly string[], value: object): boolean {
  const isList = Array.isArray(value);
  if (isList && value.length !== names.length) return false;
  const ownCount = Object.getOwnPropertyNames(value).length - Number(isList);
  return ownCount === names.length && Object.getOwnPropertySymbols(value).length === 0;
}

/**
 * Returns the JSON text of a result of `jsonData`. It does not use `JSON.stringify` on objects, so that no `toJSON` can
 * change them.
 */
export function jsonText(data: unknown): string {
  if (Array.isArray(data)) return `[${data.map(jsonText).join()}]`;
  if (typeof data !== 'object' || data === null) return JSON.stringify(data);
  const members = Object.entries(data).map(([name, value]) => `${JSON.stringify(name)}:${jsonText(value)}`);
  return `{${members.join()}}`;
}

/**
 * Throws if an evaluation could read a member that the copy does not have: an inherited member of a changed
 * `Object.prototype`, or a member that a Proxy invents.
 */
function demandNoMore(value: unknown, data: unknown, path: readonly string[]): void {
  if (typeof data !== 'object' || data === null) return;
  const unknownName = unknownNameIn(value as Read, data);
  if (unknownName !== undefined) refuse([...path, unknownName]);
  for (const name of Object.keys(data)) {
    const part = (data as Parts)[name];
    if (typeof part === 'object' && part !== null)
      demandNoMore((value as Parts)[name], part, [...path, name]);
  }
}

type Parts = Readonly<Record<string, unknown>>;

type Read = Readonly<Record<keyof Intent | 'amount' | 'currency', unknown>>;

/**
 * Returns the name of a member that `reading` has and `data` does not have. Each name has its own check, because a loop
 * over the names would take as long as an evaluation.
 */
// biome-ignore lint/complexity/noExcessiveCognitiveComplexity: the checks are flat, and a loop over the names is slower.
function unknownNameIn(reading: Read, data: object): string | undefined {
  const lacks = (name: keyof Read): boolean => !Object.hasOwn(data, name);
  if (reading.agent_id !== undefined && lacks('agent_id')) return 'agent_id';
  if (reading.action !== undefined && lacks('action')) return 'action';
  if (reading.target !== undefined && lacks('target')) return 'target';
  if (reading.parameters !== undefined && lacks('parameters')) return 'parameters';
  if (reading.dry_run !== undefined && lacks('dry_run')) return 'dry_run';
  if (reading.hold_seconds !== undefined && lacks('hold_seconds')) return 'hold_seconds';
  if (reading.approval_id !== undefined && lacks('approval_id')) return 'approval_id';
  if (reading.subject !== undefined && lacks('subject')) return 'subject';
  if (reading.session !== undefined && lacks('session')) return 'session';
  if (reading.usage !== undefined && lacks('usage')) return 'usage';
  if (reading.permit !== undefined && lacks('permit')) return 'permit';
  if (reading.proof !== undefined && lacks('proof')) return 'proof';
  if (reading.amount !== undefined && lacks('amount')) return 'amount';
  if (reading.currency !== undefined && lacks('currency')) return 'currency';
  return undefined;
}

function isCarried(value: unknown): boolean {
  if (typeof value === 'string') return !LONE_SURROGATE.test(value);
  if (typeof value === 'number') return isJsonNumber(value);
  return value === null || typeof value === 'boolean';
}

function refuse(path: readonly string[]): never {
  throw notPlain(path);
}

const MAX_MEMBERS = 10_000;

/**
 * Returns the part of an intent that says what the agent does, without members such as `proof` and `dry_run`.
 * An approval and a permit (a signed `ALLOW`) contain this part.
 *
 * @throws {IdentityError} `invalid_request` for a value that JSON cannot represent, because another intent
 * could then have the same digest.
 */
export function wholeIntent({
  agent_id,
  action,
  target,
  parameters,
  subject,
  session,
  usage,
}: Intent): ApprovedIntent {
  return jsonData(
    { agent_id, action, target, parameters, subject, session, usage },
    MAX_MEMBERS,
  ) as ApprovedIntent;
}
