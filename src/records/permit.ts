/** Permits: what a resource demands of an agent. Types only, no code. */

/** A permit that an intent asks for. */
export interface PermitRequest {
  /**
   * The resource that carries out the action, by its own name, such as its origin `https://pay.example`. It has 1 to
   * 256 printable ASCII characters and does not begin with `test:`.
   */
  readonly audience: string;
  /** The life of the permit in whole seconds, 1 to 60; default 30. */
  readonly seconds?: number;
  /** Binds the permit to the key that proves this intent. */
  readonly bind?: boolean;
}

/**
 * The reason why there is no permit.
 *
 * - `service`: the service has no public URL.
 * - `domain`: the account may not sign for the domain of the agent.
 * - `time`: a passport ends within a second.
 * - `proof`: the intent asks for `bind` and has no valid proof.
 */
export type PermitObstacle = 'service' | 'domain' | 'time' | 'proof';
