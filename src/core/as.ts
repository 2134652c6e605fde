/** Binds the methods of the service to one actor. */
import { knownOptions } from '../base/known-options.ts';
import type { AccountRooms } from './account-rooms.ts';
import type { OpenCapabilities } from './capabilities/open-capabilities.ts';
import { ACTOR, type OpenRooms } from './capabilities/open-rooms.ts';
import type { Actor } from './shared/callers.ts';
import { accountOf, type Context } from './shared/context.ts';

/** Returns the methods of the service for one actor. Options of calls cannot change the actor. */
export type As<Verbs = AccountRooms> = (actor?: Actor) => Verbs;

type Who = Actor & { readonly account_id: string };

/** The dependencies of `createAs`. */
export interface AsParts extends Pick<OpenRooms, 'roomsFor'> {
  readonly capabilities: Pick<OpenCapabilities, 'accountRooms'>;
}

/** Creates the method `as` of one service. */
export function createAs(context: Pick<Context, 'session'>, { capabilities, roomsFor }: AsParts): As {
  return (actor = {}) => {
    const given = knownOptions('as', actor, ACTOR);
    const who: Who = { ...given, account_id: accountOf(context, given) };
    const { '': own, ...rooms } = roomsFor(who);
    // The compiler cannot follow the tables; test/core/acting.test.ts compares the types.
    return { ...rooms, ...own, ...capabilities.accountRooms(who) } as unknown as AccountRooms;
  };
}
