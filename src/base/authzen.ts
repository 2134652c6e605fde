/** Subjects of the AuthZEN Authorization API 1.0, and the agents that they stand for. */

/** The subject of an evaluation, as it was sent. */
export interface AuthzenSubject {
  /** The kind of subject, such as `agent` or `user`. */
  readonly type: string;
  /** The id of the subject, unique in its type; 1 to 512 characters. */
  readonly id: string;
  /** Further properties of the subject, as the caller sends them. */
  readonly properties?: Readonly<Record<string, unknown>>;
}

/** An evaluation, as it was sent, with the defaults of its batch. */
export interface AuthzenEvaluation {
  readonly subject: AuthzenSubject;
  readonly action: { readonly name: string; readonly properties?: Readonly<Record<string, unknown>> };
  readonly resource: {
    readonly type: string;
    readonly id: string;
    readonly properties?: Readonly<Record<string, unknown>>;
  };
  readonly context?: Readonly<Record<string, unknown>>;
}

/** The options that map evaluations to intents. */
export interface AuthzenOptions {
  /**
   * Returns the `agent_id` for the subject of an evaluation; `undefined` leaves the subject to `agentDomain`. Not called
   * when `id` is a DID. An exception becomes the error `internal`.
   */
  readonly agentIdOf?: (subject: AuthzenSubject, evaluation: AuthzenEvaluation) => string | undefined;
  /**
   * Returns the `subject` of the intent, for whom the agent acts; `undefined` for none. Use it if the subject of an
   * evaluation is the user and `agentIdOf` finds the agent elsewhere. If `context.agent_identity.subject` is present,
   * it must name the same subject.
   *
   * @throws {IdentityError} `invalid_request` if `context.agent_identity.subject` names a different subject.
   * @throws {IdentityError} `internal` if the function throws.
   */
  readonly subjectOf?: (evaluation: AuthzenEvaluation) => string | undefined;
  /** The domain for subjects whose `id` is not a DID: `id` then stands for `did:web:<agentDomain>:agents:<id>`. */
  readonly agentDomain?: string;
  /**
   * Serves `/access/v1/check` for gateways. `path`: the path of the request follows the path of the endpoint.
   * `forwarded`: the headers `X-Forwarded-Method`, `-Host` and `-Uri` describe the request. Default: 404.
   */
  readonly check?: 'path' | 'forwarded';
}

/** The metadata of the service as a policy decision point (AuthZEN section 9). */
export interface AuthzenMetadata {
  readonly policy_decision_point: string;
  readonly access_evaluation_endpoint: string;
  readonly access_evaluations_endpoint: string;
}

/** The AuthZEN part of a service. */
export interface Authzen {
  /** Returns the agent that the subject of an evaluation stands for. An id without an agent is returned unchanged. */
  agentIdOf(evaluation: AuthzenEvaluation): string;
  /** Returns the subject of the intent that the host names. */
  subjectOf(evaluation: AuthzenEvaluation): string | undefined;
  /** The form of the checks of gateways; `undefined`: there are none. */
  readonly check: 'path' | 'forwarded' | undefined;
  /** The metadata; `undefined` when no https `publicUrl` is known. */
  readonly metadata: AuthzenMetadata | undefined;
}

/** The start of the path of the metadata; the path of the decision point follows it (RFC 8615). */
export const AUTHZEN_WELL_KNOWN = '/.well-known/authzen-configuration';
