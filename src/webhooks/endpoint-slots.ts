/**
 * Limits concurrent requests to webhooks. A slow or broken endpoint does not block other endpoints of its account, and
 * no account blocks another.
 */

export interface Addressed {
  readonly webhook_id: string;
  readonly account_id: string;
}

export interface EndpointSlots {
  readonly free: number;
  enter(endpoint: Addressed, atMs: number): boolean;
  /** Frees a slot, and stores the result of the request. Without `ending`, nothing was sent. */
  leave(endpoint: Addressed, ending?: Ended): void;
  /**
   * Returns the milliseconds by which an event for the endpoint should be postponed, about until a slot is free. Each
   * call counts as a further waiting event. 0 means: do not postpone.
   */
  waitMs(endpoint: Addressed, atMs: number): number;
}

export interface Ended {
  readonly isSuccess: boolean;
  readonly tookMs: number;
}

const MAX_UNDER_WAY = 64;
const MAX_OF_ONE = 8;
/** The maximum number of requests to an endpoint that did not accept the last event, or was slow. */
const MAX_OF_A_SLOW_ONE = 1;
/** The milliseconds for an answer above which an endpoint counts as slow. */
const SLOW_MS = 5_000;
/**
 * The share of the free slots that an account may use, so that busy accounts leave slots for others. One busy account
 * gets 16 of 64 slots, and each of four busy accounts gets 9. Even a dozen accounts leave some free.
 */
const SHARE_OF_FREE = 1 / 3;
/** The milliseconds without a new request after which an endpoint counts as stuck. */
const STUCK_MS = 1_000;
/**
 * The pause of a stuck endpoint in milliseconds, and of a failing endpoint. The pause of a stuck endpoint is short,
 * because this computer may have been slow.
 */
const PAUSE_MS = 3_000;
const FAILING_MS = 30_000;
/** The maximum wait of an event in milliseconds, because the endpoint may become faster meanwhile. */
const LONGEST_LINE_MS = 30_000;
/** The assumed duration in milliseconds of a request to an endpoint that has not accepted an event yet. */
const GUESSED_MS = 100;

interface Line {
  count: number;
  lineEndsAt: number;
}

interface Known extends Line {
  isFailing: boolean;
  enteredAt: number;
  /** The duration of its last request in milliseconds. 0 if none has ended. */
  tookMs: number;
}

export function createEndpointSlots(): EndpointSlots {
  const endpoints = new Map<string, Known>();
  const accounts = new Map<string, Line>();
  let count = 0;

  function isFull({ count: takenCount }: Line): boolean {
    return takenCount >= (MAX_UNDER_WAY - count) * SHARE_OF_FREE;
  }

  return {
    get free() {
      return MAX_UNDER_WAY - count;
    },
    enter({ webhook_id, account_id }, atMs) {
      const endpoint = endpoints.get(webhook_id) ?? newEndpoint(atMs);
      const account = accounts.get(account_id) ?? { count: 0, lineEndsAt: atMs };
      if (isFull(account) || endpoint.count >= mostOf(endpoint, atMs)) return false;
      endpoints.set(webhook_id, endpoint);
      accounts.set(account_id, account);
      endpoint.count += 1;
      endpoint.enteredAt = atMs;
      account.count += 1;
      count += 1;
      return true;
    },
    leave({ webhook_id, account_id }, ending) {
      const endpoint = endpoints.get(webhook_id);
      const account = accounts.get(account_id);
      if (endpoint === undefined || account === undefined) return;
      endpoint.count -= 1;
      account.count -= 1;
      count -= 1;
      if (ending !== undefined) {
        endpoint.isFailing = !ending.isSuccess;
        endpoint.tookMs = ending.tookMs;
      }
      if (account.count === 0) accounts.delete(account_id);
      const isOrdinary = !endpoint.isFailing && endpoint.tookMs <= SLOW_MS;
      if (endpoint.count === 0 && isOrdinary) endpoints.delete(webhook_id);
    },
    waitMs({ webhook_id, account_id }, atMs) {
      const endpoint = endpoints.get(webhook_id) ?? newEndpoint(atMs);
      const limit = mostOf(endpoint, atMs);
      if (endpoint.count < limit) {
        const account = accounts.get(account_id);
        const share = (MAX_UNDER_WAY - count) * SHARE_OF_FREE;
        const tookMs = endpoint.tookMs || GUESSED_MS;
        return account !== undefined && isFull(account)
          ? lineUp(account, atMs, tookMs / Math.max(1, share))
          : 0;
      }
      if (endpoint.isFailing) return FAILING_MS;
      const isStuck = atMs - endpoint.enteredAt > STUCK_MS;
      if (isStuck && endpoint.tookMs <= SLOW_MS) return PAUSE_MS;
      return lineUp(endpoint, atMs, endpoint.tookMs / limit);
    },
  };
}

/** Adds an event to a queue that sends one event every `everyMs`. Returns how long it waits. */
function lineUp(line: Line, atMs: number, everyMs: number): number {
  line.lineEndsAt = Math.min(Math.max(line.lineEndsAt, atMs) + everyMs, atMs + LONGEST_LINE_MS);
  return Math.ceil(line.lineEndsAt - atMs);
}

function mostOf({ count, isFailing, enteredAt, tookMs }: Known, atMs: number): number {
  const isHanging = count > 0 && atMs - enteredAt > SLOW_MS;
  return isFailing || isHanging || tookMs > SLOW_MS ? MAX_OF_A_SLOW_ONE : MAX_OF_ONE;
}

function newEndpoint(atMs: number): Known {
  return { count: 0, isFailing: false, enteredAt: atMs, tookMs: 0, lineEndsAt: atMs };
}
