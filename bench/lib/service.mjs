import { createIdentityService } from 'agent-identity-service';
import { everyCapability } from 'agent-identity-service/capabilities';
import { memoryStorage } from 'agent-identity-service/storage/memory';
import { makeWork, toInput } from './work.mjs';

const ACCOUNT = { email: 'bench@example.com', password: 'a password for the bench' };

/** The maximum number of verdicts of an account that the storage in memory keeps. */
export const KEPT_IN_MEMORY = 1_000_000;

const LATER = '2100-01-01T00:00:00.000Z';

/** Wraps the storage so that it discards what verdicts store: their records, their counts, and the time of the last one. */
export function withoutFiling(storage) {
  const isSighting = ({ counter }) => counter?.startsWith('seen:') === true;
  return {
    ...storage,
    journal: { ...storage.journal, file: async () => 'filed' },
    write: async (changes) => (changes.every(isSighting) ? { written: true } : storage.write(changes)),
  };
}

/** Opens a service with all features on. It has these passports in an account, and an API key for the account. */
export async function openService(
  passports,
  { storage = memoryStorage(), authzen, identity, evidence, accessTokens, ...options } = {},
) {
  const service = createIdentityService({
    storage,
    session: { secret: 'Zq8-vW2.mK5_tR9+xB3~nL6*pH1=cJ4!' },
    capabilities: everyCapability({ authzen, identity, evidence, accessTokens }),
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
  /** Waits until every returned verdict is stored. No record is as new as this list asks for, so it reads none. */
  const settle = async () => {
    await service.verifications.list({ from: LATER, limit: 1 }, { account_id });
  };
  return { service, key, account_id, settle, login: () => service.login(ACCOUNT) };
}

const ID = '<agent_id>';
const CREATED = '<created_at>';

/**
 * Returns a storage that has a passport for every requested `agent_id`, but stores none. Everything else is stored in
 * memory. Records are parsed from JSON, as in any other storage, so that they share no objects. Each has its
 * own instant.
 */
export async function endlessStorage() {
  const inner = memoryStorage();
  const service = createIdentityService({ storage: inner });
  const { agent_id } = await service.passports.create(toInput(makeWork({ intents: 1 }).passports[1]));
  const record = await inner.get('passports', agent_id);
  const text = JSON.stringify({ ...record, id: ID }).replaceAll(record.created_at, CREATED);
  let createdAt = Date.parse(record.created_at);
  const { allowed_actions } = JSON.parse(text);
  const storage = {
    ...inner,
    name: 'endless',
    async get(collection, id) {
      if (collection !== 'passports') return inner.get(collection, id);
      createdAt -= 1;
      return JSON.parse(text.replace(ID, id).replaceAll(CREATED, new Date(createdAt).toISOString()));
    },
  };
  return { storage, action: allowed_actions[0] };
}
