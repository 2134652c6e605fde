/** Compares the clock of this node with the time of the storage: one that is wrong must not make records old. */

import { formatInstant } from '../../base/values/instant.ts';
import { clockDistance, MAX_AHEAD_MS, MAX_OFF_MS } from '../../base/values/store-time.ts';
import { RESOLUTION_MS } from '../../base/values/time-buckets.ts';
import { IdentityError } from '../../errors.ts';
import type { After } from '../../ports/host.ts';
import type { Clock, LogEvent, Logger } from '../../ports/storage.ts';
import { createChore } from '../shared/timers.ts';
import type { Store } from './store.ts';

/** What is known of the clock of this node. */
export interface ClockWatch {
  /** Whether the clock was off at the last look; `true` before the first one, which the first caller makes. */
  readonly isOff: boolean;
  /** Whether records may be removed by this clock: it was neither off, nor far ahead of a store without a clock. */
  readonly mayPurge: boolean;
  /** Compares now; rejects when the storage does not answer with its time. */
  look(): Promise<void>;
  /** Compares now; `storage_unavailable` when the clock is off. */
  assertRight(): Promise<void>;
  /**
   * The present of the store in milliseconds since the Unix epoch: by this clock and its distance at the last look. It looks
   * again where this clock was set since. `storage_unavailable` when the clock is off.
   */
  storeNow(): number | Promise<number>;
  /** Looks no more. */
  stop(): Promise<void>;
}

/** What the watch of a service is made of. */
export interface ClockWatchOptions {
  readonly store: Pick<Store, 'time'>;
  readonly clock: Clock;
  /** Milliseconds that no one sets; a sleep may be left out. */
  readonly monotonic: () => number;
  readonly after: After;
  readonly log: Logger;
  /** Whether the operator says that the clock is right, although it differs from the mark of a store without a clock. */
  readonly clockOk: boolean;
}

/**
 * `off`: it differs from the clock of the store, or is behind the mark of a store without one. `ahead`: it is so far
 * ahead of such a mark that it may be wrong; after a long standstill it looks the same.
 */
type State = 'right' | 'off' | 'ahead';

const EVERY_MS = RESOLUTION_MS.minute;
/** A clock that has moved further against the monotonic one since the last look was set. */
const MAX_SET_MS = 250;

/** A watch that looks every minute; the first look comes when it is asked for, so that a start has nothing to wait for. */
export function createClockWatch(options: ClockWatchOptions): ClockWatch {
  const { store, clock, monotonic, after, log, clockOk } = options;
  let state: State | undefined;
  /** How far the clock is ahead of the store, and of the monotonic one, at the last look. */
  let distance = 0;
  let lead = 0;
  let isTrusted = clockOk;
  /** How many looks have begun, and which of them was the last to be judged. */
  let begun = 0;
  let judged = 0;
  const chore = createChore(after, EVERY_MS, async () => {
    // A storage that is down says nothing about the clock.
    await look().catch(() => undefined);
    return true;
  });
  chore.ask();

  async function look(): Promise<void> {
    begun += 1;
    const turn = begun;
    const asked = clock.now();
    const { at, isMark } = await store.time(formatInstant(asked), isTrusted);
    isTrusted = false;
    // A look that was overtaken by a later one has nothing to add.
    if (turn < judged) return;
    judged = turn;
    // The store answered in between: only what is outside of that is a difference.
    const ahead = clockDistance(Date.parse(at), asked, clock.now());
    distance = isMark ? 0 : ahead;
    lead = clock.now() - monotonic();
    const next = judge(ahead, isMark);
    if (next !== state) report(next, Math.round(ahead / 1_000), isMark);
    state = next;
  }

  function report(next: State, aheadSeconds: number, isMark: boolean): void {
    if (next !== 'right') log(lineOf(next, aheadSeconds, isMark));
    else if (state !== undefined) log({ level: 'info', event: 'clock_right', message: RIGHT });
  }

  async function assertRight(): Promise<void> {
    await look();
    if (state !== 'off') return;
    const details = { retryAfterSeconds: 1 };
    throw new IdentityError('storage_unavailable', 'The clock of this node is off.', { details });
  }

  return {
    get isOff() {
      return state === undefined || state === 'off';
    },
    get mayPurge() {
      return state === 'right';
    },
    look,
    assertRight,
    storeNow() {
      const isKnown = state === 'right' || state === 'ahead';
      const at = clock.now();
      if (isKnown && Math.abs(at - monotonic() - lead) <= MAX_SET_MS) return at - distance;
      return assertRight().then(() => clock.now() - distance);
    },
    stop: chore.stop,
  };
}

function judge(aheadMs: number, isMark: boolean): State {
  if (aheadMs < -MAX_OFF_MS) return 'off';
  if (isMark) return aheadMs > MAX_AHEAD_MS ? 'ahead' : 'right';
  return aheadMs > MAX_OFF_MS ? 'off' : 'right';
}

const RIGHT = 'The clock of this node agrees with the storage again.';
const HOW = 'start once with --clock-ok (in process: clockOk).';

function lineOf(state: 'off' | 'ahead', aheadSeconds: number, isMark: boolean): LogEvent {
  const seconds = Math.abs(aheadSeconds);
  const facts = { ahead_seconds: aheadSeconds };
  if (state === 'ahead') {
    const days = (seconds * 1_000) / RESOLUTION_MS.day;
    const message =
      `The clock is ${days.toFixed(1)} days ahead of the last use of the storage. Nothing is removed, however ` +
      `old: where the storage was not used for that time and the clock is right, ${HOW}`;
    return { level: 'warn', event: 'clock_ahead', message, ...facts };
  }
  const direction = aheadSeconds > 0 ? 'ahead of' : 'behind';
  const than = isMark ? 'the latest time that the storage was used' : 'that of the storage';
  const message =
    `The clock of this node is ${seconds} s ${direction} ${than}. The node is not ready, and removes no record, ` +
    `until the clock is set.${isMark ? ` Where it is right, ${HOW}` : ''}`;
  return { level: 'error', event: 'clock_off', message, ...facts };
}
