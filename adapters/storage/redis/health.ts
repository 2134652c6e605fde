import type { StorageHealth } from '../../../src/ports/index.ts';
import type { Send } from './client.ts';
import { isRefusal } from './errors.ts';
import type { GuardedStore } from './guarded-store.ts';
import { defineGuarded } from './script.ts';

export interface HealthOptions {
  readonly replicas: number;
  /** `true` if the operator has stated that the store keeps every acknowledged write. */
  readonly isStated: boolean;
}

/**
 * Reads from the server's settings how durable an acknowledged write is. `durable` means that each write is on disk
 * before its answer, no record is ever evicted, and no replica without the write can take over. Rejects for a replica,
 * which is read-only.
 */
export async function readHealth(
  { run }: GuardedStore,
  { replicas, isStated }: HealthOptions,
): Promise<StorageHealth> {
  return run(async (evaluate, send) => {
    const [state, settings] = await Promise.all([
      readState(send),
      readSettings(send),
      evaluate(assertMarked, []),
    ]);
    if (state.get('role') !== 'master')
      throw new Error('The Redis server is a replica, which is read-only. Name its primary.');
    const shownFlaws = [...(settings === undefined ? [] : flawsOf(settings)), ...flawsOfState(state)];
    const unknown = [...(settings === undefined ? [UNREADABLE] : []), ...flawsOfReplicas(state, replicas)];
    const flaws = isStated ? shownFlaws : [...shownFlaws, ...unknown];
    if (flaws.length > 0) return { durability: 'unproved', detail: flaws.join(' ') };
    if (isStated) return { durability: 'durable', detail: STATED };
    return { durability: 'durable', ...(replicas > 0 && { detail: UNSEEN }) };
  });
}

const assertMarked = defineGuarded('return 1');

const SETTINGS = ['appendonly', 'appendfsync', 'maxmemory', 'maxmemory-policy'] as const;

type Settings = Readonly<Record<(typeof SETTINGS)[number], string>>;

const UNREADABLE = `CONFIG GET is not allowed here: whether ${SETTINGS.join(', ')} keep every write is not known.`;

function flawsOf(settings: Settings): readonly string[] {
  const { appendonly, appendfsync, maxmemory } = settings;
  const policy = settings['maxmemory-policy'];
  const flaws: string[] = [];
  if (appendonly !== 'yes') {
    flaws.push('appendonly is off: a crash of Redis loses what was written after the last snapshot.');
  } else if (appendfsync !== 'always') {
    const loss =
      appendfsync === 'everysec' ? 'the last second or two' : 'what the system has not yet written';
    flaws.push(`appendfsync is ${appendfsync}, not always: a power cut or a kill may lose ${loss}.`);
  }
  // The policies volatile-* evict nothing either, because no key has a time to live.
  if (maxmemory !== '0' && policy.startsWith('allkeys-')) {
    flaws.push(
      `maxmemory-policy is ${policy}, not noeviction: when the memory is full, records are dropped.`,
    );
  }
  return flaws;
}

const STATED = 'Stated by the operator, not read from the server.';
const UNSEEN =
  'These are the settings of the primary. The settings of its replicas cannot be read from here.';

function flawsOfState(state: ReadonlyMap<string, string>): readonly string[] {
  return [
    ...(state.get('aof_last_write_status') === 'err'
      ? ['The append-only file could not be written lately.']
      : []),
    ...(state.get('master_replid') === undefined
      ? ['It does not name its runs: a fail-over that lost writes may not be noticed.']
      : []),
  ];
}

function flawsOfReplicas(state: ReadonlyMap<string, string>, waitedFor: number): readonly string[] {
  const connectedCount = Number(state.get('connected_slaves') ?? 0);
  if (connectedCount <= waitedFor) return [];
  if (waitedFor === 0)
    return [`Replicas (${connectedCount}) follow later: a fail-over to one may lose the last writes.`];
  return [
    `A write waits for ${waitedFor} of ${connectedCount} replicas. A fail-over to another replica may lose writes, and a node that has made one of them then refuses the replica.`,
  ];
}

async function readState(send: Send): Promise<ReadonlyMap<string, string>> {
  const lines = String(await send(['INFO'])).split('\r\n');
  return new Map(lines.map((line) => [line.split(':', 1)[0] ?? '', line.slice(line.indexOf(':') + 1)]));
}

/**
 * Reads the settings one by one, because servers before 7.0 cannot return several. Hosted servers may refuse the
 * command.
 */
async function readSettings(send: Send): Promise<Settings | undefined> {
  const read = async (name: string): Promise<readonly [string, string]> => {
    const answer = await send(['CONFIG', 'GET', name]).catch((error: unknown) => {
      if (isRefusal(error)) return undefined;
      throw error;
    });
    // RESP3 returns a map, RESP2 a list of names and values.
    const value = Array.isArray(answer) ? answer[1] : Object(answer)[name];
    return [name, typeof value === 'string' ? value : ''];
  };
  const result = Object.fromEntries(await Promise.all(SETTINGS.map(read))) as Settings;
  return SETTINGS.every((name) => result[name] !== '') ? result : undefined;
}
