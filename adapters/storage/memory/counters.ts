import { type Change, turn } from '../../../src/ports/index.ts';

export interface Counter {
  readonly value: number;
  readonly expires_at?: string;
}

/**
 * Returns the counter after the change. Returns `'limit'` if the sum would exceed `max`, and `'unsafe'` if it would
 * leave the safe integers.
 */
export function addTo(
  counter: Counter | undefined,
  change: Extract<Change, { op: 'add' }>,
): Counter | 'limit' | 'unsafe' {
  const live = isLive(counter, change.at) ? counter : undefined;
  const value = (live?.value ?? 0) + change.by;
  if (change.max !== undefined && value > change.max) return 'limit';
  if (!Number.isSafeInteger(value)) return 'unsafe';
  const expiresAt = live === undefined ? change.expires_at : endOf(live, change);
  return expiresAt === undefined ? { value } : { value, expires_at: expiresAt };
}

function endOf(
  { expires_at }: Counter,
  { renew, expires_at: next }: Extract<Change, { op: 'add' }>,
): string | undefined {
  if (!renew || expires_at === undefined) return expires_at;
  return next === undefined || next > expires_at ? next : expires_at;
}

export function valueAt(counter: Counter | undefined, instant: string): number {
  return isLive(counter, instant) ? counter.value : 0;
}

/** The number of counters after which the loop yields to the event loop. */
const MAX_LOOKED_AT = 5_000;

export async function purgeCounters(
  counters: Map<string, Counter>,
  cutoff: string,
  limit: number,
): Promise<number> {
  let removedCount = 0;
  let lookedCount = 0;
  for (const [name, { expires_at }] of counters) {
    if (expires_at !== undefined && expires_at < cutoff && counters.delete(name)) removedCount += 1;
    if (removedCount === limit) break;
    lookedCount += 1;
    if (lookedCount % MAX_LOOKED_AT === 0) await turn();
  }
  return removedCount;
}

function isLive(counter: Counter | undefined, instant: string): counter is Counter {
  return counter !== undefined && (counter.expires_at === undefined || counter.expires_at > instant);
}
