/** Finds the verified access token of a tool call, in the data that the MCP SDKs pass to tools. */
import type { Access } from './read-access-token.ts';

const accesses = new WeakMap<object, Access>();

/** Stores that this object, the `extra` of an `authInfo`, belongs to a verified token. */
export function rememberAccess(extra: object, access: Access): void {
  accesses.set(extra, access);
}

/**
 * Returns the agent, the user and the scope of the token of a call, for the option `access` of `createToolGuard`.
 * Returns `undefined` unless the context of the call has an `authInfo` from a token verifier of this process.
 */
export function accessOf(call: { readonly context?: unknown }): Access | undefined {
  const { authInfo } = Object(call.context) as { readonly authInfo?: unknown };
  const { extra } = Object(authInfo) as { readonly extra?: unknown };
  return accesses.get(Object(extra));
}
