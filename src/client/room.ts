/** Makes the methods of a room from its table of operations. */
import { type Operation, type OperationTable, optionsPlace } from '../operations/operation.ts';
import type { AdminRequests } from './admin-requests.ts';
import { segmentOf } from './path-of.ts';
import type { RequestOptions } from './transport.ts';

type Method = (...input: readonly unknown[]) => unknown;

/** Returns the methods of a table over these requests. Each request that changes something is sent once. */
export function roomOf<Room>(
  { operations }: OperationTable & { readonly types?: Room | undefined },
  requests: AdminRequests,
): Room {
  const methods = Object.entries(operations).map(([name, operation]) => [
    name,
    methodOf(operation, requests),
  ]);
  // The table has a row for each method of the room.
  return Object.fromEntries(methods) as Room;
}

function methodOf(operation: Operation, { ask, change, list }: AdminRequests): Method {
  const { http, body, query, status, has = [] } = operation;
  const [verb, template] = http.split(' ') as ['GET' | 'POST' | 'PATCH' | 'DELETE', string];
  const place = optionsPlace(operation);
  return (...input) => {
    const ids = [...input];
    const path = template.replaceAll(/\{\w+\}/g, () => segmentOf(ids.shift()));
    const options = input[place] as RequestOptions | undefined;
    const given = input[place - 1] as object | undefined;
    if (query === 'page') return list(path, given ?? {}, options);
    if (verb === 'GET') return ask(path, { options, holds: has });
    const sent = body === undefined ? {} : { input: given ?? {} };
    return change(verb, path, { ...sent, options, success: status, holds: has });
  };
}
