import { randomBytes } from 'node:crypto';
import { createClient } from '@keyv/redis';
import { onTestFinished } from 'vitest';
import { redisStorage } from '../../adapters/storage/redis/index.ts';
import type { StorageAdapter } from '../../src/ports/index.ts';
import { assertNoTestRuns, sayMissing } from '../support/missing.ts';
import { PATIENT_MS } from '../support/patience.ts';
import { type PrivateServer, type PrivateServerOptions, startRedis } from '../support/private-servers.mjs';

/** The server of the tests, where each uses a namespace of its own; a machine with little time may be slow to answer. */
export const SERVER: string = process.env['REDIS_URL'] ?? 'redis://127.0.0.1:6379';

/** A client for what is no matter of a storage. */
export interface Client {
  sendCommand(args: string[]): Promise<unknown>;
  destroy(): void;
}

/** A server of our own, which a test may treat badly. */
export interface PrivateRedis extends PrivateServer {
  readonly client: Client;
}

/**
 * Whether Redis is there. Where it is not, a file has one case that says what did not run; on CI, where it has to
 * be, that one fails.
 */
export async function hasRedis(): Promise<boolean> {
  assertNoTestRuns();
  const client = createClient({ url: SERVER, socket: { connectTimeout: 5_000, reconnectStrategy: false } });
  client.on('error', () => {});
  try {
    await client.connect();
    await client.ping();
    return true;
  } catch (error) {
    const reason = (error as { code?: unknown }).code ?? 'no answer';
    sayMissing(`Redis is not there (${reason}): nothing about it was proved. Set REDIS_URL to a server.`);
    return false;
  } finally {
    if (client.isOpen) client.destroy();
  }
}

/** A client of the server of the tests. */
export async function connectClient(url: string = SERVER): Promise<Client> {
  const client = createClient({ url, socket: { reconnectStrategy: 50 } });
  client.on('error', () => {});
  await client.connect();
  return client;
}

/** A name that nothing else uses. */
export function newNamespace(): string {
  return `ais-test-${randomBytes(8).toString('hex')}`;
}

/** Every key of a namespace. */
export async function keysOf(client: Client, namespace: string): Promise<readonly string[]> {
  const keys: string[] = [];
  let cursor = '0';
  do {
    const answer = await client.sendCommand(['SCAN', cursor, 'MATCH', `{${namespace}}:*`, 'COUNT', '1000']);
    const [next, found] = answer as [string, string[]];
    keys.push(...found);
    cursor = next;
  } while (cursor !== '0');
  return keys;
}

/** Removes a namespace. */
export async function dropNamespace(client: Client, namespace: string): Promise<void> {
  const keys = await keysOf(client, namespace);
  if (keys.length > 0) await client.sendCommand(['UNLINK', ...keys]);
}

/** Ways into the server of the tests; what they leave there is removed at the end. */
export interface Opener {
  readonly client: Client;
  /** A storage in a namespace, with time for a slow machine. */
  open(namespace: string, rest?: object): Promise<StorageAdapter>;
  end(): Promise<void>;
}

/** An opener that has opened nothing yet. */
export async function createOpener(): Promise<Opener> {
  const client = await connectClient();
  const namespaces = new Set<string>();
  return {
    client,
    open(namespace, rest = {}) {
      namespaces.add(namespace);
      return redisStorage({ url: SERVER, namespace, timeoutMs: PATIENT_MS, ...rest });
    },
    async end() {
      for (const namespace of namespaces) await dropNamespace(client, namespace);
      client.destroy();
    },
  };
}

/** Starts a server with settings such as `{ appendonly: 'no' }`; by itself it is durable. It ends with the test. */
export async function startPrivateRedis(
  options: PrivateServerOptions['options'] = {},
): Promise<PrivateRedis> {
  const server = await startRedis({ options });
  onTestFinished(server.remove);
  const client = await connectClient(server.url);
  onTestFinished(() => client.destroy());
  return { ...server, client };
}
