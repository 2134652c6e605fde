/** Creates the methods of a group, such as `keys`, from its table of operations. */
import { jsonData, MAX_BODY_MEMBERS } from '../base/values/json-data.ts';
import {
  type HeaderOption,
  idsOf,
  isPaged,
  OPTION_OF,
  type Operation,
  type OperationTable,
  optionsPlace,
  parametersIn,
} from '../operations/operation.ts';
import { queryOf, segmentOf } from './path-of.ts';
import type { ClientRequests } from './requests.ts';
import type { RequestOptions } from './transport.ts';

type Method = (...input: readonly unknown[]) => unknown;
type Options = RequestOptions & Readonly<Record<string, unknown>>;

/** Says whether an answer belongs to its request. It gets the arguments of the call, with the body as it was sent. */
type Check = (answer: unknown, ...input: readonly never[]) => boolean;

export type Checks<Room> = { readonly [Name in keyof Room]?: Check };

export function roomOf<Room>(
  { operations }: OperationTable & { readonly types?: Room | undefined },
  requests: ClientRequests,
  checks: Checks<Room> = {},
): Room {
  const byName = checks as Readonly<Record<string, Check>>;
  const methods = Object.entries(operations).map(([name, operation]) => [
    name,
    methodOf(operation, requests, byName[name]),
  ]);
  // The table has a row for each method of the room.
  return Object.fromEntries(methods) as Room;
}

function methodOf(operation: Operation, requests: ClientRequests, check: Check = () => true): Method {
  const [, template = ''] = operation.http.split(' ');
  const [ids, place] = [idsOf(operation), optionsPlace(operation)];
  const send = sendOf(operation, requests);
  const flags = parametersIn(operation)
    .filter(({ isFlag }) => isFlag)
    .map(({ name }) => name);

  function read(input: readonly unknown[]) {
    const segments = input.slice(0, ids);
    const path = template.replaceAll(/\{\w+\}/g, () => segmentOf(segments.shift()));
    const options = (place > ids ? input[place - 1] : undefined) ?? {};
    return { path, given: options, options: input[place] as Options | undefined };
  }

  function asked(options: object): object {
    return Object.fromEntries(
      Object.entries(options).map(([name, value]) => [name, flags.includes(name) ? value && '1' : value]),
    );
  }

  if (isPaged(operation)) {
    return (...input) => {
      const { path, given, options } = read(input);
      return requests.list(path, asked(given), options);
    };
  }
  return async (...input) => {
    const { path, given, options } = read(input);
    if (operation.isCsv) return requests.stream(`${path}${queryOf(asked(given))}`, 'text/csv', options);
    const query = operation.query === undefined ? '' : queryOf(asked(given));
    const body = operation.body === undefined ? undefined : (jsonData(given, MAX_BODY_MEMBERS) as object);
    const answer = await send(`${path}${query}`, body, options);
    const sentInput = [...input.slice(0, ids), ...(body === undefined ? [] : [body])];
    if (!check(answer, ...(sentInput as never[]))) throw requests.notThisAnswer();
    return answer;
  };
}

function sendOf(operation: Operation, { ask, change, make }: ClientRequests) {
  const { http, status, has = [], headers = [], secret } = operation;
  const [method] = http.split(' ') as ['GET' | 'POST' | 'PATCH' | 'DELETE'];
  const takes = Object.fromEntries(headers.map((header) => [OPTION_OF[header], true] as const));
  return (path: string, input: object | undefined, options: Options | undefined): Promise<unknown> => {
    if (method === 'GET') return ask(path, { options, holds: has });
    if (headers.includes('Idempotency-Key'))
      return make(path, { input: input ?? {}, options, holds: has, secret, success: status });
    const sentHeaders = headersOf(headers, options);
    return change(method, path, { input, options, headers: sentHeaders, success: status, holds: has, takes });
  };
}

function headersOf(
  headers: readonly HeaderOption[],
  options: Options = {},
): Readonly<Record<string, string>> {
  const namedList = headers.map((header) => [header, options[OPTION_OF[header]]] as const);
  return Object.fromEntries(
    namedList
      .filter(([, value]) => value !== undefined)
      .map(([header, value]) => [
        header.toLowerCase(),
        Array.isArray(value) ? ifMatch(value) : String(value),
      ]),
  );
}

/**
 * Returns the version condition as a header. An empty list permits no version, so it becomes version 0, which does not
 * exist.
 */
function ifMatch(versions: readonly unknown[]): string {
  return versions.length === 0 ? '"0"' : versions.map((version) => `"${Number(version)}"`).join();
}
