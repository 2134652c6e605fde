/** The member names of a message that a guard, or a server behind it, reads. */
import { hasDisguisedName } from '../../../src/guard/index.ts';
import { APPROVAL_ID } from './denied-result.ts';
import { PERMIT } from './forwarded-params.ts';

const MESSAGE = ['jsonrpc', 'id', 'method', 'params', 'result', 'error'];
const PARAMS = [
  ...['name', 'arguments', '_meta', 'task', 'requestState', 'inputResponses'],
  ...['uri', 'cursor', 'requestId', 'taskId'],
];
const META = ['progressToken', 'traceparent', 'io.modelcontextprotocol/protocolVersion', APPROVAL_ID, PERMIT];

/** Says whether a server may read a JSON-RPC message, its params or their `_meta` differently from the guard. */
export function isAmbiguous(message: object): boolean {
  const { params } = message as { readonly params?: unknown };
  const { _meta } = Object(params) as { readonly _meta?: unknown };
  return (
    hasDisguisedName(message, MESSAGE) || hasDisguisedName(params, PARAMS) || hasDisguisedName(_meta, META)
  );
}
