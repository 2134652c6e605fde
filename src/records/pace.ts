/** The pace of an agent: how many intents it may take per time. Types only, no code. */

/** A limit on the number of allowed intents in any period of a given length, wherever the period begins. */
export interface Pace {
  /** The name, `[a-z][a-z0-9_-]{0,31}`, unique in the passport; default `pace`. */
  readonly name?: string;
  /** The actions and patterns that it counts, 1 to 256. Absent: every action. */
  readonly actions?: readonly string[];
  /**
   * The maximum number of allowed intents in the period: 1 to 10,000. With 1, each intent must wait for the whole
   * period.
   */
  readonly max: number;
  /** The length of the period in seconds: 1 to 604,800. */
  readonly seconds: number;
}
