/**
 * The functions that the core needs from its application in addition to a storage: clock, random numbers, password
 * hashing, timers and log.
 */

/** The clock of the application. */
export interface Clock {
  /** Returns the current time, in milliseconds since the Unix epoch. */
  now(): number;
  /**
   * Returns milliseconds since an arbitrary start, which never go back; default: `performance.now`. They may stand
   * still while the computer sleeps, because the service then adds the time that `now` has gained.
   */
  monotonic?(): number;
}

/** A cryptographically secure random generator. */
export interface RandomSource {
  /** Returns `length` fresh random bytes. */
  bytes(length: number): Uint8Array;
}

/**
 * Hashes passwords. Each hash contains its own parameters. Does not block the event loop if the platform allows it.
 *
 * @throws {Error} Any error. The login fails with this error, over HTTP with `internal`.
 */
export interface PasswordHasher {
  /** Returns a hash that contains its own parameters and salt. */
  hash(password: string): Promise<string>;
  /** Returns `true` if `hash` was made from `password`. Returns `false` for an unreadable hash. */
  verify(password: string, hash: string): Promise<boolean>;
  /**
   * Takes the same time as `verify`, for an account that does not exist. Otherwise the time would reveal whether the
   * account exists.
   */
  verifyNothing(password: string): Promise<false>;
}

/** Calls back once after `ms` milliseconds. The returned function cancels the call. */
export type After = (ms: number, callback: () => void) => () => void;

/** A line of the service log, for operators. It never contains a secret. */
export interface LogEvent {
  /** The severity. */
  readonly level: 'info' | 'warn' | 'error';
  /** The name of the event for programs, such as `clock_off`. */
  readonly event: string;
  /** The event as a sentence. */
  readonly message: string;
  readonly [fact: string]: unknown;
}

/** Receives log events. It must not throw. */
export type Logger = (event: LogEvent) => void;
