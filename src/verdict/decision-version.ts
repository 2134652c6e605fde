/**
 * The version of the rules. The version rises if the same question may get another verdict or other reasons. A local
 * verifier decides only if it has the same version as its service.
 *
 * @example
 * import { DECISION_VERSION } from 'agent-identity-service/verdict';
 *
 * console.log(DECISION_VERSION); // 5
 */
export const DECISION_VERSION = 5;
