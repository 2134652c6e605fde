/** Chains of passports in a service that a local verifier decides for, at a time of its own. */
import { createIdentityService } from 'agent-identity-service';
import { everyCapability } from 'agent-identity-service/capabilities';
import { fetchHandler } from 'agent-identity-service/http';
import { memoryStorage } from 'agent-identity-service/storage/memory';
import { createLocalVerifier } from 'agent-identity-service/verifier';

/** Opens a service and a verifier whose time begins at `startMs`. */
export async function openChains(startMs) {
  let now = startMs;
  let version = 0;
  const clock = { now: () => Math.floor(now), monotonic: () => now };
  const storage = memoryStorage();
  const service = createIdentityService({
    ...{ storageDeadlineMs: 30_000, storage, clock, rateLimits: 'off' },
    capabilities: everyCapability(),
  });
  const { key: apiKey } = await service.keys.create({ name: 'verifier', scopes: ['verify', 'decide'] });
  const handle = fetchHandler(service);
  const fetch = async (url, init) => handle(new Request(url, init));
  const verifier = createLocalVerifier({ baseUrl: 'https://id.example.com/api', apiKey, fetch, clock });

  async function store({ agent_id: id, ...passport }) {
    const before = await storage.get('passports', id);
    const at = new Date(clock.now()).toISOString();
    const ids = { id, account_id: 'acc_local', version, created_at: at, updated_at: at };
    const record = { ...passport, ...ids };
    const change = before
      ? { op: 'replace', collection: 'passports', record, version: before.version }
      : { op: 'insert', collection: 'passports', record };
    const { written } = await storage.write([change]);
    if (!written) throw new Error('The passport was not stored.');
  }

  return {
    now: clock.now,
    /** Stores a chain `ms` later. Returns the function that decides by it. */
    async put(chain, ms) {
      if (ms <= 1_000) throw new Error('What was confirmed before would still be used.');
      now += ms;
      version += 1;
      for (const passport of chain) await store(passport);
      return (intent) => verifier.verify(intent);
    },
    counts: () => ({ byService: verifier.state().asked }),
    async close() {
      await verifier.close();
      await service.close();
    },
  };
}
