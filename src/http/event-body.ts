/** A stream of events as the body of an answer (text/event-stream of the HTML standard). */
import { readEventId } from '../base/event-position.ts';
import type { IdentityEvent } from '../records/event.ts';
import { type EventStream, eventFrame } from '../service.ts';
import type { StreamBody } from './exchange.ts';

/** How long a client waits before it reconnects, and what it gets in between: proxies cut silent connections. */
const RETRY = 'retry: 2000\n';
const STILL_HERE = ': still here\n\n';
const SILENCE_MS = 15_000;

/** The body; the stream ends when it is no longer read. */
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
 * An event from before the beginning may be there for the second time. Its frame has no id: a client that is cut off
 * then continues after the last event that was new to it.
 */
function frameOf(event: IdentityEvent, beginMs: number): string {
  const frame = eventFrame(event);
  return Date.parse(event.timestamp) < beginMs ? frame.slice(frame.indexOf('\n') + 1) : frame;
}
