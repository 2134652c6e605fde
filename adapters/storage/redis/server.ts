import { IdentityError } from '../../../src/ports/index.ts';

export interface RedisServer {
  /** `master` or `slave`. */
  readonly role: string;
  /**
   * The id of the incarnation: the period in which one process accepts writes without interruption. Each start and each
   * promotion of a replica begins a new incarnation. '' if the server does not report it.
   */
  readonly incarnation: string;
}

export function readServer(answer: unknown): RedisServer {
  return { role: readField(answer, 'role'), incarnation: readField(answer, 'master_replid') };
}

export function readMode(answer: unknown): 'cluster' | 'sentinel' | 'single' {
  const mode = readField(answer, 'redis_mode');
  if (mode === 'cluster' || readField(answer, 'cluster_enabled') === '1') return 'cluster';
  return mode === 'sentinel' ? 'sentinel' : 'single';
}

export function assertStandalone(answer: unknown): void {
  if (readMode(answer) === 'single') return;
  throw new IdentityError(
    'invalid_configuration',
    'The client of a store must lead to one server: for Redis Cluster or Sentinel give a url in place of the store.',
  );
}

function readField(answer: unknown, name: string): string {
  return new RegExp(`^${name}:(\\S*)`, 'm').exec(String(answer))?.[1] ?? '';
}
