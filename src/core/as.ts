/** Binds the methods of the service to one actor. */
import { knownOptions } from '../base/known-options.ts';
import type { AccountRooms } from './account-rooms.ts';
import type { OpenCapabilities } from './capabilities/open-capabilities.ts';
import { ACTOR, type OpenRooms } from './capabilities/open-rooms.ts';
import type { Actor } from './shared/callers.ts';
import { accountOf, type Context } from './shared/context.ts';

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
