/** The events of one account, as an iterable. */
import { knownOptions } from '../base/known-options.ts';
import type { EventQuery } from '../core/events/event-filter.ts';
import type { Events } from '../core/events/events.ts';
import type { Actor, CallOptions } from '../core/shared/callers.ts';
import type { IdentityEvent } from '../records/event.ts';
import type { AccountEvents } from './index.ts';

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
