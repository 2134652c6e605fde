/**
 * Builds the groups of methods of a service, such as `service.keys`, from tables of operations and the code of the
 * methods. Does the same for a single actor.
 */
import { knownOptions, type OptionNames, suggestion } from '../../base/known-options.ts';
import { pagesOf } from '../../base/pages.ts';
import { invalidRequest, wrongField } from '../../errors.ts';
import {
  idsOf,
  isPaged,
  OPTION_OF,
  type Operation,
  type OperationTable,
  optionsPlace,
  parametersIn,
} from '../../operations/operation.ts';
import type { Page } from '../../records.ts';
import type { Actor, CallOptions, KeyCaller, SessionCaller } from '../shared/callers.ts';

/** Describes the arguments of a method. */
interface Shape {
  /** The number of ids, which are the first arguments. */
  readonly ids: number;
  /** The index of the argument with the options. */
  readonly place: number;
  /** The names of the filters in the query argument. If absent, the method checks its input itself. */
  readonly filters?: readonly string[];
  /** The names of the options that the method accepts. */
  readonly options: readonly string[];
  readonly isPaged?: boolean;
}

/** A method that does not come from a table of operations. HTTP has no endpoint for it, or a different one. */
export interface LocalMethod extends Shape {
  readonly room: string;
  readonly name: string;
  /** `true` if `service.as(…)` has the method as well. */
  readonly isOfAccounts?: true;
}

type Method = (...input: readonly unknown[]) => Promise<unknown>;
type Methods = Readonly<Record<string, Method>>;

/** Methods by group, such as `keys`. The group `''` has the methods of the service itself. */
export type Rooms = Readonly<Record<string, Methods>>;

/** The groups of methods of a service. */
export interface OpenRooms {
  /** The methods for all actors. They refuse unknown options, because ignoring a misspelt option could be harmful. */
  readonly rooms: Rooms;
  /** Returns the methods for one actor. The options of a call cannot change the actor. */
  roomsFor(actor: Actor): Rooms;
}

/** Builds the groups of methods. `code` has the code of the methods by group, in one or more parts. */
export function openRooms(
  tables: readonly OperationTable[],
  locals: readonly LocalMethod[],
  code: readonly Readonly<Record<string, object>>[],
): OpenRooms {
  const methods: readonly CodedMethod[] = [...tables.flatMap(methodsOf), ...locals].map((shape) => ({
    ...shape,
    code: codeOf(code, shape),
    names: Object.fromEntries(shape.options.map((name) => [name, true])),
  }));
  const ofAccounts = methods.filter(({ isOfAccounts }) => isOfAccounts);
  return {
    rooms: roomsBy(methods, checkedMethod),
    roomsFor: (actor) => roomsBy(ofAccounts, (method) => boundMethod(method, actor)),
  };
}

interface CodedMethod extends LocalMethod {
  readonly code: Method;
  readonly names: Readonly<Record<string, true>>;
}

function codeOf(code: readonly Readonly<Record<string, object>>[], { room, name }: LocalMethod): Method {
  const owner = code.find((part) => Object.hasOwn(Object(part[room]), name));
  return Object(owner?.[room])[name] as Method;
}

function roomsBy(methods: readonly CodedMethod[], make: (method: CodedMethod) => Method): Rooms {
  const rooms: Record<string, Record<string, Method>> = {};
  for (const method of methods) {
    const { room, name } = method;
    const methods: Record<string, Method> = rooms[room] ?? {};
    rooms[room] = methods;
    methods[name] = make(method);
  }
  return rooms;
}

function methodsOf({ room, operations }: OperationTable): readonly LocalMethod[] {
  return Object.entries(operations).map(([name, operation]) => ({
    room,
    name,
    ids: idsOf(operation),
    place: optionsPlace(operation),
    options: optionsOf(operation),
    isPaged: isPaged(operation),
    isOfAccounts: true,
    ...(operation.query !== undefined && { filters: filtersOf(operation) }),
  }));
}

function optionsOf({ options = [], headers = [], isAbortable }: Operation): readonly string[] {
  const list = [...options, ...headers.map((header) => OPTION_OF[header])];
  return isAbortable ? [...list, 'signal'] : list;
}

function filtersOf(operation: Operation): readonly string[] {
  return parametersIn(operation)
    .filter(({ isOfHttp }) => isOfHttp !== true)
    .map(({ name }) => name);
}

/** The names of the options that identify the actor. */
export const ACTOR: OptionNames<KeyCaller & SessionCaller> = {
  account_id: true,
  key_id: true,
  agent_ids: true,
  plan: true,
  operator: true,
  session_id: true,
  member_id: true,
  role: true,
  environment: true,
  scopes: true,
  management: true,
  request_id: true,
  trace_id: true,
};

/** Creates a method that checks its arguments as strictly as HTTP does. */
function checkedMethod(method: CodedMethod): Method {
  const { code, place } = method;
  const names = { ...method.names, ...ACTOR };
  return paged(method, async (...input) => {
    assertArguments(method, input);
    if (input[place] !== undefined) knownOptions(pathOf(method), input[place] as object, names);
    return code(...input);
  });
}

/**
 * Binds a method to an actor. An aborted signal prevents the call. It stops a running call only if the method supports
 * the signal.
 */
function boundMethod(method: CodedMethod, actor: Actor): Method {
  const { code, place } = method;
  return paged(method, async (...input) => {
    const { signal, ...options } = knownOptions<CallOptions>(
      pathOf(method),
      (input[place] ?? {}) as CallOptions,
      { ...method.names, signal: true } as OptionNames<CallOptions>,
    );
    assertArguments(method, input);
    signal?.throwIfAborted();
    const argumentsBefore = Array.from({ length: place }, (_, index) => input[index]);
    const ending = 'signal' in method.names && signal !== undefined && { signal };
    return code(...argumentsBefore, { ...options, ...ending, ...actor });
  });
}

function pathOf({ room, name }: LocalMethod): string {
  return room === '' ? name : `${room}.${name}`;
}

function assertArguments({ ids, place, filters }: Shape, input: readonly unknown[]): void {
  for (let index = 0; index < ids; index += 1) assertId(input[index]);
  if (filters !== undefined) assertFilters(input[place - 1], filters);
}

function assertId(id: unknown): void {
  if (typeof id === 'string') return;
  throw wrongField('', 'invalid_type', 'The id must be a text.');
}

function assertFilters(query: unknown, names: readonly string[]): void {
  if (query === undefined) return;
  if (typeof query !== 'object' || query === null) {
    throw wrongField('', 'invalid_type', 'The filters must be an object.');
  }
  const unknown = Object.keys(query).filter((name) => !names.includes(name));
  if (unknown.length === 0) return;
  throw invalidRequest(
    unknown.map((name) => ({
      path: `/${name}`,
      code: 'unknown_field',
      message: `There is no such filter.${suggestion(name, names)}`,
    })),
  );
}

function paged({ place, isPaged = false }: Shape, method: Method): Method {
  if (!isPaged) return method;
  const index = place - 1;
  return (...input) =>
    pagesOf((cursor) => {
      const query = cursor === undefined ? input[index] : { ...Object(input[index]), cursor };
      return method(...input.slice(0, index), query, ...input.slice(index + 1)) as Promise<Page<unknown>>;
    });
}
