/** Creates the objects such as `service.keys` from the tables of operations, and binds them to one actor for `as`. */
import { knownOptions } from '../base/known-options.ts';
import type { AccountRooms, HostRooms } from './account-rooms.ts';
import { createOwnAccount, type OwnAccountParts } from './accounts/own-account.ts';
import type { OpenApprovals } from './approvals/approvals.ts';
import type { OpenCapabilities } from './capabilities/open-capabilities.ts';
import { ACTOR, type OpenRooms, openRooms } from './capabilities/open-rooms.ts';
import { CORE_TABLES, LOCAL_METHODS } from './core-operations.ts';
import { createAudit } from './insight/audit.ts';
import { createVerifications } from './insight/verifications.ts';
import type { Journal } from './journal/journal.ts';
import { createPassports, createRevocation, type PassportsParts } from './passports/passports.ts';
import type { Actor } from './shared/callers.ts';
import { accountOf, type Context } from './shared/context.ts';
import type { Spending } from './spending/spending.ts';
import { createSpends } from './spending/spends.ts';

/** Returns the methods of the service for one actor. Options of calls cannot change the actor. */
export type As<Methods = AccountRooms> = (actor?: Actor) => Methods;

type Who = Actor & { readonly account_id: string };

/** The dependencies of `createAs`. */
export interface AsParts extends Pick<OpenRooms, 'roomsFor'> {
  readonly capabilities: Pick<OpenCapabilities, 'accountRooms'>;
}

/** Creates the method `as` of one service. */
export function createAs(context: Pick<Context, 'session'>, { capabilities, roomsFor }: AsParts): As {
  return (actor = {}) => {
    const givenActor = knownOptions('as', actor, ACTOR);
    const fullActor: Who = { ...givenActor, account_id: accountOf(context, givenActor) };
    const { '': ownMethods, ...rooms } = roomsFor(fullActor);
    // The compiler cannot follow the tables; test/core/acting.test.ts compares the types.
    return { ...rooms, ...ownMethods, ...capabilities.accountRooms(fullActor) } as unknown as AccountRooms;
  };
}

export interface AccountRoomsParts extends OwnAccountParts, Omit<PassportsParts, 'changeApprovals'> {
  readonly approvals: OpenApprovals;
  readonly capabilities: OpenCapabilities;
  readonly journal: Journal;
  readonly spending: Spending;
}

export function openAccountRooms(
  context: Context,
  parts: AccountRoomsParts,
): { readonly rooms: HostRooms; readonly roomsFor: OpenRooms['roomsFor'] } {
  const { approvals, capabilities, idempotency, journal, keys, spending } = parts;
  const code: Readonly<Record<string, object>> = {
    '': {
      ...createOwnAccount(context, parts),
      ...createRevocation(context),
    },
    keys,
    passports: createPassports(context, {
      ...parts,
      changeApprovals: approvals.changeApprovals,
    }),
    spends: createSpends(context, spending, idempotency),
    approvals: approvals.methods,
    verifications: createVerifications(context, journal),
    audit: createAudit(context),
  };
  const tables = [...CORE_TABLES, ...capabilities.tables];
  const locals = [...LOCAL_METHODS, ...capabilities.locals];
  const codes = [code, ...capabilities.code];
  const { rooms, roomsFor } = openRooms(tables, locals, codes);
  const { '': ownMethods, ...namedRooms } = rooms;
  const mergedRooms = Object.entries(namedRooms).map(([room, methods]) => [
    room,
    Object.assign({}, ...codes.map((part) => part[room]), methods),
  ]);
  // The rooms were made by name, which the compiler cannot follow; test/core/acting.test.ts compares the types.
  return { rooms: { ...ownMethods, ...Object.fromEntries(mergedRooms) } as HostRooms, roomsFor };
}
