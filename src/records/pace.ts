/** The pace of an agent. Types only, no code. */

/** A limit on the number of allowed intents in any time of a length, wherever that time begins. */
export interface Pace {
  /** The name, `[a-z][a-z0-9_-]{0,31}`, unique in the passport; default `pace`. */
  readonly name?: string;
  /** The actions and patterns that it counts, 1 to 256; absent: every action. */
  readonly actions?: readonly string[];
  /** The most intents that are allowed in the time: 1 to 10,000. With 1, each intent waits until the time has passed. */
  readonly max: number;
  /** The length of the time in seconds: 1 to 604,800. */
  readonly seconds: number;
}
