/** A stream of events as the body of an answer (text/event-stream of the HTML standard). */
import { readEventId } from '../base/bytes/event-position.ts';
import type { IdentityEvent } from '../records/event.ts';
import { type EventStream, eventFrame } from '../service.ts';
import type { StreamBody } from './exchange.ts';

/**
 * The wait of a client before it reconnects. While no event happens, it gets a comment every 15 s: proxies close
 * connections that stay silent.
 */
const RETRY = 'retry: 2000\n';
const STILL_HERE = ': still here\n\n';
const SILENCE_MS = 15_000;

/** Makes the body. Closes the stream of events when the client stops reading. */
export function eventBody(stream: EventStream): StreamBody {
  const beginMs = readEventId(stream.begin)?.ms ?? 0;
  let isBegun = false;
  const iterator: AsyncIterator<string, undefined> = {
    async next() {
      if (!isBegun) {
        isBegun = true;
        return { done: false, value: `${RETRY}id: ${stream.begin}\n\n` };
      }
      const events = await stream.read(SILENCE_MS);
      if (events === undefined) return { done: true, value: undefined };
      if (events.length === 0) return { done: false, value: STILL_HERE };
      return { done: false, value: events.map((event) => frameOf(event, beginMs)).join('') };
    },
    async return() {
      stream.close();
      return { done: true, value: undefined };
    },
  };
  return { closed: stream.closed, [Symbol.asyncIterator]: () => iterator };
}

/**
 * Frames an event. One from before the beginning of the stream may be a repetition: its frame has no id, so that a
 * client that reconnects continues after the last event that was new to it.
 */
function frameOf(event: IdentityEvent, beginMs: number): string {
  const frame = eventFrame(event);
  return Date.parse(event.timestamp) < beginMs ? frame.slice(frame.indexOf('\n') + 1) : frame;
}
