/**
 * Event streams: the changes and the verdicts of an account. A stream sends new events, and can first send
 * the events after an earlier event.
 */
import type { Capability, WholeCapability } from '../core/capabilities/capability.ts';
import { createEvents, type Events } from '../core/events/events.ts';
import { type AccountEvents, accountEvents } from './account-events.ts';

export type { Capability } from '../core/capabilities/capability.ts';
export type { EventQuery } from '../core/events/event-filter.ts';
export type { EventStream } from '../core/events/event-stream.ts';
export type { Events } from '../core/events/events.ts';
export type { Actor, CallOptions } from '../core/shared/callers.ts';
export type { IdentityEvent } from '../records/event.ts';
export type { AccountEvents } from './account-events.ts';

/** The methods for event streams in process. */
export interface EventRooms {
  /** The events of an account, as a stream. */
  readonly events: Events;
}

/** The capability that `events` returns. */
export type EventCapability = Capability<EventRooms, AccountEvents>;

/**
 * Returns the capability that streams events.
 *
 * @example
 * import { createIdentityService } from 'agent-identity-service';
 * import { events } from 'agent-identity-service/events';
 * import { memoryStorage } from 'agent-identity-service/storage/memory';
 *
 * const service = createIdentityService({ storage: memoryStorage(), capabilities: [events()] });
 * const stream = await service.events.open({ types: ['verdict.denied'] });
 * await service.verify({ agent_id: 'did:web:example.com:agents:nobody', action: 'orders.read' });
 * for await (const { type } of stream) {
 *   console.log(type); // verdict.denied
 *   break;
 * }
 * await service.close();
 */
export function events(): EventCapability {
  const capability: WholeCapability<EventRooms, AccountEvents> = {
    name: 'events',
    operations: [],
    open(core) {
      const room = core.use(createEvents);
      return {
        rooms: { events: { open: room.open, end: room.end } },
        locals: [{ room: 'events', name: 'open', ids: 0, place: 1, options: ['signal'] }],
        accountRooms: (actor) => accountEvents(room, actor),
      };
    },
  };
  return capability;
}
