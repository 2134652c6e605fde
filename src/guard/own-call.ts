/** The call that a guard evaluates: its members, read once, and its intent. */
import type { Intent } from '../records.ts';
import type { CheckedOptions } from './guard-options.ts';
import type { ToolCall } from './tool-call.ts';
import { subjectOf } from './tool-rule.ts';

/** A call whose arguments are a copy of the guard. */
export type OwnCall = ToolCall & { args: unknown };

/** Reads the members of a call, each once. */
export function ownCall(given: ToolCall): OwnCall {
  const { name, args, id, signal, context, idempotency_key, resumes, approval_id } = given;
  if (typeof name !== 'string') throw new TypeError();
  return { name, args, id, signal, context, idempotency_key, resumes, approval_id } as OwnCall;
}

/** Returns the key of the application for a call. Throws for an invalid key. */
export function hostKeyOf(call: ToolCall, { idempotencyKey }: CheckedOptions): string | undefined {
  if (idempotencyKey === undefined) return undefined;
  const key = idempotencyKey(call);
  if (typeof key !== 'string' || !/^[\x20-\x7e]{1,255}$/.test(key)) throw new TypeError();
  return key;
}

/** Returns the intent of a call. Throws for a call that cannot be read. */
export function intentOf(
  call: ToolCall,
  { agentId, approvalId, subject: given, readers, otherwise, isObserving }: CheckedOptions,
  isAhead: boolean,
): Intent {
  const agent_id = typeof agentId === 'function' ? agentId(call) : agentId;
  if (typeof agent_id !== 'string') throw new TypeError();
  const approval_id = call.approval_id ?? approvalId?.(call);
  if (approval_id !== undefined && typeof approval_id !== 'string') throw new TypeError();
  const subject = typeof given === 'function' ? given(call) : given;
  const read = (readers.get(call.name) ?? otherwise)(call);
  const intent: Intent =
    subject === undefined ? { agent_id, ...read } : { agent_id, subject: subjectOf(subject), ...read };
  const isDryRun = isObserving || isAhead;
  // Most calls need no further copy.
  if (approval_id === undefined && !isDryRun) return intent;
  return { ...intent, ...(approval_id !== undefined && { approval_id }), ...(isDryRun && { dry_run: true }) };
}
