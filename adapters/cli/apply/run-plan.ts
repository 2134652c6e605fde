/**
 * Runs a plan with one request for each passport. The service applies a request only if the passport still has the
 * version in the plan.
 */
import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import {
  IdentityError,
  type IdentityErrorCode,
  type Passport,
  type PassportInput,
} from '../../../src/index.ts';
import type { Backend } from '../backend/methods.ts';
import { declaredFields, pruneReason, type Step } from './plan.ts';

export type Writers = Pick<Backend, 'suspend' | 'reinstate'> & {
  readonly passports: Pick<Backend['passports'], 'create' | 'update'>;
};

export interface RunOptions {
  readonly set: string | undefined;
  /** The seconds for which the run waits for approvals; 0 to not wait. */
  readonly waitSeconds: number;
}

/** Errors of the service as a whole, not of one passport. */
const OUTAGES: readonly IdentityErrorCode[] = [
  ...(['service_unreachable', 'storage_unavailable', 'overloaded', 'internal'] as const),
  ...(['unauthenticated', 'rate_limited'] as const),
];

const MAX_OUTAGES = 3;

/**
 * Runs the steps in order: parents first, suspensions last. If a step fails, the run skips only the descendants of its
 * agent.
 */
export async function runPlan(backend: Writers, steps: readonly Step[], options: RunOptions): Promise<void> {
  let outages = 0;
  const stoppedIds = new Set<string>();
  for (const step of steps) {
    if (step.status === 'planned' && step.action === 'unchanged') step.status = 'done';
    const cause = causeToSkip(step, stoppedIds, outages);
    if (step.status === 'planned' && cause !== undefined) skip(step, cause);
    else if (step.status === 'planned') {
      const error = await attempt(step, () => write(backend, step, options));
      outages = OUTAGES.some((code) => code === error?.code) ? outages + 1 : 0;
    }
    if (step.status === 'failed' || step.status === 'skipped') stoppedIds.add(step.agent_id);
  }
  await waitForPeople(backend, steps, options);
}

const PARENT_FAILED = 'The passport of its parent failed. Correct that first.';
const GIVEN_UP = 'The service did not answer the passports before it. Run the command again.';

function causeToSkip(
  { parent, action }: Step,
  stoppedIds: ReadonlySet<string>,
  outages: number,
): string | undefined {
  const isBelow = parent !== undefined && stoppedIds.has(parent);
  if (isBelow && action !== 'suspend') return PARENT_FAILED;
  return outages >= MAX_OUTAGES ? GIVEN_UP : undefined;
}

function skip(step: Step, message: string): void {
  Object.assign(step, { status: 'skipped', error: { code: 'skipped', message } });
}

async function attempt(step: Step, run: () => Promise<unknown>): Promise<IdentityError | undefined> {
  try {
    await run();
    Object.assign(step, { status: 'done', error: null });
    return undefined;
  } catch (thrownError) {
    const error = thrownError instanceof IdentityError ? thrownError : unknownError(thrownError);
    const { code, message, details } = error;
    const { approval_id, expires_at } = details;
    if (code === 'second_person_required' && typeof approval_id === 'string') {
      Object.assign(step, { status: 'waits', approval_id, expires_at: expires_at ?? null, error: null });
      return undefined;
    }
    if (code === 'domain_claimed') step.action = 'blocked';
    Object.assign(step, { status: 'failed', error: { code, message } });
    return error;
  }
}

function unknownError(error: unknown): IdentityError {
  return new IdentityError('internal', 'The request failed.', { cause: error });
}

async function write(backend: Writers, step: Step, { set }: RunOptions): Promise<unknown> {
  const { action, agent_id, before, after } = step;
  if (action === 'create' && after !== undefined) {
    const { passports } = backend;
    const { managed_by } = after;
    const input = { ...declaredFields(after), ...(managed_by !== undefined && { managed_by }) };
    return passports.create(input as unknown as PassportInput, { idempotencyKey: randomUUID() });
  }
  if (before === undefined) return undefined;
  if (action === 'suspend') {
    const input = { agent_id, ...(set !== undefined && { reason: pruneReason(set) }) };
    return backend.suspend(input, { ifVersion: [before.version] });
  }
  const savedPassport = step.fields.length === 0 ? before : await change(backend, step, before);
  // The passport is suspended until its fields are those of the file.
  if (action === 'reinstate') await backend.reinstate({ agent_id }, { ifVersion: [savedPassport.version] });
  return undefined;
}

/**
 * Sends the patch. If the patch needs an approval, finds the approval for exactly this patch, and uses the approval
 * once it is given.
 */
async function change({ passports }: Writers, step: Step, passportBefore: Passport): Promise<Passport> {
  const ifVersion = [passportBefore.version];
  const { agent_id, patch } = step;
  const namedApproval = step.approval_id;
  if (namedApproval !== null)
    return passports.update(agent_id, patch, { ifVersion, approvalId: namedApproval });
  try {
    return await passports.update(agent_id, patch, { ifVersion });
  } catch (error) {
    const approvalId = error instanceof IdentityError ? error.details['approval_id'] : undefined;
    if (typeof approvalId !== 'string') throw error;
    return passports.update(agent_id, patch, { ifVersion, approvalId });
  }
}

const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 5_000;

async function waitForPeople(backend: Writers, steps: readonly Step[], options: RunOptions): Promise<void> {
  const end = performance.now() + options.waitSeconds * 1_000;
  let pauseMs = FIRST_PAUSE_MS;
  for (;;) {
    const waiting = steps.filter(({ status }) => status === 'waits');
    const leftMs = end - performance.now();
    if (waiting.length === 0 || leftMs <= 0) return;
    await pause(Math.min(pauseMs, leftMs));
    pauseMs = Math.min(pauseMs * 1.5, LONGEST_PAUSE_MS);
    for (const step of waiting) {
      const error = await attempt(step, () => write(backend, step, options));
      if (error !== undefined && OUTAGES.includes(error.code))
        Object.assign(step, { status: 'waits', error: null });
    }
  }
}
