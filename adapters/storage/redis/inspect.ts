import { knownOptions, type OptionNames } from '../../../src/ports/index.ts';
import { loadRedis } from './client.ts';
import { connectTo, type RedisConnection, redisDeadlines } from './connection.ts';
import { startError } from './errors.ts';
import { identityKey } from './keys.ts';
import { DEFAULT_NAMESPACE, type RedisUrlOptions } from './open.ts';

/** The state of a namespace before it is opened. */
export interface RedisInspection {
  /** `true` if the namespace contains the identity of a store. */
  readonly hasIdentity: boolean;
}

const TIMEOUT_MS = 5_000;

/** The namespace to inspect. */
export type InspectedRedis = Pick<RedisUrlOptions, 'url' | 'namespace' | 'timeoutMs'>;
const OPTIONS: OptionNames<InspectedRedis> = { url: true, namespace: true, timeoutMs: true };

/**
 * Inspects a namespace without writing.
 *
 * @throws {IdentityError} `invalid_configuration` if the servers in the URL cannot be used together.
 * @throws {IdentityError} `storage_unavailable` if no primary can be reached with this URL.
 */
export async function inspectRedis(options: InspectedRedis): Promise<RedisInspection> {
  const redis = knownOptions('inspectRedis', options, OPTIONS);
  const { url, namespace = DEFAULT_NAMESPACE, timeoutMs = TIMEOUT_MS } = redis;
  const deadlines = redisDeadlines(timeoutMs);
  const packages = await loadRedis();
  let connection: RedisConnection | undefined;
  try {
    const openedConnection = await connectTo(packages, { url, namespace, timeoutMs });
    connection = openedConnection;
    const identity = await deadlines.limit(() => openedConnection.send(['GET', identityKey(namespace)]));
    return { hasIdentity: identity !== null };
  } catch (error) {
    throw startError(error);
  } finally {
    connection?.close();
  }
}
