/** Permits: what a resource demands of an agent. Types only, no code. */

/** A permit that an intent asks for. */
export interface PermitRequest {
  /**
   * The resource that carries out the deed, by its own name, such as its origin `https://pay.example`: 1 to 256
   * printable ASCII characters that do not begin with `test:`.
   */
  readonly audience: string;
  /** The life of the permit in whole seconds, 1 to 60; default 30. */
  readonly seconds?: number;
  /** Binds the permit to the key that proves this intent. */
  readonly bind?: boolean;
}

/**
 * The reason why there is no permit. `service`: the service has no public URL; `domain`: the account may not sign for
 * the domain of the agent; `time`: a passport ends within a second; `proof`: `bind` without a valid proof.
 */
export type PermitObstacle = 'service' | 'domain' | 'time' | 'proof';
