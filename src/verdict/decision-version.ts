/**
 * The version of the decision, which is raised whenever the same question may get another verdict or other reasons. A
 * local verifier decides only if it and its service have the same.
 *
 * @example
 * import { DECISION_VERSION } from 'agent-identity-service/verdict';
 *
 * console.log(DECISION_VERSION); // 5
 */
export const DECISION_VERSION = 5;
