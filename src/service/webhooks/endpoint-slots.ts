/**
 * How many requests are under way: an endpoint that is slow or dead keeps none from the others of its account, and no
 * account keeps any from the others.
 */

/** The endpoint that a request is for, and its account. */
export interface Addressed {
  readonly webhook_id: string;
  readonly account_id: string;
}

/** The requests under way in this process. */
export interface EndpointSlots {
  /** How many more may begin. */
  readonly free: number;
  /** Takes a slot at `at`, by a clock that never goes back; `false` where the endpoint or its account has no more. */
  enter(endpoint: Addressed, at: number): boolean;
  /** Gives a slot back, and notes how the request ended; without `ended` nothing was sent. */
  leave(endpoint: Addressed, ended?: Ended): void;
  /**
   * For how long one event that waits for the endpoint should go out of the way of the others, in milliseconds: about
   * until a slot is free for it. Each call is for another event. 0: it need not.
   */
  waitMs(endpoint: Addressed, at: number): number;
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
/** Of an endpoint that did not take the last event, or not soon. */
const MAX_OF_A_SLOW_ONE = 1;
/** An endpoint that takes longer is slow. */
const SLOW_MS = 5_000;
/**
 * An account has at most this share of the slots that are free, so that those who take much leave more to those who have
 * none: 16 of 64 for one account alone, 9 for each of four; a dozen of them leave the last ones.
 */
const SHARE_OF_FREE = 1 / 3;
/** An endpoint that has had no new request for that time is stuck. */
const STUCK_MS = 1_000;
/** It may have been this machine that was slow: what waits is looked at again soon. */
const PAUSE_MS = 3_000;
const FAILING_MS = 30_000;
/** It may answer faster meanwhile. */
const LONGEST_LINE_MS = 30_000;
/** As long as an endpoint takes that has taken no event yet. */
const GUESSED_MS = 100;

/** What waits for a slot. */
interface Line {
  count: number;
  /** When the last event that stands in its line is to have a slot. */
  lineEndsAt: number;
}

interface Known extends Line {
  isFailing: boolean;
  /** When its last slot was taken. */
  enteredAt: number;
  /** Of its last request; 0: none has ended. */
  tookMs: number;
}

/** The slots of this process; none is taken. */
export function createEndpointSlots(): EndpointSlots {
  const endpoints = new Map<string, Known>();
  const accounts = new Map<string, Line>();
  let count = 0;

  function isFull({ count: taken }: Line): boolean {
    return taken >= (MAX_UNDER_WAY - count) * SHARE_OF_FREE;
  }

  return {
    get free() {
      return MAX_UNDER_WAY - count;
    },
    enter({ webhook_id, account_id }, at) {
      const endpoint = endpoints.get(webhook_id) ?? newEndpoint(at);
      const account = accounts.get(account_id) ?? { count: 0, lineEndsAt: at };
      if (isFull(account) || endpoint.count >= mostOf(endpoint, at)) return false;
      endpoints.set(webhook_id, endpoint);
      accounts.set(account_id, account);
      endpoint.count += 1;
      endpoint.enteredAt = at;
      account.count += 1;
      count += 1;
      return true;
    },
    leave({ webhook_id, account_id }, ended) {
      const endpoint = endpoints.get(webhook_id);
      const account = accounts.get(account_id);
      if (endpoint === undefined || account === undefined) return;
      endpoint.count -= 1;
      account.count -= 1;
      count -= 1;
      if (ended !== undefined) {
        endpoint.isFailing = !ended.isSuccess;
        endpoint.tookMs = ended.tookMs;
      }
      if (account.count === 0) accounts.delete(account_id);
      const isOrdinary = !endpoint.isFailing && endpoint.tookMs <= SLOW_MS;
      if (endpoint.count === 0 && isOrdinary) endpoints.delete(webhook_id);
    },
    waitMs({ webhook_id, account_id }, at) {
      const endpoint = endpoints.get(webhook_id) ?? newEndpoint(at);
      const most = mostOf(endpoint, at);
      if (endpoint.count < most) {
        const account = accounts.get(account_id);
        const share = (MAX_UNDER_WAY - count) * SHARE_OF_FREE;
        const tookMs = endpoint.tookMs || GUESSED_MS;
        return account !== undefined && isFull(account)
          ? lineUp(account, at, tookMs / Math.max(1, share))
          : 0;
      }
      if (endpoint.isFailing) return FAILING_MS;
      const isStuck = at - endpoint.enteredAt > STUCK_MS;
      if (isStuck && endpoint.tookMs <= SLOW_MS) return PAUSE_MS;
      return lineUp(endpoint, at, endpoint.tookMs / most);
    },
  };
}

/** For how long the next one waits who stands in a line where one has its turn every `everyMs`. */
function lineUp(line: Line, at: number, everyMs: number): number {
  line.lineEndsAt = Math.min(Math.max(line.lineEndsAt, at) + everyMs, at + LONGEST_LINE_MS);
  return Math.ceil(line.lineEndsAt - at);
}

/** How many requests it may have under way. */
function mostOf({ count, isFailing, enteredAt, tookMs }: Known, at: number): number {
  const isHanging = count > 0 && at - enteredAt > SLOW_MS;
  return isFailing || isHanging || tookMs > SLOW_MS ? MAX_OF_A_SLOW_ONE : MAX_OF_ONE;
}

function newEndpoint(at: number): Known {
  return { count: 0, isFailing: false, enteredAt: at, tookMs: 0, lineEndsAt: at };
}
