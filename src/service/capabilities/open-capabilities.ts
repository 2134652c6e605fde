/** Opens the capabilities of one service, and adds their methods to its rooms. */
import { knownOptions } from '../../base/known-options.ts';
import { IdentityError } from '../../errors.ts';
import { type Operation, type OperationTable, optionsPlace } from '../../operations/operation.ts';
import { assertId, assertPage } from '../acting/checked-arguments.ts';
import { listed } from '../acting/listed.ts';
import { ACTOR } from '../acting/management.ts';
import type { CallOptions } from '../shared/call-options.ts';
import type { Actor } from '../shared/callers.ts';
import type { Capability, Core, CountCall, OpenCapability, WholeCapability } from './capability.ts';

/** The operations of capabilities, as HTTP serves them. */
export interface ServedOperations {
  /** The tables of all operations. */
  readonly tables: readonly OperationTable[];
  /** The limits of operations, by their names. */
  readonly limits: Readonly<Record<string, CountCall>>;
}

/** The open capabilities of one service. */
export interface OpenCapabilities {
  /** The methods by room. They refuse unknown options, because a misspelt name would be ignored. */
  readonly rooms: Rooms;
  /** The methods that are no operations. */
  readonly hostRooms: Readonly<Record<string, object>>;
  /** The parts that HTTP uses. */
  readonly serving: ServedOperations;
  /** Returns the methods by room for one actor. Options of calls cannot change the actor. */
  roomsFor(actor: Actor): Rooms;
  /** Encrypts all stored secrets of the capabilities again; returns their number. Absent: they store none. */
  readonly reseal: (() => Promise<number>) | undefined;
  stop(): Promise<void>;
}

type Method = (...input: readonly unknown[]) => Promise<unknown>;
type Rooms = Readonly<Record<string, Readonly<Record<string, Method>>>>;

/** Opens each capability once, in the order of the list. */
export function openCapabilities(core: Core, listed: readonly Capability[]): OpenCapabilities {
  const whole = checkedList(listed);
  const opened: readonly OpenCapability[] = whole.map((one) => one.open(core));
  const tables = whole.flatMap(({ operations }) => operations);
  const methods = opened.map(({ rooms }) => rooms);

  /** Makes the rooms, each method by `make`. */
  function roomsBy(make: (method: Method, operation: Operation, name: string) => Method): Rooms {
    const rooms: Record<string, Record<string, Method>> = {};
    for (const { room, operations } of tables) {
      const made: Record<string, Method> = rooms[room] ?? {};
      rooms[room] = made;
      for (const [name, operation] of Object.entries(operations)) {
        const owner = methods.find((own) => Object.hasOwn(Object(own[room]), name));
        made[name] = make(Object(owner?.[room])[name] as Method, operation, `${room}.${name}`);
      }
    }
    return rooms;
  }

  return {
    rooms: roomsBy(checkedMethod),
    hostRooms: Object.assign({}, ...opened.map(({ hostRooms }) => hostRooms)),
    serving: { tables, limits: Object.assign({}, ...opened.map(({ limits }) => limits)) },
    roomsFor: (actor) => roomsBy((method, operation, name) => boundMethod(method, operation, name, actor)),
    reseal: opened.some(({ reseal }) => reseal !== undefined) ? () => resealAll(opened) : undefined,
    async stop() {
      for (const { stop } of opened) await stop?.();
    },
  };
}

async function resealAll(opened: readonly OpenCapability[]): Promise<number> {
  let count = 0;
  for (const { reseal } of opened) count += (await reseal?.()) ?? 0;
  return count;
}

function checkedList(listed: readonly Capability[]): readonly WholeCapability[] {
  if (!Array.isArray(listed)) throw unfit('options.capabilities must be a list, such as [replay()].');
  const names = new Set<string>();
  for (const one of listed) {
    const { name, open } = Object(one) as Partial<WholeCapability>;
    if (typeof name !== 'string' || typeof open !== 'function')
      throw unfit('options.capabilities has an entry that is no capability: call it, such as replay().');
    if (names.has(name)) throw unfit(`options.capabilities has ${name} twice.`);
    names.add(name);
  }
  return listed as readonly WholeCapability[];
}

function unfit(message: string): IdentityError {
  return new IdentityError('invalid_configuration', message);
}

/** Makes a method that checks its arguments, as HTTP does. */
function checkedMethod(method: Method, operation: Operation, name: string): Method {
  const place = optionsPlace(operation);
  const names = { ...ownOptions(operation), ...ACTOR };
  const check = (input: readonly unknown[]): void => {
    assertArguments(operation, input);
    if (input[place] !== undefined) knownOptions(name, input[place] as object, names);
  };
  return paged(operation, async (...input) => {
    check(input);
    return method(...input);
  });
}

/** Binds a method to an actor. An aborted signal prevents the call, and ends one under way only if the method takes it. */
function boundMethod(method: Method, operation: Operation, name: string, actor: Actor): Method {
  const place = optionsPlace(operation);
  const own = ownOptions(operation);
  return paged(operation, async (...input) => {
    const { signal, ...options } = knownOptions<CallOptions>(name, (input[place] ?? {}) as CallOptions, {
      ...own,
      signal: true,
    });
    assertArguments(operation, input);
    signal?.throwIfAborted();
    const before = Array.from({ length: place }, (_, index) => input[index]);
    const ended = 'signal' in own && signal !== undefined && { signal };
    return method(...before, { ...options, ...ended, ...actor });
  });
}

function ownOptions({ options = [], isAbortable }: Operation): Readonly<Record<string, true>> {
  const names = isAbortable ? [...options, 'signal'] : options;
  return Object.fromEntries(names.map((name) => [name, true]));
}

function assertArguments(operation: Operation, input: readonly unknown[]): void {
  const place = optionsPlace(operation);
  const isPage = operation.query === 'page';
  const ids = operation.http.split('{').length - 1;
  for (const id of input.slice(0, ids)) assertId(id);
  if (ids > input.length) assertId(undefined);
  if (isPage) assertPage(input[place - 1]);
}

/** Makes a method of a list return every page. */
function paged(operation: Operation, method: Method): Method {
  return operation.query === 'page' ? listed(method, optionsPlace(operation) - 1) : method;
}
