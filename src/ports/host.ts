/** What the core asks of its host besides a storage: a clock, random numbers, password hashing, timers, a log. */

/** The present, in milliseconds since the Unix epoch. */
export interface Clock {
  /** The present. */
  now(): number;
  /**
   * Milliseconds since any origin, which never go back; default: `performance.now`. They may stand still while the
   * machine sleeps: the service adds what `now` has gained on them.
   */
  monotonic?(): number;
}

/** Bytes from a cryptographically secure generator. */
export interface RandomSource {
  /** As many fresh bytes as `length` says. */
  bytes(length: number): Uint8Array;
}

/** Turns passwords into self-describing hashes, off the event loop where the platform can. */
export interface PasswordHasher {
  /** A hash that carries its own parameters and salt. */
  hash(password: string): Promise<string>;
  /** Whether `password` made `hash`; `false` for a hash it cannot read. */
  verify(password: string, hash: string): Promise<boolean>;
  /** The work of `verify` for an account that does not exist, so that both answers cost the same. */
  verifyNothing(password: string): Promise<false>;
}

/** Calls back once after `ms` milliseconds, unless the function that it returns is called before. */
export type After = (ms: number, callback: () => void) => () => void;

/** One line for the operator of the service; it never holds a secret. */
export interface LogEvent {
  /** How urgent it is. */
  readonly level: 'info' | 'warn' | 'error';
  /** What happened, as a name for programs, such as `clock_off`. */
  readonly event: string;
  /** What happened, as a sentence. */
  readonly message: string;
  readonly [fact: string]: unknown;
}

/** Receives log events. It must not throw. */
export type Logger = (event: LogEvent) => void;
