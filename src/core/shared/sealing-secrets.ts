/** Selects the secrets that encrypt keys and webhook secrets in the storage. */
import type { CheckedServiceOptions } from '../setup/checked-options.ts';
import { secretsOf } from '../storage/secret-watch.ts';

/** Returns the secrets for decryption. The first one also encrypts. The list is empty if the service has no secret. */
export function sealingSecrets({
  identity,
  session,
}: Pick<CheckedServiceOptions, 'identity' | 'session'>): readonly string[] {
  const ownSecrets = identity.secret === undefined ? secretsOf({ session, identity }) : [identity.secret];
  return ownSecrets.length === 0 ? [] : [...new Set([...ownSecrets, ...(identity.previousSecrets ?? [])])];
}
