/** The records of the local verifier: how it confirms the passports that it holds. Types only, no code. */
import type { Environment, Instant, Passport } from '../records.ts';

/** The reason why every question of a key must go to the service: its verifier may not decide. */
export type VerifierAsk = 'rules' | 'strict' | 'rate';

/** A request to confirm passports. */
export interface ConfirmInput {
  /** A number that the answer repeats. */
  readonly turn: number;
  /**
   * The agents to confirm, at most 200, each with the version that the verifier knows: `<version> <updated_at>`. The
   * text is `''` for an agent that is absent, and the value is `null` for an unknown agent.
   */
  readonly agents: Readonly<Record<string, string | null>>;
  /** Milliseconds to wait for a change if nothing is new, 0 to 1,000. */
  readonly wait_ms: number;
}

/** The state of the passports, of the key and of its account at one instant. */
export interface ConfirmedPassports {
  readonly turn: number;
  /**
   * Milliseconds from the arrival of the request to the instant at which all of this was so; negative if it was read
   * before.
   */
  readonly as_of_ms: number;
  /** The store's present at that instant. */
  readonly at: Instant;
  /** The reason why this key's verifier must ask the service about everything; `null` if it may decide. */
  readonly ask: VerifierAsk | null;
  /** The version of the decision, `DECISION_VERSION` of `./verdict`. */
  readonly decision_version: number;
  readonly account_id: string;
  readonly key_id: string;
  readonly environment: Environment;
  /**
   * The passports that differ from the request, and their ancestors. `null` stands for a passport that the key does
   * not see. Their `status` is the stored status, and the reader derives an expiry.
   */
  readonly passports: Readonly<Record<string, Passport | null>>;
  /** The agents that did not fit into the answer: they are asked about again. */
  readonly unread: readonly string[];
}

/** A block of the verdicts that a local verifier decided. */
export interface VerdictsInput {
  /** The start of the verifier: 32 random hexadecimal digits. */
  readonly writer: string;
  /**
   * The number of the block, which is the count in the id of its last record. It is above the number of every earlier
   * block. The verifier sends the same bytes with the same number until they are answered.
   */
  readonly seq: number;
  /** The block as base64url, at most 1 MiB of text. */
  readonly block: string;
  /** The bytes next to the block that hold its subjects, as base64url; absent in a block without any. */
  readonly erasable?: string;
}

/** The answer to a block of verdicts. `known`: it, or one of a higher number, was filed before. */
export interface FiledVerdicts {
  readonly seq: number;
  readonly result: 'filed' | 'known';
}
