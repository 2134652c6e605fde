/** Types for the subjects of the AuthZEN Authorization API 1.0, and for the options that map subjects to agents. */

/** The subject of an evaluation, as the caller sent it. */
export interface AuthzenSubject {
  /** The kind of subject, such as `agent` or `user`. */
  readonly type: string;
  /** The id of the subject, unique within its type; 1 to 512 characters. */
  readonly id: string;
  /** Other properties of the subject, as the caller sent them. */
  readonly properties?: Readonly<Record<string, unknown>>;
}

/** An evaluation as the caller sent it, with the defaults of its batch. */
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

/** Options that say how an evaluation becomes an intent. */
export interface AuthzenOptions {
  /**
   * Returns the `agent_id` for the subject of an evaluation, or `undefined` to use `agentDomain` instead. Not called if
   * `id` is a DID. An exception becomes the error `internal`.
   */
  readonly agentIdOf?: (subject: AuthzenSubject, evaluation: AuthzenEvaluation) => string | undefined;
  /**
   * Returns the `subject` of the intent, for whom the agent acts; `undefined` for none. Use it if the subject of an
   * evaluation is the user and `agentIdOf` finds the agent. If `context.agent_identity.subject` is present, it must
   * name the same subject.
   *
   * @throws {IdentityError} `invalid_request` if `context.agent_identity.subject` names a different subject.
   * @throws {IdentityError} `internal` if the function throws.
   */
  readonly subjectOf?: (evaluation: AuthzenEvaluation) => string | undefined;
  /** The domain for subjects whose `id` is not a DID. Such an `id` stands for `did:web:<agentDomain>:agents:<id>`. */
  readonly agentDomain?: string;
  /**
   * Serves `/access/v1/check` for gateways. With `path`, the path of the checked request follows the path of the
   * endpoint. With `forwarded`, the headers `X-Forwarded-Method`, `-Host` and `-Uri` describe the checked request. By
   * default, the endpoint returns 404.
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
  /**
   * Returns the agent for the subject of an evaluation. If the options give no agent for the id of the
   * subject, or the id is a DID, the id is returned unchanged.
   */
  agentIdOf(evaluation: AuthzenEvaluation): string;
  /** Returns the subject of the intent, according to the option `subjectOf`. */
  subjectOf(evaluation: AuthzenEvaluation): string | undefined;
  /** The form of the checks of gateways; `undefined` if the service has none. */
  readonly check: 'path' | 'forwarded' | undefined;
  /** The metadata; `undefined` without an https `publicUrl`. */
  readonly metadata: AuthzenMetadata | undefined;
}

/** The start of the path of the metadata. The path of the decision point follows (RFC 8615). */
export const AUTHZEN_WELL_KNOWN = '/.well-known/authzen-configuration';
