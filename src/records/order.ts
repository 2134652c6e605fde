/** The order of actions of an agent. Types only, no code. */

/** The earlier action that a rule of order needs. */
export interface OrderNeeds {
  /** The actions and patterns, 1 to 256. One of them must have been allowed and reported as `succeeded`. */
  readonly actions: readonly string[];
  /** The maximum age of the earlier action's verdict in seconds: 1 to 86,400. */
  readonly seconds: number;
}

/** The earlier action that forbids other actions. */
export interface OrderForbids {
  /** The actions and patterns, 1 to 256. */
  readonly actions: readonly string[];
  /** The seconds for which the earlier action forbids the other actions: 1 to 86,400. */
  readonly seconds: number;
  /**
   * The number of `failed` reports after which the actions are forbidden, 1 to 100. If absent, reports do not
   * count, and one `ALLOW` of an earlier action is enough to forbid the actions.
   */
  readonly failed?: number;
}

/** A rule about the order of actions. Set exactly one of `needs` and `forbids`. */
export interface Order {
  /** The name, `[a-z][a-z0-9_-]{0,31}`, unique among `pace` and `order` of the passport. */
  readonly name: string;
  /** The actions and patterns that it denies, 1 to 256. */
  readonly actions: readonly string[];
  /** The earlier action that must have happened. Otherwise the actions are denied. */
  readonly needs?: OrderNeeds;
  /** The earlier action after which the actions are denied. */
  readonly forbids?: OrderForbids;
  /**
   * The values by which the rule groups intents: `session`, `target` or JSON Pointers into `parameters`
   * without `*`, up to 3. The rule considers only earlier intents with the same values. An intent that lacks
   * one of these values is denied. If absent, the rule considers all earlier intents of the agent.
   */
  readonly same?: readonly string[];
}

// The pace of an agent: how many intents it may take per time. Types only, no code.

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
