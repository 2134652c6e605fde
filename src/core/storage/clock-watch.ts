/** Compares the clock of this node with the clock of the storage, because a wrong clock would expire records. */

import { formatInstant } from '../../base/values/instant.ts';
import { clockDistance, MAX_AHEAD_MS, MAX_OFF_MS } from '../../base/values/store-time.ts';
import { RESOLUTION_MS } from '../../base/values/time-buckets.ts';
import { IdentityError } from '../../errors.ts';
import type { After } from '../../ports/host.ts';
import type { Clock, LogEvent, Logger } from '../../ports/storage.ts';
import { createChore } from '../shared/timers.ts';
import type { Store } from './store.ts';

/** The state of the clock of this node. */
export interface ClockWatch {
  /** Returns `true` if the clock was wrong at the last comparison, or if there was no comparison yet. */
  isOff(): boolean;
  /**
   * Returns `true` if this clock may decide which records are deleted. The clock must be right. A storage without a
   * clock remembers the latest time that it was given, and this clock must not be far ahead of that time.
   */
  mayPurge(): boolean;
  /**
   * Compares again, because the storage may have failed over to another server with another clock. Until the comparison
   * succeeds, the clock does not count as right.
   */
  doubt(): void;
  /** Compares the clocks now. Rejects if the storage does not answer. */
  look(): Promise<void>;
  /** Compares the clocks now. Rejects with `storage_unavailable` if the clock is off. */
  assertRight(): Promise<void>;
  /**
   * Returns the current time of the storage in milliseconds since the Unix epoch, computed from the last comparison.
   * Compares again if the clock of this node was set after that comparison. Rejects with `storage_unavailable` if the
   * clock is off.
   */
  storeNow(): number | Promise<number>;
  /**
   * Returns `storeNow` and a signal, for a write that spends an amount. The signal prevents the write from reaching
   * another server.
   */
  present(): StorePresent | Promise<StorePresent>;
  stop(): Promise<void>;
}

/** A time of the storage, and a signal that ends its validity. */
export interface StorePresent {
  /** The time in milliseconds since the Unix epoch. */
  readonly at: number;
  /** Aborted when another server may answer. The clock of that server was not compared yet. */
  readonly signal: AbortSignal;
}

/** The parts and options of a clock watch. */
export interface ClockWatchOptions {
  readonly store: Pick<Store, 'time'>;
  readonly clock: Clock;
  /** Milliseconds of a clock that cannot be set. The clock may stop while the computer sleeps. */
  readonly monotonic: () => number;
  readonly after: After;
  readonly log: Logger;
  /**
   * `true` if the operator confirms that the clock is right. A storage without a clock remembers the latest
   * time that it was given, and the clock may then differ from that time.
   */
  readonly clockOk: boolean;
}

/**
 * The result of a comparison. A storage without a clock remembers the latest time that it was given.
 *
 * - `off`: the clock differs from the clock of the storage, or is behind the remembered time.
 * - `ahead`: the clock is far ahead of the remembered time. The clock is wrong, or the storage was unused for long.
 */
type State = 'right' | 'off' | 'ahead';

const EVERY_MS = RESOLUTION_MS.minute;
/**
 * The milliseconds by which the clock and the monotonic clock may drift apart. If the difference is larger, the clock
 * was set.
 */
const MAX_SET_MS = 250;

/**
 * Creates a watch that compares every minute. The first comparison happens on demand, so that it does not delay the
 * start.
 */
export function createClockWatch(options: ClockWatchOptions): ClockWatch {
  const { store, clock, monotonic, after, log, clockOk } = options;
  let state: State | undefined;
  /** The milliseconds by which the clock was ahead of the storage at the last comparison. */
  let distance = 0;
  /** The milliseconds by which the clock was ahead of the monotonic clock at the last comparison. */
  let lead = 0;
  let isTrusted = clockOk;
  /** The number of the comparison that was started last. Comparisons are numbered from 1. */
  let begunCount = 0;
  /** The number of the latest comparison that was evaluated. */
  let evaluatedCount = 0;
  /** The number of the last comparison that is no longer valid, because it may have reached another server. */
  let doubtedCount = 0;
  const chore = createChore(after, EVERY_MS, async () => {
    // An outage of the storage does not change the state.
    await look().catch(() => undefined);
    return true;
  });
  chore.ask();

  async function look(): Promise<void> {
    begunCount += 1;
    const turn = begunCount;
    const askedMs = clock.now();
    const { at, isMark } = await store.time(formatInstant(askedMs), isTrusted);
    isTrusted = false;
    // A later comparison was evaluated first.
    if (turn < evaluatedCount) return;
    if (turn <= doubtedCount) return look();
    evaluatedCount = turn;
    // The storage read its time between the two readings, so only a distance from that interval counts.
    const ahead = clockDistance(Date.parse(at), askedMs, clock.now());
    distance = isMark ? 0 : ahead;
    lead = clock.now() - monotonic();
    const next = stateAt(ahead, isMark);
    if (next !== state) report(log, [state, next], Math.round(ahead / 1_000), isMark);
    state = next;
  }

  function isCompared(): boolean {
    return evaluatedCount > doubtedCount;
  }

  async function assertRight(): Promise<void> {
    await look();
    if (state !== 'off') return;
    const details = { retryAfterSeconds: 1 };
    throw new IdentityError('storage_unavailable', 'The clock of this node is wrong. Set it by NTP.', {
      details,
    });
  }

  function storeNow(): number | Promise<number> {
    const isKnown = (state === 'right' || state === 'ahead') && isCompared();
    const atMs = clock.now();
    if (isKnown && Math.abs(atMs - monotonic() - lead) <= MAX_SET_MS) return atMs - distance;
    return assertRight().then(() => clock.now() - distance);
  }

  const presents = createPresents(storeNow);

  return {
    isOff: () => state === undefined || state === 'off',
    mayPurge: () => state === 'right' && isCompared(),
    doubt() {
      doubtedCount = begunCount;
      presents.end();
      // An outage of the storage leaves the doubt, and the next call that needs the clock compares.
      look().catch(() => undefined);
    },
    look,
    assertRight,
    storeNow,
    present: presents.present,
    stop: chore.stop,
  };
}

/** Creates times of the storage with their signals. `end` aborts the signals of all earlier times. */
function createPresents(storeNow: ClockWatch['storeNow']) {
  let sameServer = new AbortController();

  async function presentAfter(waiting: Promise<number>, signal: AbortSignal): Promise<StorePresent> {
    const storeMs = await waiting;
    // A server has taken over during the comparison, which may have been with the one before.
    return signal.aborted ? present() : { at: storeMs, signal };
  }

  function present(): StorePresent | Promise<StorePresent> {
    const { signal } = sameServer;
    const storeMs = storeNow();
    return typeof storeMs === 'number' ? { at: storeMs, signal } : presentAfter(storeMs, signal);
  }

  return {
    present,
    end(): void {
      sameServer.abort(ANOTHER_SERVER);
      sameServer = new AbortController();
    },
  };
}

function stateAt(aheadMs: number, isMark: boolean): State {
  if (aheadMs < -MAX_OFF_MS) return 'off';
  if (isMark) return aheadMs > MAX_AHEAD_MS ? 'ahead' : 'right';
  return aheadMs > MAX_OFF_MS ? 'off' : 'right';
}

/** The reason of aborted signals. All calls share it, so it contains no data of a single call. */
const ANOTHER_SERVER = new Error('Another server may answer now, whose clock was not compared yet.');

const RIGHT = 'The clock of this node agrees with the storage again.';
const HOW = 'start once with --clock-ok (in process: clockOk).';

function report(
  log: Logger,
  [stateBefore, now]: readonly [State | undefined, State],
  aheadSeconds: number,
  isMark: boolean,
): void {
  if (now !== 'right') log(lineOf(now, aheadSeconds, isMark));
  else if (stateBefore !== undefined) log({ level: 'info', event: 'clock_right', message: RIGHT });
}

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
