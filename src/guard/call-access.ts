/** The agent and the user of a call, from the access token of its request. */
import type { Reason } from '../records.ts';
import type { ToolCall } from './tool-call.ts';

/** The claims of an access token that a guard uses. */
export interface CallAccess {
  readonly agent_id: string;
  /** The user for whom the agent acts; `null` without a user. */
  readonly subject: string | null;
  /** The granted actions. With an empty list the passport alone decides. */
  readonly scope: readonly string[];
}

/** Returns the claims of the token of a call; `undefined` for a call without a verified token. */
export type ReadAccess = (call: ToolCall) => CallAccess | undefined;

/** The reasons of a call whose action is not in the scope of its token. */
export const SCOPE_MISSING: readonly Reason[] = Object.freeze([
  Object.freeze({ code: 'scope_missing', message: 'The token lacks the scope.' }),
]);

/** Returns the claims of the token. Throws for a call without a verified token. */
export function accessFor(read: ReadAccess, call: ToolCall): CallAccess {
  const access = read(call);
  if (access === undefined || !Array.isArray(access.scope)) throw new TypeError();
  return access;
}

/** Throws `SCOPE_MISSING` unless the token has the action, or no scope at all. */
export function demandScope({ scope }: CallAccess, action: string): void {
  if (scope.length > 0 && !scope.includes(action)) throw SCOPE_MISSING;
}
