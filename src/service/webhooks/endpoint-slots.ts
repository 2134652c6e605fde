/** How many requests are under way, so that an endpoint that is slow or dead keeps none from the others. */

/** The requests under way in this process. */
export interface EndpointSlots {
  /** How many more may begin. */
  readonly free: number;
  /** Takes a slot for the webhook at `at`, by a clock that never goes back; `false` where it has no more. */
  enter(webhookId: string, at: number): boolean;
  /** Gives a slot back, and notes how the request ended; without `ended` nothing was sent. */
  leave(webhookId: string, ended?: Ended): void;
  /**
   * For how long one event that waits for the webhook should go out of the way of the others, in milliseconds: about
   * until a slot of the webhook is free for it. Each call is for another event. 0: it need not.
   */
  waitMs(webhookId: string, at: number): number;
}

/** How a request to an endpoint ended. */
export interface Ended {
  /** Whether the endpoint took the event. */
  readonly isSuccess: boolean;
  /** Milliseconds. */
  readonly tookMs: number;
}

const MAX_UNDER_WAY = 64;
const MAX_OF_ONE = 8;
/** Of an endpoint that did not take the last event. */
const MAX_OF_A_FAILING_ONE = 1;
/** An endpoint that has had no new request for that time is stuck. */
const STUCK_MS = 1_000;
/** It may have been this machine that was slow: what waits is looked at again soon. */
const PAUSE_MS = 3_000;
const FAILING_MS = 30_000;
/** It may answer faster meanwhile. */
const LONGEST_LINE_MS = 30_000;

interface Endpoint {
  count: number;
  isFailing: boolean;
  /** When its last slot was taken. */
  enteredAt: number;
  /** Of its last request; 0: none has ended. */
  tookMs: number;
  /** When the last event that stands in its line is to have a slot. */
  lineEndsAt: number;
}

/** The slots of this process; none is taken. */
export function createEndpointSlots(): EndpointSlots {
  const endpoints = new Map<string, Endpoint>();
  let count = 0;

  function isFull({ count: taken, isFailing }: Endpoint): boolean {
    return taken >= (isFailing ? MAX_OF_A_FAILING_ONE : MAX_OF_ONE);
  }

  return {
    get free() {
      return MAX_UNDER_WAY - count;
    },
    enter(webhookId, at) {
      const endpoint = endpoints.get(webhookId) ?? newEndpoint(at);
      if (count >= MAX_UNDER_WAY || isFull(endpoint)) return false;
      endpoints.set(webhookId, endpoint);
      endpoint.count += 1;
      endpoint.enteredAt = at;
      count += 1;
      return true;
    },
    leave(webhookId, ended) {
      const endpoint = endpoints.get(webhookId);
      if (endpoint === undefined) return;
      endpoint.count -= 1;
      if (ended !== undefined) {
        endpoint.isFailing = !ended.isSuccess;
        endpoint.tookMs = ended.tookMs;
      }
      count -= 1;
      if (endpoint.count === 0 && !endpoint.isFailing) endpoints.delete(webhookId);
    },
    waitMs(webhookId, at) {
      const endpoint = endpoints.get(webhookId);
      if (endpoint === undefined || !isFull(endpoint)) return 0;
      if (endpoint.isFailing) return FAILING_MS;
      if (at - endpoint.enteredAt > STUCK_MS) return PAUSE_MS;
      const behind = Math.max(endpoint.lineEndsAt, at) + endpoint.tookMs / MAX_OF_ONE;
      endpoint.lineEndsAt = Math.min(behind, at + LONGEST_LINE_MS);
      return Math.ceil(endpoint.lineEndsAt - at);
    },
  };
}

function newEndpoint(at: number): Endpoint {
  return { count: 0, isFailing: false, enteredAt: at, tookMs: 0, lineEndsAt: at };
}
