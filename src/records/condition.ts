/** Conditions on the parameters of an intent. Types only, no code. */
import type { Amount } from './value.ts';

/**
 * A condition on the parameters of an intent. A condition can deny an intent, but never allows an intent that
 * another rule denies. It has exactly one test. `min` and `max` together count as one test. Text is compared
 * by UTF-16 code units, without normalization, unless the test says otherwise.
 */
export interface Condition {
  /** The actions and patterns to which it applies, at least one. Absent: every action. */
  readonly actions?: readonly string[];
  /**
   * The place of the value: a JSON Pointer into `parameters` with 1 to 8 names, such as `/to`. The name `*` stands for
   * every element of an array. With the test `only`, an empty text is also allowed, and stands for all of `parameters`.
   */
  readonly at: string;
  /** `true`: the condition is met if there is no value. Not allowed with `present` or `absent`. */
  readonly optional?: boolean;
  /**
   * The allowed values, 1 to 256. A value must equal one of them in its JSON type as well: the text `"1"` is
   * not the number `1`.
   */
  readonly in?: readonly (string | number | boolean | null)[];
  /**
   * The forbidden texts, 1 to 256 in printable ASCII, compared without regard to ASCII case. Text with
   * characters outside printable ASCII is also denied, because it may look like a forbidden text.
   */
  readonly not_in?: readonly string[];
  /** The allowed beginnings of a text, 1 to 64. For paths and URLs, use `path_under` and `url_under`. */
  readonly prefix?: readonly string[];
  /** The allowed endings of a text, 1 to 64. For e-mail addresses, use `email_in`. */
  readonly suffix?: readonly string[];
  /** The smallest allowed number: an exact decimal from -10^15 to 10^15 with at most 6 decimals. */
  readonly min?: Amount;
  /** The largest allowed number, at least `min`. */
  readonly max?: Amount;
  /** The allowed e-mail addresses, or domains such as `@example.com` without subdomains; 1 to 256, in lower case. */
  readonly email_in?: readonly string[];
  /** The allowed URLs and everything below them, 1 to 64. `https://*.example.com` allows only subdomains. */
  readonly url_under?: readonly string[];
  /** The allowed paths and everything below them, 1 to 64. `/` allows any absolute path, `.` any relative path. */
  readonly path_under?: readonly string[];
  /** The maximum number of elements of an array, 0 to 1,000. */
  readonly max_items?: number;
  /** The only members that an object may have, 0 to 64. */
  readonly only?: readonly string[];
  /** The value must exist, and must not be `null`, `""`, `[]` or `{}`. */
  readonly present?: true;
  /** The value must not exist. */
  readonly absent?: true;
}

/** The name of a test in a condition. */
export type ConditionTest = Exclude<keyof Condition, 'actions' | 'at' | 'optional'>;
