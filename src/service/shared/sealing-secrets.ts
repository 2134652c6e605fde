/** What secrets in the storage are encrypted with. */
import type { IdentityServiceOptions } from '../options.ts';
import { secretsOf } from '../storage/secret-watch.ts';

/** The secrets that seal and open, the one that seals first; none where the service has no secret of its own. */
export function sealingSecrets({
  identity,
  session,
}: Pick<IdentityServiceOptions, 'identity' | 'session'>): readonly string[] {
  const own = identity?.secret === undefined ? secretsOf({ session }) : [identity.secret];
  return own.length === 0 ? [] : [...new Set([...own, ...(identity?.previousSecrets ?? [])])];
}
