import { startServer } from '../lib/server-process.mjs';
import { startCerbos } from './cerbos.mjs';

/** Opens the servers of the peers, in the form in which the part `http` uses servers. */
export async function openPeerServers(folder, work) {
  return [await betterAuth(folder, work), await cerbos(folder, work)];
}

async function betterAuth(folder, { bodies }) {
  const child = await startServer('servers/serve.mjs', ['better-auth', folder]);
  return {
    name: 'better-auth verifyApiKey behind Express',
    kind: 'better-auth',
    floor: 'express-shaped',
    process: child,
    path: '/api/verify',
    headers: { 'x-api-key': child.key },
    bodies,
    // It knows keys, not intents.
    expected: bodies.map(() => 'ALLOW'),
    rounds: [],
  };
}

/** Starts Cerbos next to the application, in the form in which the part `http` uses servers. */
export async function cerbos(folder, work) {
  const { port, bodies, cpuUs, stop } = await startCerbos(folder, work);
  return {
    name: "Cerbos' PDP",
    kind: 'cerbos',
    floor: 'bare',
    process: { port, stop, usage: async () => ({ cpuUs: cpuUs() }) },
    path: '/api/check/resources',
    headers: {},
    bodies,
    expected: work.expected,
    read: ({ results }) => (Object.values(results[0].actions)[0] === 'EFFECT_ALLOW' ? 'ALLOW' : 'DENY'),
    rounds: [],
  };
}
