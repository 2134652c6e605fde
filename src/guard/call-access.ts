/** Reads the agent and the user of a call from the access token of its request. */
import type { Reason } from '../records.ts';
import type { ToolCall } from './tool-call.ts';

/** The claims of an access token that a guard uses. */
export interface CallAccess {
  readonly agent_id: string;
  /** The user for whom the agent acts; `null` without a user. */
  readonly subject: string | null;
  /** The granted actions. An empty list does not limit the actions of the passport. */
  readonly scope: readonly string[];
}

/** Returns the claims of the access token of a call. Returns `undefined` for a call without a verified token. */
export type ReadAccess = (call: ToolCall) => CallAccess | undefined;

/** The reasons of the denial if the action of a call is not in the scope of its token. */
export const SCOPE_MISSING: readonly Reason[] = Object.freeze([
  Object.freeze({ code: 'scope_missing', message: 'The token lacks the scope.' }),
]);

/** Returns the claims of the access token. Throws for a call without a verified token. */
export function accessFor(read: ReadAccess, call: ToolCall): CallAccess {
  const access = read(call);
  if (access === undefined || !Array.isArray(access.scope)) throw new TypeError();
  return access;
}

/** Throws `SCOPE_MISSING` if the token has a scope without the action. */
export function demandScope({ scope }: CallAccess, action: string): void {
  if (scope.length > 0 && !scope.includes(action)) throw SCOPE_MISSING;
}
