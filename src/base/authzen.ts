/** What the AuthZEN Authorization API 1.0 calls a subject, and who it stands for. */

/** The subject of an evaluation, as it was sent. */
export interface AuthzenSubject {
  /** What it is, such as `agent` or `user`. */
  readonly type: string;
  /** Its name among those of its type; 1 to 512 characters. */
  readonly id: string;
  /** What else the caller says of it. */
  readonly properties?: Readonly<Record<string, unknown>>;
}

/** How subjects become agents. */
export interface AuthzenOptions {
  /**
   * The `agent_id` that a subject stands for; `undefined` leaves it to `agentDomain`. It is not asked where `id` is a DID.
   * What it throws is `internal`.
   */
  readonly agentIdOf?: (subject: AuthzenSubject) => string | undefined;
  /** The domain of subjects whose id is no DID: `id` stands for `did:web:<agentDomain>:agents:<id>`. */
  readonly agentDomain?: string;
}

/** What the service says of itself as a policy decision point (AuthZEN section 9). */
export interface AuthzenMetadata {
  readonly policy_decision_point: string;
  readonly access_evaluation_endpoint: string;
  readonly access_evaluations_endpoint: string;
}

/** The AuthZEN side of a service that has one. */
export interface Authzen {
  /** The agent that a subject stands for; an id that stands for none is given back unchanged. */
  agentIdOf(subject: AuthzenSubject): string;
  /** Absent where no https `publicUrl` is known. */
  readonly metadata: AuthzenMetadata | undefined;
}

/** Where the metadata stands below the root: the path of the decision point comes behind it (RFC 8615). */
export const AUTHZEN_WELL_KNOWN = '/.well-known/authzen-configuration';
