/** The bounds of the records that local verifiers send: the verifier and the service keep the same. */
import { RESOLUTION_MS } from './time-buckets.ts';

/** The grammar of the name of a local verifier. */
export const VERIFIER_NAME = '[a-z0-9][a-z0-9._-]{0,62}';

/** The age in milliseconds from which the service refuses a record. */
export const OLDEST_SENT_MS: number = 24 * RESOLUTION_MS.hour;

const NAME = new RegExp(`^${VERIFIER_NAME}$`);

/** Says whether the text is the name of a local verifier. */
export function isVerifierName(text: string): boolean {
  return NAME.test(text);
}
