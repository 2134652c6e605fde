import { importPeer } from '../lib/peers.mjs';

const USER = { email: 'bench@example.com', password: 'a password for the bench', name: 'bench' };

/**
 * Opens better-auth, which checks API keys in this process. Its keys are in a `Map` as secondary storage, and its rate
 * limit is off. Its result is returned as a verdict for comparison.
 */
export async function openBetterAuth(folder) {
  const [{ betterAuth }, { memoryAdapter }, { apiKey }] = await Promise.all(
    ['better-auth', 'better-auth/adapters/memory', '@better-auth/api-key'].map((name) =>
      importPeer(folder, name),
    ),
  );
  const stored = new Map();
  const tables = { user: [], session: [], account: [], verification: [], apikey: [] };
  const auth = betterAuth({
    secret: 'Zq8-vW2.mK5_tR9+xB3~nL6*pH1=cJ4!',
    baseURL: 'http://localhost:3000',
    telemetry: { enabled: false },
    logger: { disabled: true },
    database: memoryAdapter(tables),
    emailAndPassword: { enabled: true },
    secondaryStorage: {
      get: (key) => stored.get(key),
      set: (key, value) => void stored.set(key, value),
      delete: (key) => void stored.delete(key),
    },
    plugins: [apiKey({ storage: 'secondary-storage', rateLimit: { enabled: false } })],
  });
  const { user } = await auth.api.signUpEmail({ body: USER });
  const { key } = await auth.api.createApiKey({ body: { userId: user.id, name: 'bench' } });
  const ask = async (given) => {
    const { valid } = await auth.api.verifyApiKey({ body: { key: given } });
    return { verdict: valid ? 'ALLOW' : 'DENY' };
  };
  if ((await ask(key)).verdict !== 'ALLOW' || (await ask(`${key}x`)).verdict !== 'DENY') {
    throw new Error('better-auth does not tell its key from another.');
  }
  return { ask: (given = key) => ask(given), key };
}
