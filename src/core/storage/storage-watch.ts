/** Forwards the events of a storage to the log, the metrics and the clock watch. */

import { RESOLUTION_MS } from '../../base/values/time-buckets.ts';
import type { Logger } from '../../ports/storage.ts';
import type { StorageEvent, StorageObserver } from '../../ports/storage-events.ts';
import type { SafeMetrics } from '../shared/context.ts';

export interface StorageWatchParts {
  /** Makes the clock watch compare again, because another server has another clock. */
  readonly doubtClock: () => void;
  readonly metrics: Pick<SafeMetrics, 'onStorageEvent'> | undefined;
  readonly log: Logger;
  readonly elapsed: () => number;
}

const UNCONFIRMED_EVERY_MS = RESOLUTION_MS.minute;

export function createStorageWatch({
  doubtClock,
  metrics,
  log,
  elapsed,
}: StorageWatchParts): StorageObserver {
  let loggedAt = Number.NEGATIVE_INFINITY;

  function logUnconfirmed({
    reached,
    needed,
  }: Extract<StorageEvent, { readonly type: 'unconfirmed' }>): void {
    if (elapsed() - loggedAt < UNCONFIRMED_EVERY_MS) return;
    loggedAt = elapsed();
    const message = `A write was not acknowledged: ${reached} of ${needed} replicas have it. It may still take effect.`;
    log({ level: 'warn', event: 'storage_unconfirmed', message, reached, needed });
  }

  return (event) => {
    metrics?.onStorageEvent(event);
    switch (event.type) {
      case 'server_uncertain':
        doubtClock();
        break;
      case 'primary_changed':
        doubtClock();
        logChange(log, event);
        break;
      case 'records_moving':
        log({ level: 'warn', event: 'storage_slot_moving', message: MOVING });
        break;
      case 'unconfirmed':
        logUnconfirmed(event);
        break;
      case 'joined':
        break;
    }
  };
}

const MOVING =
  'The cluster moves the records to another server one by one: calls of the storage are refused until that is done.';

function logChange(
  log: Logger,
  { address, withoutMs }: Extract<StorageEvent, { readonly type: 'primary_changed' }>,
): void {
  const place = address === undefined ? 'another server' : `the server ${address}`;
  const message = `The storage works on ${place} now, after ${withoutMs} ms without one.`;
  const facts = { ...(address !== undefined && { address }), without_ms: withoutMs };
  log({ level: 'warn', event: 'storage_primary_changed', message, ...facts });
}
