/** Conditions on the parameters of an intent. Types only, no code. */
import type { Amount } from './value.ts';

/**
 * A condition on the parameters of an intent. It only denies, and has exactly one test; `min` and `max` together are one
 * test. All text is compared by UTF-16 code units, without normalisation, unless the test says otherwise.
 */
export interface Condition {
  /** The actions and patterns that it applies to, at least one. Absent: every action. */
  readonly actions?: readonly string[];
  /**
   * The place of the value: a JSON Pointer into `parameters` of 1 to 8 names, such as `/to`. The name `*` is every
   * element of an array. Empty text is all of `parameters`, for `only` alone.
   */
  readonly at: string;
  /** `true`: a missing value passes. Not with `present` or `absent`. */
  readonly optional?: boolean;
  /** The allowed values, 1 to 256, each of the same JSON type as the value. */
  readonly in?: readonly (string | number | boolean | null)[];
  /**
   * The forbidden texts, 1 to 256 in printable ASCII, compared without ASCII case. Text that could look like a
   * forbidden text fails.
   */
  readonly not_in?: readonly string[];
  /** The allowed beginnings of a text, 1 to 64. Paths and URLs have `path_under` and `url_under`. */
  readonly prefix?: readonly string[];
  /** The allowed endings of a text, 1 to 64. Addresses have `email_in`. */
  readonly suffix?: readonly string[];
  /** The least allowed number, an exact decimal of at most 10^15 in size with at most 6 decimals. */
  readonly min?: Amount;
  /** The greatest allowed number, not below `min`. */
  readonly max?: Amount;
  /** The allowed e-mail addresses, or domains such as `@example.com` without sub-domains; 1 to 256, in lower case. */
  readonly email_in?: readonly string[];
  /** The allowed URLs and everything below them, 1 to 64. `https://*.example.com` names sub-domains only. */
  readonly url_under?: readonly string[];
  /** The allowed paths and everything below them, 1 to 64. `/` allows any absolute path, `.` any relative path. */
  readonly path_under?: readonly string[];
  /** The most elements of an array, 0 to 1,000. */
  readonly max_items?: number;
  /** The only members that an object may have, 0 to 64. */
  readonly only?: readonly string[];
  /** The value is there and neither `null`, `""`, `[]` nor `{}`. */
  readonly present?: true;
  /** There is no such member. */
  readonly absent?: true;
}

/** The name of a test of a condition. */
export type ConditionTest = Exclude<keyof Condition, 'actions' | 'at' | 'optional'>;
