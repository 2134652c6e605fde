/** Creates the plan of `apply`, with one step for each passport. Nothing is written before the plan is complete. */

import type { Passport, PassportPatch } from '../../../src/index.ts';
import { type Comparison, compareFields } from '../../../src/verdict/compare/index.ts';
import { PASSPORT_FIELDS } from '../commands/passport-fields.ts';
import { orderedFields } from '../import/passport-line.ts';
import { everyPassport, onePassport, presentPassports, type Readers } from '../import/present-passports.ts';
import type { Declared } from './read-declared.ts';

/** The actions of a plan, in the order of the summary. */
export const ACTIONS = ['create', 'change', 'adopt', 'suspend', 'reinstate', 'unchanged', 'blocked'] as const;
export type Action = (typeof ACTIONS)[number];

export type StepStatus = 'planned' | 'done' | 'waits' | 'failed' | 'skipped';

/**
 * The counts of a replay. The service evaluates the recorded verdicts of an agent again, as if the change had
 * been made.
 */
export interface StepReplay {
  readonly judged: number;
  readonly now_denied: number;
  readonly now_allowed: number;
  readonly unknown: number;
  readonly complete: boolean;
}

export interface Step {
  readonly agent_id: string;
  readonly parent: string | undefined;
  /** The file with the passport; `null` if no file has it. The run then suspends the passport. */
  readonly file: string | null;
  action: Action;
  /**
   * The comparison of the rights before and after the step. A created or suspended passport is compared with a passport
   * without rights.
   */
  readonly comparison: Comparison | null;
  readonly fields: readonly string[];
  readonly before: Passport | undefined;
  readonly after: Passport | undefined;
  readonly patch: PassportPatch;
  replay: StepReplay | null;
  status: StepStatus;
  approval_id: string | null;
  expires_at: string | null;
  error: { readonly code: string; readonly message: string } | null;
}

export interface SetOptions {
  readonly set: string | undefined;
  readonly takeOver: boolean;
  readonly prune: boolean;
}

export interface Plan {
  readonly steps: readonly Step[];
  /** The number of agents that pruning suspends, including all their child agents. */
  readonly pruned: number;
}

export async function makePlan(
  backend: Readers,
  generations: readonly (readonly Declared[])[],
  options: SetOptions,
): Promise<Plan> {
  const declaredPassports = generations.flat();
  const present = await readPresent(backend, declaredPassports, options);
  const namedIds = new Set(declaredPassports.map(({ agent_id }) => agent_id));
  const steps: Step[] = [];
  for (const declaredPassport of declaredPassports) {
    const step = stepOf(declaredPassport, present.get(declaredPassport.agent_id), options);
    await checkParent(backend, step, namedIds, present);
    steps.push(step);
  }
  if (!options.prune) return { steps, pruned: 0 };
  const gonePassports = [...present.values()].filter((passport) => isGone(passport, namedIds, options));
  gonePassports.sort((a, b) => (a.agent_id < b.agent_id ? -1 : 1));
  const prunedCount = withBelow(gonePassports, [...present.values()]);
  return { steps: [...steps, ...gonePassports.map(suspension)], pruned: prunedCount };
}

/**
 * Returns the reason of a suspension by `--prune`. `set` is the name in `--set`. If a file contains the agent again, a
 * later run reinstates only a passport with this reason.
 */
export function pruneReason(set: string): string {
  return `pruned from ${set}`;
}

export function isPruned({ status, suspension_reason, suspended_until, managed_by }: Passport): boolean {
  const isOpen = status === 'suspended' && suspended_until === null;
  return isOpen && managed_by !== undefined && suspension_reason === pruneReason(managed_by);
}

const DECLARED = PASSPORT_FIELDS.filter((name) => name !== 'managed_by');

export function declaredFields(passport: Passport): Readonly<Record<string, unknown>> {
  return orderedFields({ ...passport }, DECLARED);
}

const AT_ONCE = 8;

async function readPresent(
  backend: Readers,
  declaredPassports: readonly Declared[],
  { prune }: SetOptions,
): Promise<ReadonlyMap<string, Passport>> {
  const passports: (Passport | undefined)[] = [];
  if (prune) passports.push(...(await everyPassport(backend)));
  else {
    const find = await presentPassports(backend, declaredPassports.length);
    for (let start = 0; start < declaredPassports.length; start += AT_ONCE) {
      const somePassports = declaredPassports.slice(start, start + AT_ONCE);
      passports.push(...(await Promise.all(somePassports.map(({ agent_id }) => find(agent_id)))));
    }
  }
  return new Map(
    passports.flatMap((passport) => (passport === undefined ? [] : [[passport.agent_id, passport] as const])),
  );
}

function stepOf(
  { agent_id, file, passport }: Declared,
  current: Passport | undefined,
  options: SetOptions,
): Step {
  const set = options.set === undefined ? {} : { managed_by: options.set };
  const target = { ...passport, ...set };
  const step = stepFrom({ agent_id, file, before: current, after: target });
  if (current === undefined) {
    return { ...step, action: 'create', comparison: compared(withoutActions(target), target) };
  }
  const block = blockOf(current, target, options);
  const fields = changedFields(current, target);
  const change = { ...step, fields, patch: patchOf(current, target, fields) };
  if (block !== undefined) return { ...change, action: 'blocked', status: 'failed', error: block };
  if (options.set !== undefined && isPruned({ ...current, managed_by: options.set })) {
    return {
      ...change,
      action: 'reinstate',
      comparison: compared(withoutActions(current), target),
    };
  }
  if (fields.length === 0) return change;
  if (fields.every((name) => name === 'managed_by')) return { ...change, action: 'adopt' };
  return { ...change, action: 'change', comparison: compared(current, target) };
}

function stepFrom({
  agent_id,
  file,
  before,
  after,
}: Pick<Step, 'agent_id' | 'file' | 'before' | 'after'>): Step {
  return {
    agent_id,
    parent: (after ?? before)?.parent_agent_id,
    file,
    action: 'unchanged',
    comparison: null,
    fields: [],
    before,
    after,
    patch: {},
    replay: null,
    status: 'planned',
    approval_id: null,
    expires_at: null,
    error: null,
  };
}

function suspension(current: Passport): Step {
  const { agent_id } = current;
  const step = stepFrom({ agent_id, file: null, before: current, after: undefined });
  return { ...step, action: 'suspend', comparison: compared(current, withoutActions(current)) };
}

function blockOf(
  current: Passport,
  target: Passport,
  { set, takeOver }: SetOptions,
): Step['error'] | undefined {
  const block = (message: string) => ({ code: 'conflict', message });
  if (current.status === 'revoked')
    return block('The passport is revoked, which is permanent. Remove it from the files.');
  if (current.parent_agent_id !== target.parent_agent_id)
    return block(
      `The parent_agent_id ${current.parent_agent_id ?? 'null'} of a passport cannot change. Create another passport.`,
    );
  const { managed_by } = current;
  if (managed_by === undefined || managed_by === set || takeOver) return undefined;
  if (set === undefined && changedFields(current, target).length === 0) return undefined;
  return block(
    `The set ${managed_by} manages the passport. Run with --set ${managed_by}, or take it with --take-over.`,
  );
}

async function checkParent(
  backend: Readers,
  step: Step,
  namedIds: ReadonlySet<string>,
  present: ReadonlyMap<string, Passport>,
): Promise<void> {
  const { parent, action } = step;
  if (action !== 'create' || parent === undefined || namedIds.has(parent)) return;
  const passport = present.get(parent) ?? (await onePassport(backend, parent));
  if (passport !== undefined && passport.status !== 'revoked') return;
  const message =
    passport === undefined
      ? `There is no passport ${parent}. Add it to the files.`
      : `The parent ${parent} is revoked. Name another parent.`;
  Object.assign(step, { action: 'blocked', status: 'failed', error: { code: 'conflict', message } });
}

function changedFields(current: Passport, target: Passport): readonly string[] {
  const [entry, otherEntry] = [declaredFields(current), declaredFields(target)];
  const fields = DECLARED.filter((name) => JSON.stringify(entry[name]) !== JSON.stringify(otherEntry[name]));
  const isTaken = target.managed_by !== undefined && target.managed_by !== current.managed_by;
  return isTaken ? [...fields, 'managed_by'] : fields;
}

/**
 * Creates the JSON Merge Patch. It removes the fields that the file does not have, including fields within `approval`
 * and `metadata`.
 */
function patchOf(current: Passport, target: Passport, fields: readonly string[]): PassportPatch {
  const [entry, otherEntry] = [current, target].map(
    (passport) => ({ ...passport }) as Record<string, unknown>,
  );
  return Object.fromEntries(fields.map((name) => [name, valueFor(entry?.[name], otherEntry?.[name])]));
}

function valueFor(valueBefore: unknown, valueAfter: unknown): unknown {
  if (valueAfter === undefined) return null;
  if (!isObject(valueBefore) || !isObject(valueAfter)) return valueAfter;
  const names = [...new Set([...Object.keys(valueBefore), ...Object.keys(valueAfter)])];
  // A name such as constructor is no member unless it is an own one.
  const ownValue = (value: Readonly<Record<string, unknown>>, name: string): unknown =>
    Object.hasOwn(value, name) ? value[name] : null;
  const changedNames = names.filter(
    (name) => JSON.stringify(ownValue(valueBefore, name)) !== JSON.stringify(ownValue(valueAfter, name)),
  );
  return Object.fromEntries(changedNames.map((name) => [name, ownValue(valueAfter, name)]));
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Compares what two passports allow while they are active. */
function compared(current: Passport, target: Passport): Comparison {
  const active = (passport: Passport): Passport => ({
    ...passport,
    status: 'active',
    suspended_until: null,
    revoked_at: null,
  });
  return compareFields(active(current), active(target));
}

function withoutActions(passport: Passport): Passport {
  return { ...passport, allowed_actions: [] };
}

function isGone(
  { agent_id, managed_by, status }: Passport,
  namedIds: ReadonlySet<string>,
  { set }: SetOptions,
): boolean {
  const isInUse = status === 'active' || status === 'expired';
  return managed_by === set && isInUse && !namedIds.has(agent_id);
}

function withBelow(gonePassports: readonly Passport[], passports: readonly Passport[]): number {
  const childIds = new Map<string, string[]>();
  for (const { agent_id, parent_agent_id: parent } of passports) {
    if (parent !== undefined) childIds.set(parent, [...(childIds.get(parent) ?? []), agent_id]);
  }
  const countedIds = new Set<string>();
  const waiting = gonePassports.map(({ agent_id }) => agent_id);
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (countedIds.has(next)) continue;
    countedIds.add(next);
    waiting.push(...(childIds.get(next) ?? []));
  }
  return countedIds.size;
}
