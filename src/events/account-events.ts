/** The events of one account, as an iterable. */
import { knownOptions } from '../base/known-options.ts';
import type { EventQuery } from '../core/events/event-filter.ts';
import type { Events } from '../core/events/events.ts';
import type { Actor, CallOptions } from '../core/shared/callers.ts';
import type { IdentityEvent } from '../records/event.ts';

/** The method of event streams for one account: of `service.as(…)` and of the clients. */
export interface AccountEvents {
  /**
   * Streams the events of the account, each once, from now on or after the event `after`. After a break it continues
   * after the last event. Also rejects with the reason of the signal.
   *
   * @throws {IdentityError} `invalid_request` for a wrong query.
   * @throws {IdentityError} `rate_limited` over HTTP, if the account already has five streams on the node.
   * @throws {IdentityError} `overloaded` if the service stops.
   */
  events(query?: EventQuery, options?: CallOptions): AsyncIterable<IdentityEvent>;
}

/** Returns the method `events` for one actor. */
export function accountEvents(events: Pick<Events, 'open'>, actor: Actor): AccountEvents {
  return { events: (query, options) => eventsOf(events, actor, query, options) };
}

async function* eventsOf(
  events: Pick<Events, 'open'>,
  actor: Actor,
  query: EventQuery = {},
  options: CallOptions = {},
): AsyncGenerator<IdentityEvent, void> {
  const { signal } = knownOptions<CallOptions>('events', options, { signal: true });
  signal?.throwIfAborted();
  const stream = await events.open(query, { ...(signal && { signal }), ...actor });
  try {
    yield* stream;
  } finally {
    stream.close();
  }
  signal?.throwIfAborted();
}
