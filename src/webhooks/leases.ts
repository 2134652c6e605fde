/** Leases of deliveries: during a lease no other node sends the delivery. */
import { formatInstant } from '../base/values/instant.ts';
import type { Context } from '../service/shared/context.ts';
import { answered, groupSteps, type StepGroup } from '../service/storage/step-groups.ts';
import { replace } from '../service/storage/store.ts';
import { TIMEOUT_MS } from './attempt.ts';
import type { WebhookDeliveryRecord } from './collections.ts';

/** The result of leasing a page of deliveries. */
export interface Leased {
  /** The deliveries that this node has leased. The others belong to other nodes. */
  readonly won: readonly WebhookDeliveryRecord[];
  /** The error for which the storage took no more of them. */
  readonly failure?: unknown;
}

/** Leases deliveries for this node. */
export interface Leases {
  /** Leases these deliveries, in one write if the storage is fast enough. */
  take(due: readonly WebhookDeliveryRecord[]): Promise<Leased>;
  /** `true` after another node has leased one of them: other nodes send as well. */
  readonly hasOthers: boolean;
}

/** The length of a lease. An attempt with its writes takes less time, so the node of a lease that is over has died. */
const LEASE_MS = 2 * TIMEOUT_MS;
const MAX_AT_ONCE = 64;

/** Makes the leases of one node. */
export function createLeases({ store, clock }: Context): Leases {
  // Halved when the storage is too slow for a write of this size, because the same size would fail each time.
  let atOnce = MAX_AT_ONCE;
  let hasOthers = false;

  /** Leases deliveries together. Each try leaves out those that another node has taken. */
  async function takeTogether(due: readonly WebhookDeliveryRecord[]): Promise<Leased['won']> {
    let rest = due;
    while (rest.length > 0) {
      const due_at = formatInstant(clock.now() + LEASE_MS);
      const leased = rest.map((record) => ({
        ...record,
        ...{ due_at, is_leased: true, version: record.version + 1 },
      }));
      const steps = groupSteps(...leased.map(leaseGroup));
      const answer = answered(await store.write(...steps.changes));
      if (answer.written) return leased;
      hasOthers = true;
      const lost = steps.failed(answer);
      rest = rest.filter(({ id }) => !lost.has(id));
    }
    return [];
  }

  return {
    get hasOthers() {
      return hasOthers;
    },
    async take(due) {
      const won: WebhookDeliveryRecord[] = [];
      for (let from = 0; from < due.length; ) {
        const piece = due.slice(from, from + atOnce);
        try {
          won.push(...(await takeTogether(piece)));
        } catch (failure) {
          atOnce = Math.max(1, Math.floor(atOnce / 4));
          return { won, failure };
        }
        atOnce = Math.min(MAX_AT_ONCE, atOnce * 2);
        from += piece.length;
      }
      return { won };
    },
  };
}

function leaseGroup(leased: WebhookDeliveryRecord): StepGroup<string> {
  return [leased.id, [replace('webhook_deliveries', leased, leased.version - 1)]];
}
