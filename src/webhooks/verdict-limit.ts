/** Limits the verdicts that an endpoint gets in a second. The next verdict that is sent counts the omitted ones. */

import { isFromJournal } from '../base/values/event-types.ts';
import { floorTo, RESOLUTION_MS } from '../base/values/time-buckets.ts';
import type { IdentityEvent } from '../records/event.ts';

/** An event in its sent form: a verdict may count the verdicts before it that were not sent. */
export type SentEvent = IdentityEvent & { readonly data: { readonly dropped?: number } };

/** The limit of one webhook. */
export interface VerdictLimit {
  /** Returns the events to send at `at`; `isFailing` if the endpoint has accepted none for some time. */
  take(events: readonly IdentityEvent[], at: number, isFailing: boolean): readonly SentEvent[];
  /** The instant of the verdict that is held back until it may be sent. */
  readonly heldSince: number | undefined;
}

const MAX_IN_A_SECOND = 10;
const WINDOW_MS = 1_000;
/** The limit of a failing endpoint, whose events would only wait in the storage. */
const MAX_OF_A_FAILING_ONE = 1;

/** Makes the limit of a webhook to which nothing was sent yet. */
export function createVerdictLimit(): VerdictLimit {
  let window = Number.NEGATIVE_INFINITY;
  let sent = 0;
  let held: IdentityEvent | undefined;
  let dropped = 0;

  function open(at: number, isFailing: boolean): boolean {
    const begun = isFailing ? floorTo('minute', at) : Math.floor(at / WINDOW_MS) * WINDOW_MS;
    if (begun > window || at < window - RESOLUTION_MS.minute) {
      window = begun;
      sent = 0;
    }
    return sent < (isFailing ? MAX_OF_A_FAILING_ONE : MAX_IN_A_SECOND);
  }

  function send(event: IdentityEvent): SentEvent {
    sent += 1;
    if (dropped === 0) return event as SentEvent;
    const counted = { ...event, data: { ...event.data, dropped } } as SentEvent;
    dropped = 0;
    return counted;
  }

  return {
    get heldSince() {
      return held && Date.parse(held.timestamp);
    },
    take(events, at, isFailing) {
      const found: SentEvent[] = [];
      // The last verdict over the limit is held back, so that the number of the others is sent in any case.
      if (held !== undefined && open(at, isFailing)) {
        found.push(send(held));
        held = undefined;
      }
      for (const event of events) {
        if (!isFromJournal(event.type)) found.push(event as SentEvent);
        else if (held === undefined && open(at, isFailing)) found.push(send(event));
        else {
          if (held !== undefined) dropped += 1;
          held = event;
        }
      }
      return found;
    },
  };
}
