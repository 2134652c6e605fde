import { createIdentityService } from 'agent-identity-service';
import { memoryStorage } from 'agent-identity-service/storage/memory';
import { toInput } from './work.mjs';

const ACCOUNT = { email: 'bench@example.com', password: 'a password for the bench' };

/** As many verdicts of an account as the memory storage keeps. */
export const KEPT_IN_MEMORY = 100_000;

/** The storage, but verdicts and their counts are thrown away. */
export function withoutFiling(storage) {
  return { ...storage, append: async () => {} };
}

/** A service with these passports in an account of its own, everything on, and an API key for it. */
export async function openService(passports, { storage = memoryStorage(), ...options } = {}) {
  const service = createIdentityService({
    storage,
    session: { secret: 'Zq8-vW2.mK5_tR9+xB3~nL6*pH1=cJ4!' },
    defaultPlan: 'enterprise',
    // One cheap hash of one password, which is not what is measured.
    passwordHasher: { hash: async () => 'x', verify: async () => true, verifyNothing: async () => false },
    ...options,
  });
  const { id: account_id } = await service.accounts.create(ACCOUNT);
  for (const passport of passports) {
    await service.passports.create(toInput(passport), { account_id });
    if (passport.status === 'revoked') {
      await service.revoke({ agent_id: passport.agent_id }, { account_id });
    }
  }
  const { key } = await service.keys.create({ name: 'bench' }, { account_id });
  /** Until every verdict that was answered is on file. */
  const settle = async () => {
    await service.verifications.list({ limit: 1 }, { account_id });
  };
  return { service, key, account_id, settle };
}
