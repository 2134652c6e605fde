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
  const declared = generations.flat();
  const present = await readPresent(backend, declared, options);
  const named = new Set(declared.map(({ agent_id }) => agent_id));
  const steps: Step[] = [];
  for (const one of declared) {
    const step = stepOf(one, present.get(one.agent_id), options);
    await checkParent(backend, step, named, present);
    steps.push(step);
  }
  if (!options.prune) return { steps, pruned: 0 };
  const gone = [...present.values()].filter((passport) => isGone(passport, named, options));
  gone.sort((a, b) => (a.agent_id < b.agent_id ? -1 : 1));
  const pruned = withBelow(gone, [...present.values()]);
  return { steps: [...steps, ...gone.map(suspension)], pruned };
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
  declared: readonly Declared[],
  { prune }: SetOptions,
): Promise<ReadonlyMap<string, Passport>> {
  const found: (Passport | undefined)[] = [];
  if (prune) found.push(...(await everyPassport(backend)));
  else {
    const find = await presentPassports(backend, declared.length);
    for (let from = 0; from < declared.length; from += AT_ONCE) {
      const some = declared.slice(from, from + AT_ONCE);
      found.push(...(await Promise.all(some.map(({ agent_id }) => find(agent_id)))));
    }
  }
  return new Map(found.flatMap((one) => (one === undefined ? [] : [[one.agent_id, one] as const])));
}

function stepOf(
  { agent_id, file, passport }: Declared,
  before: Passport | undefined,
  options: SetOptions,
): Step {
  const set = options.set === undefined ? {} : { managed_by: options.set };
  const after = { ...passport, ...set };
  const step = stepFrom({ agent_id, file, before, after });
  if (before === undefined) {
    return { ...step, action: 'create', comparison: compared(withoutActions(after), after) };
  }
  const blocked = blockOf(before, after, options);
  const fields = changedFields(before, after);
  const planned = { ...step, fields, patch: patchOf(before, after, fields) };
  if (blocked !== undefined) return { ...planned, action: 'blocked', status: 'failed', error: blocked };
  if (options.set !== undefined && isPruned({ ...before, managed_by: options.set })) {
    return { ...planned, action: 'reinstate', comparison: compared(withoutActions(before), after) };
  }
  if (fields.length === 0) return planned;
  if (fields.every((name) => name === 'managed_by')) return { ...planned, action: 'adopt' };
  return { ...planned, action: 'change', comparison: compared(before, after) };
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

function suspension(before: Passport): Step {
  const { agent_id } = before;
  const step = stepFrom({ agent_id, file: null, before, after: undefined });
  return { ...step, action: 'suspend', comparison: compared(before, withoutActions(before)) };
}

function blockOf(
  before: Passport,
  after: Passport,
  { set, takeOver }: SetOptions,
): Step['error'] | undefined {
  const block = (message: string) => ({ code: 'conflict', message });
  if (before.status === 'revoked')
    return block('The passport is revoked, which is permanent. Remove it from the files.');
  if (before.parent_agent_id !== after.parent_agent_id)
    return block(
      `The parent_agent_id ${before.parent_agent_id ?? 'null'} of a passport cannot change. Create another passport.`,
    );
  const { managed_by } = before;
  if (managed_by === undefined || managed_by === set || takeOver) return undefined;
  if (set === undefined && changedFields(before, after).length === 0) return undefined;
  return block(
    `The set ${managed_by} manages the passport. Run with --set ${managed_by}, or take it with --take-over.`,
  );
}

async function checkParent(
  backend: Readers,
  step: Step,
  named: ReadonlySet<string>,
  present: ReadonlyMap<string, Passport>,
): Promise<void> {
  const { parent, action } = step;
  if (action !== 'create' || parent === undefined || named.has(parent)) return;
  const found = present.get(parent) ?? (await onePassport(backend, parent));
  if (found !== undefined && found.status !== 'revoked') return;
  const message =
    found === undefined
      ? `There is no passport ${parent}. Add it to the files.`
      : `The parent ${parent} is revoked. Name another parent.`;
  Object.assign(step, { action: 'blocked', status: 'failed', error: { code: 'conflict', message } });
}

function changedFields(before: Passport, after: Passport): readonly string[] {
  const [one, other] = [declaredFields(before), declaredFields(after)];
  const fields = DECLARED.filter((name) => JSON.stringify(one[name]) !== JSON.stringify(other[name]));
  const isTaken = after.managed_by !== undefined && after.managed_by !== before.managed_by;
  return isTaken ? [...fields, 'managed_by'] : fields;
}

/**
 * Creates the JSON Merge Patch. It removes the fields that the file does not have, including fields within `approval`
 * and `metadata`.
 */
function patchOf(before: Passport, after: Passport, fields: readonly string[]): PassportPatch {
  const [one, other] = [before, after].map((passport) => ({ ...passport }) as Record<string, unknown>);
  return Object.fromEntries(fields.map((name) => [name, valueFor(one?.[name], other?.[name])]));
}

function valueFor(before: unknown, after: unknown): unknown {
  if (after === undefined) return null;
  if (!isObject(before) || !isObject(after)) return after;
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  // A name such as constructor is no member unless it is an own one.
  const own = (value: Readonly<Record<string, unknown>>, name: string): unknown =>
    Object.hasOwn(value, name) ? value[name] : null;
  const changed = names.filter(
    (name) => JSON.stringify(own(before, name)) !== JSON.stringify(own(after, name)),
  );
  return Object.fromEntries(changed.map((name) => [name, own(after, name)]));
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Compares what two passports allow while they are active. */
function compared(before: Passport, after: Passport): Comparison {
  const active = (passport: Passport): Passport => ({
    ...passport,
    status: 'active',
    suspended_until: null,
    revoked_at: null,
  });
  return compareFields(active(before), active(after));
}

function withoutActions(passport: Passport): Passport {
  return { ...passport, allowed_actions: [] };
}

function isGone(
  { agent_id, managed_by, status }: Passport,
  named: ReadonlySet<string>,
  { set }: SetOptions,
): boolean {
  const isInUse = status === 'active' || status === 'expired';
  return managed_by === set && isInUse && !named.has(agent_id);
}

function withBelow(gone: readonly Passport[], all: readonly Passport[]): number {
  const below = new Map<string, string[]>();
  for (const { agent_id, parent_agent_id: parent } of all) {
    if (parent !== undefined) below.set(parent, [...(below.get(parent) ?? []), agent_id]);
  }
  const counted = new Set<string>();
  const waiting = gone.map(({ agent_id }) => agent_id);
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (counted.has(next)) continue;
    counted.add(next);
    waiting.push(...(below.get(next) ?? []));
  }
  return counted.size;
}
