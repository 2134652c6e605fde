/** Permits: signed statements that a resource requires from an agent. Types only, no code. */

/** The permit that an intent asks for. */
export interface PermitRequest {
  /**
   * The resource that carries out the action, by the name that the resource uses for itself, such as its origin
   * `https://pay.example`. It has 1 to 256 printable ASCII characters and does not begin with `test:`.
   */
  readonly audience: string;
  /** The validity of the permit in whole seconds, 1 to 60; default 30. */
  readonly seconds?: number;
  /** `true`: binds the permit to the agent key that proves this intent. */
  readonly bind?: boolean;
}

/**
 * The reason why there is no permit.
 *
 * - `service`: the service has no public URL.
 * - `domain`: the account may not sign for the domain of the agent.
 * - `time`: a passport expires within a second.
 * - `proof`: the intent asks for `bind` and has no valid proof of possession.
 */
export type PermitObstacle = 'service' | 'domain' | 'time' | 'proof';
