/** The verified token behind a call, from what the MCP SDKs hand to tools. */
import type { Access } from './read-access-token.ts';

const known = new WeakMap<object, Access>();

/** Notes that this object, the `extra` of an `authInfo`, belongs to a verified token. */
export function rememberAccess(extra: object, access: Access): void {
  known.set(extra, access);
}

/**
 * Returns the agent, the user and the scope of the token of a call: for the option `access` of `createToolGuard`.
 * `undefined` unless a verifier of this process made the `extra` of the `authInfo` in the context of the call.
 */
export function accessOf(call: { readonly context?: unknown }): Access | undefined {
  const { authInfo } = Object(call.context) as { readonly authInfo?: unknown };
  const { extra } = Object(authInfo) as { readonly extra?: unknown };
  return known.get(Object(extra));
}
