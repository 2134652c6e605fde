import { hasDisguisedName, type ToolRun } from '../../../src/guard/index.ts';
import { APPROVAL_ID } from './denied-result.ts';

/** The member of `_meta` in which the permit of a call is sent to the server. */
export const PERMIT = 'agent-identity/permit';

/**
 * Returns the params to forward to the server, with the evaluated arguments and the permit of the verdict. Removes a
 * permit from the client, because it may be for another action.
 */
export function forwardedParams<Params extends { readonly arguments?: unknown }>(
  params: Params,
  { args, record }: Pick<ToolRun, 'args' | 'record'>,
): Params {
  const ownValue = { ...params, ...(args !== undefined && { arguments: args }) };
  const { _meta } = params as { readonly _meta?: unknown };
  const { [PERMIT]: value, ...meta } = Object(_meta) as Readonly<Record<string, unknown>>;
  const permit = record?.permit;
  if (typeof permit === 'string') return { ...ownValue, _meta: { ...meta, [PERMIT]: permit } };
  return value === undefined ? ownValue : { ...ownValue, _meta: meta };
}

const MESSAGE = ['jsonrpc', 'id', 'method', 'params', 'result', 'error'];
const PARAMS = [
  ...['name', 'arguments', '_meta', 'task', 'requestState', 'inputResponses'],
  ...['uri', 'cursor', 'requestId', 'taskId'],
];
const META = ['progressToken', 'traceparent', 'io.modelcontextprotocol/protocolVersion', APPROVAL_ID, PERMIT];

/** Says whether a server could understand a JSON-RPC message, its params or their `_meta` differently than the guard. */
export function isAmbiguous(message: object): boolean {
  const { params } = message as { readonly params?: unknown };
  const { _meta } = Object(params) as { readonly _meta?: unknown };
  return (
    hasDisguisedName(message, MESSAGE) || hasDisguisedName(params, PARAMS) || hasDisguisedName(_meta, META)
  );
}
