/**
 * The functions that the core needs from its application in addition to a storage: clock, random numbers, password
 * hashing, timers and log.
 */

/** The clock of the application. */
export interface Clock {
  /** Returns the present, in milliseconds since the Unix epoch. */
  now(): number;
  /**
   * Returns milliseconds since any origin, which never go back; default: `performance.now`. They may stand still while
   * the machine sleeps: the service adds what `now` has gained on them.
   */
  monotonic?(): number;
}

/** A cryptographically secure random generator. */
export interface RandomSource {
  /** Returns `length` fresh random bytes. */
  bytes(length: number): Uint8Array;
}

/** Hashes passwords into self-describing hashes, off the event loop where the platform can. */
export interface PasswordHasher {
  /** Returns a hash that contains its own parameters and salt. */
  hash(password: string): Promise<string>;
  /** Says whether `password` made `hash`; `false` for a hash that it cannot read. */
  verify(password: string, hash: string): Promise<boolean>;
  /** Does the work of `verify` for an account that does not exist, so that both take the same time. */
  verifyNothing(password: string): Promise<false>;
}

/** Calls back once after `ms` milliseconds, unless the returned function is called before. */
export type After = (ms: number, callback: () => void) => () => void;

/** A log event for the operator of the service. It never contains a secret. */
export interface LogEvent {
  /** The urgency. */
  readonly level: 'info' | 'warn' | 'error';
  /** The name of the event for programs, such as `clock_off`. */
  readonly event: string;
  /** The event as a sentence. */
  readonly message: string;
  readonly [fact: string]: unknown;
}

/** Receives log events. It must not throw. */
export type Logger = (event: LogEvent) => void;
