/** How many requests are under way, so that an endpoint that is slow or dead keeps none from the others. */

/** The requests under way in this process. */
export interface EndpointSlots {
  /** How many more may begin. */
  readonly free: number;
  /** Takes a slot for the webhook at `at`, by a clock that never goes back; `false` where it has no more. */
  enter(webhookId: string, at: number): boolean;
  /** Gives a slot back, and notes whether the endpoint took the event; without `isSuccess` nothing was sent. */
  leave(webhookId: string, isSuccess?: boolean): void;
  /**
   * For how long what waits for the webhook should go out of the way of the others, in milliseconds: it has no slot, and
   * none is to be expected soon. 0: it need not.
   */
  stuckMs(webhookId: string, at: number): number;
}

const MAX_UNDER_WAY = 64;
const MAX_OF_ONE = 8;
/** Of an endpoint that did not take the last event. */
const MAX_OF_A_FAILING_ONE = 1;
/** An endpoint that answers in that time is not slow. */
const SLOW_MS = 1_000;
/** It may have been this machine that was slow: what waits is looked at again soon. */
const PAUSE_MS = 3_000;
const FAILING_MS = 30_000;

interface Endpoint {
  count: number;
  isFailing: boolean;
  /** When its last slot was taken. */
  enteredAt: number;
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
      const endpoint = endpoints.get(webhookId) ?? { count: 0, isFailing: false, enteredAt: at };
      if (count >= MAX_UNDER_WAY || isFull(endpoint)) return false;
      endpoints.set(webhookId, endpoint);
      endpoint.count += 1;
      endpoint.enteredAt = at;
      count += 1;
      return true;
    },
    leave(webhookId, isSuccess) {
      const endpoint = endpoints.get(webhookId);
      if (endpoint === undefined) return;
      endpoint.count -= 1;
      if (isSuccess !== undefined) endpoint.isFailing = !isSuccess;
      count -= 1;
      if (endpoint.count === 0 && !endpoint.isFailing) endpoints.delete(webhookId);
    },
    stuckMs(webhookId, at) {
      const endpoint = endpoints.get(webhookId);
      if (endpoint === undefined || !isFull(endpoint)) return 0;
      if (endpoint.isFailing) return FAILING_MS;
      return at - endpoint.enteredAt > SLOW_MS ? PAUSE_MS : 0;
    },
  };
}
