import { createIdentityService } from 'agent-identity-service';
import { memoryStorage } from 'agent-identity-service/storage/memory';
import { makeWork, toInput } from './work.mjs';

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
