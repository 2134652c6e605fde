/** The order of actions of an agent. Types only, no code. */

/** The earlier action that a rule of order needs. */
export interface OrderNeeds {
  /** The actions and patterns, 1 to 256: one of them was allowed, and reported as `succeeded`. */
  readonly actions: readonly string[];
  /** The age up to which its verdict counts, in seconds: 1 to 86,400. */
  readonly seconds: number;
}

/** The earlier action that forbids others. */
export interface OrderForbids {
  /** The actions and patterns, 1 to 256. */
  readonly actions: readonly string[];
  /** The time for which it forbids them, in seconds: 1 to 86,400. */
  readonly seconds: number;
  /**
   * The number of reports of `failed` that forbids the actions, 1 to 100. Absent: every ALLOW forbids them.
   */
  readonly failed?: number;
}

/** A rule about the order of actions: exactly one of `needs` and `forbids`. */
export interface Order {
  /** The name, `[a-z][a-z0-9_-]{0,31}`, unique in the passport over `pace` and `order`. */
  readonly name: string;
  /** The actions and patterns that it denies, 1 to 256. */
  readonly actions: readonly string[];
  /** The earlier action without which they are denied. */
  readonly needs?: OrderNeeds;
  /** The earlier action after which they are denied. */
  readonly forbids?: OrderForbids;
  /**
   * The values by which intents count together: up to 3 of `session`, `target` and JSON Pointers into `parameters`
   * without `*`. An intent without such a value is denied. Absent: the whole agent counts together.
   */
  readonly same?: readonly string[];
}
