import { IdentityError } from '../../../src/ports/index.ts';

/** The state of a server. */
export interface RedisServer {
  /** `master` or `slave`. */
  readonly role: string;
  /**
   * The id of the incarnation: the period in which one process takes writes without interruption. Each start and each
   * promotion of a replica begins a new incarnation. '' if the server does not report it.
   */
  readonly incarnation: string;
}

/** Reads the state from the answer to `INFO replication`. */
export function readServer(answer: unknown): RedisServer {
  return { role: readField(answer, 'role'), incarnation: readField(answer, 'master_replid') };
}

/** Throws `invalid_configuration` if the answer to `INFO` is that of a cluster node or of a sentinel. */
export function assertStandalone(answer: unknown): void {
  const mode = readField(answer, 'redis_mode');
  if (mode === 'cluster' || readField(answer, 'cluster_enabled') === '1') {
    throw unsupported(
      'Redis Cluster is not supported yet: give the address of a server without cluster-enabled.',
    );
  }
  if (mode === 'sentinel') {
    throw unsupported(
      'Redis Sentinel is not supported yet: give an address that leads to the primary itself.',
    );
  }
}

function readField(answer: unknown, name: string): string {
  return new RegExp(`^${name}:(\\S*)`, 'm').exec(String(answer))?.[1] ?? '';
}

function unsupported(message: string): IdentityError {
  return new IdentityError('invalid_configuration', message);
}
