/** Asks one node over kept connections. */
import { Agent, request } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';

/** Nothing is waited for longer. */
const TIMEOUT_MS = 20_000;

const TRIES = 10;
const RETRY_MS = 500;

/**
 * A client of the node at `origin`. `ask` settles with the answer, or rejects when none came; `startedAt` and
 * `endedAt` are of `performance.now`, the same for every node.
 */
export function createClient(origin) {
  const { hostname, port } = new URL(origin);
  // Below the five seconds after which the server closes what is idle.
  const agent = new Agent({ keepAlive: true, timeout: 3_000 });

  function ask(method, path, { token, key, json, headers } = {}) {
    const body = json === undefined ? undefined : JSON.stringify(json);
    const sent = {
      ...headers,
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
      ...(key !== undefined && { 'x-api-key': key }),
      ...(body !== undefined && {
        'content-type': 'application/json',
        'content-length': `${Buffer.byteLength(body)}`,
      }),
    };
    return new Promise((resolve, reject) => {
      const startedAt = performance.now();
      const options = { host: hostname, port, method, path: `/api${path}`, headers: sent, agent };
      const asked = request({ ...options, timeout: TIMEOUT_MS }, (response) => {
        const parts = [];
        response.on('data', (part) => parts.push(part));
        response.once('error', reject);
        response.once('end', () => {
          const endedAt = performance.now();
          const { statusCode: status, headers: got } = response;
          resolve({ status, headers: got, body: read(Buffer.concat(parts)), startedAt, endedAt });
        });
      });
      asked.once('timeout', () => asked.destroy(new Error(`No answer within ${TIMEOUT_MS} ms.`)));
      asked.once('error', reject);
      asked.end(body);
    });
  }

  /** The body of an answer that has to be a good one; a machine with too little time is given some more. */
  async function get(method, path, given, tries = TRIES) {
    const { status, body } = await ask(method, path, given);
    if (status < 300) return body;
    if (status === 503 && tries > 1) {
      await pause(RETRY_MS);
      return get(method, path, given, tries - 1);
    }
    throw new Error(`${method} ${path} at ${origin}: ${status} ${JSON.stringify(body)}`);
  }

  return { origin, ask, get, close: () => agent.destroy() };
}

function read(bytes) {
  return bytes.length === 0 ? {} : JSON.parse(bytes.toString());
}
