/** The data with which a local verifier confirms its cached passports. Types only, no code. */
import type { Environment, Instant, Passport } from '../records.ts';

/** The reason why the local verifier of an API key must send every request to the service. */
export type VerifierAsk = 'rules' | 'strict' | 'rate';

/** A request to confirm passports. */
export interface ConfirmInput {
  /** A number that the answer returns unchanged. */
  readonly turn: number;
  /**
   * The agents to confirm, at most 200. The value is the version that the verifier has: `<version> <updated_at>`. It is
   * `''` if an earlier answer has said that there is no such agent, and `null` if the verifier has not asked before.
   */
  readonly agents: Readonly<Record<string, string | null>>;
  /** The milliseconds to wait for a change if nothing is new, 0 to 1,000. */
  readonly wait_ms: number;
}

/** The state of the passports, of the API key and of its account at one instant. */
export interface ConfirmedPassports {
  readonly turn: number;
  /**
   * The milliseconds from the arrival of the request to the instant of this state. Negative if the state was read
   * earlier.
   */
  readonly as_of_ms: number;
  /** The storage's time at that instant. */
  readonly at: Instant;
  /** The reason why the verifier must send every request to the service. `null` if it may decide. */
  readonly ask: VerifierAsk | null;
  /** The version of the rules, `DECISION_VERSION` of `./verdict`. */
  readonly decision_version: number;
  readonly account_id: string;
  readonly key_id: string;
  readonly environment: Environment;
  /**
   * The passports that differ from the request, and their ancestors. `null` if the API key may not see the passport.
   * `status` is the stored status; you must compute whether the passport has expired.
   */
  readonly passports: Readonly<Record<string, Passport | null>>;
  /** The agents that did not fit into the answer. The verifier must ask about them again. */
  readonly unread: readonly string[];
}

/** A block of verdicts that a local verifier sends. */
export interface VerdictsInput {
  /** The id of one start of the verifier: 32 random hexadecimal digits. */
  readonly writer: string;
  /**
   * The number of the block: the counter at the end of the id of its last record. Each number must be higher than all
   * earlier numbers. The verifier sends the same bytes with the same number until it gets an answer.
   */
  readonly seq: number;
  /** The block in base64url, at most 1 MiB of text. */
  readonly block: string;
  /**
   * The subjects of the records, in base64url. They are stored apart from the block, so that they can be
   * erased. Absent if no record has a subject.
   */
  readonly erasable?: string;
}

/** The answer to a block of verdicts. `known`: this block, or one with a higher number, was stored before. */
export interface FiledVerdicts {
  readonly seq: number;
  readonly result: 'filed' | 'known';
}
