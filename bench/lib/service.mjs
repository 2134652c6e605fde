import { createIdentityService } from 'agent-identity-service';
import { everyCapability } from 'agent-identity-service/capabilities';
import { memoryStorage } from 'agent-identity-service/storage/memory';
import { makeWork, toInput } from './work.mjs';

const ACCOUNT = { email: 'bench@example.com', password: 'a password for the bench' };

/** As many verdicts of an account as the memory storage keeps. */
export const KEPT_IN_MEMORY = 1_000_000;

/** The storage, but verdicts and their counts are thrown away. */
export function withoutFiling(storage) {
  return { ...storage, journal: { ...storage.journal, file: async () => 'filed' } };
}

/** A service with these passports in its own account, everything on, and an API key for it. */
export async function openService(
  passports,
  { storage = memoryStorage(), authzen, evidence, ...options } = {},
) {
  const service = createIdentityService({
    storage,
    session: { secret: 'Zq8-vW2.mK5_tR9+xB3~nL6*pH1=cJ4!' },
    capabilities: everyCapability({ authzen, evidence }),
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
  return { service, key, account_id, settle, login: () => service.login(ACCOUNT) };
}

/**
 * A storage that has a passport for every `agent_id` asked for and keeps none of them; for the rest it is one in
 * memory. Records come out of JSON, as from any other store, so that they share nothing.
 */
export async function endlessStorage() {
  const inner = memoryStorage();
  const service = createIdentityService({ storage: inner });
  const { agent_id } = await service.passports.create(toInput(makeWork({ intents: 1 }).passports[1]));
  const text = JSON.stringify({ ...(await inner.get('passports', agent_id)), id: '' });
  const { allowed_actions } = JSON.parse(text);
  const storage = {
    ...inner,
    name: 'endless',
    async get(collection, id) {
      if (collection !== 'passports') return inner.get(collection, id);
      const record = JSON.parse(text);
      record.id = id;
      return record;
    },
  };
  return { storage, action: allowed_actions[0] };
}
