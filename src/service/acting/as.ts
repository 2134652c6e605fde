/** Binds the methods of the service to one actor. */
import { knownOptions } from '../../base/known-options.ts';
import type { IdentityEvent } from '../../records/event.ts';
import type { EndSessions } from '../accounts/end-sessions.ts';
import type { LogoutInput } from '../accounts/sessions.ts';
import type { OpenCapabilities } from '../capabilities/open-capabilities.ts';
import type { EventQuery } from '../events/event-filter.ts';
import type { Links } from '../members/members.ts';
import type { CallOptions } from '../shared/call-options.ts';
import type { Actor } from '../shared/callers.ts';
import { accountOf, type Context } from '../shared/context.ts';
import type { AccountVerbs } from './account-verbs.ts';
import { listed } from './listed.ts';
import { ACTOR, type Management, ROOMS, VERBS, type VerbRow } from './management.ts';

/** Returns the methods of the service for one actor. Options of calls cannot change the actor. */
export type As<Verbs = AccountVerbs> = (actor?: Actor) => Verbs;

type Who = Actor & { readonly account_id: string };
type Verb = (...given: readonly unknown[]) => Promise<unknown>;
type Verbs = Readonly<Record<string, Verb>>;

/** The methods of hosts and operators, which the admin client does not have. */
const LEFT_OUT: readonly string[] = ['activeCount', 'createAll', 'claimNow'];
/** The methods that return pages. */
const LISTS: readonly string[] = ['list', 'versions', 'entries'];

/** The parts of the methods of one actor that are not in the management. */
export interface AsParts {
  readonly end: EndSessions;
  readonly links: Links;
  /** Returns the rooms of the capabilities for one actor. */
  readonly roomsFor: OpenCapabilities['roomsFor'];
}

/** Creates the method `as` of one service. */
export function createAs(context: Context, management: Management, { end, links, roomsFor }: AsParts): As {
  return (actor = {}) => {
    const given = knownOptions('as', actor, ACTOR);
    const who: Who = { ...given, account_id: accountOf(context, given) };
    const more = roomsFor(who);
    const rooms = Object.entries(ROOMS).map(([room, rows]) => {
      const verbs = boundVerbs(management[room as keyof typeof ROOMS], rows, who, `${room}.`);
      return [room, { ...verbs, ...more[room] }];
    });
    const verbs = { ...more, ...Object.fromEntries(rooms), ...boundVerbs(management, VERBS, who) };
    // The compiler cannot follow the rows; test/service/acting.test.ts compares the types.
    return {
      ...verbs,
      events: (query?: EventQuery, options?: CallOptions) => eventsOf(management, who, query, options),
      readLink: withSignal('readLink', links.readLink),
      acceptLink: withSignal('acceptLink', links.acceptLink),
      async logout(options: CallOptions & LogoutInput = {}) {
        const { everywhere = false, signal } = known('logout', options, { everywhere: true });
        signal?.throwIfAborted();
        await end(who, everywhere);
      },
    } as AccountVerbs;
  };
}

function boundVerbs(room: object, rows: Readonly<Record<string, VerbRow>>, who: Who, prefix = ''): Verbs {
  const names = Object.keys(rows).filter((name) => !LEFT_OUT.includes(name));
  return Object.fromEntries(
    names.map((name) => {
      const verb = bound((room as Verbs)[name] as Verb, rows[name] as VerbRow, who, `${prefix}${name}`);
      return [name, LISTS.includes(name) ? listed(verb, (rows[name] as VerbRow).at - 1) : verb];
    }),
  );
}

/** Binds a method to an actor. An aborted signal prevents the call, and ends one under way only if the method takes it. */
function bound(verb: Verb, { at, takes }: VerbRow, who: Who, name: string): Verb {
  return async (...given) => {
    const { signal, ...options } = known(name, (given[at] ?? {}) as CallOptions, takes);
    signal?.throwIfAborted();
    const before = Array.from({ length: at }, (_, place) => given[place]);
    const ended = 'signal' in takes && signal !== undefined && { signal };
    return verb(...before, { ...options, ...ended, ...who });
  };
}

/** Makes the method of a link. The actor has no part in it, as the link itself says who the person is. */
function withSignal<Input, Answer>(name: string, verb: (input: Input) => Promise<Answer>) {
  return async (input: Input, options: CallOptions = {}): Promise<Answer> => {
    known(name, options, {}).signal?.throwIfAborted();
    return verb(input);
  };
}

function known<Options extends CallOptions>(
  name: string,
  options: Options,
  takes: VerbRow['takes'],
): Options {
  return knownOptions<object>(name, options, { ...takes, signal: true }) as Options;
}

async function* eventsOf(
  { events }: Management,
  who: Who,
  query: EventQuery = {},
  options: CallOptions = {},
): AsyncGenerator<IdentityEvent, void> {
  const { signal } = known('events', options, {});
  signal?.throwIfAborted();
  const stream = await events.open(query, { ...(signal && { signal }), ...who });
  try {
    yield* stream;
  } finally {
    stream.close();
  }
  signal?.throwIfAborted();
}
