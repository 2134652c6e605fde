/** Leases of deliveries: while one lasts, no other node sends the delivery. */
import { formatInstant } from '../../base/instant.ts';
import type { WebhookDeliveryRecord } from '../../ports/stored-records.ts';
import type { Context } from '../shared/context.ts';
import { replace } from '../storage/store.ts';
import { TIMEOUT_MS } from './attempt.ts';

/** What became of a page of deliveries. */
export interface Leased {
  /** Those that this node has leased. The others are those of other nodes. */
  readonly won: readonly WebhookDeliveryRecord[];
  /** Why the storage took no more of them. */
  readonly failure?: unknown;
}

/** Leases deliveries for this node. */
export interface Leases {
  /** Leases these, all in one write where the storage takes that. */
  take(due: readonly WebhookDeliveryRecord[]): Promise<Leased>;
  /** Whether another node has leased any of them: then there are others that send. */
  readonly hasOthers: boolean;
}

/** Longer than an attempt and its writes take: a lease that is over is that of a node that died. */
const LEASE_MS = 2 * TIMEOUT_MS;
const MAX_AT_ONCE = 64;

/** The leases of one node. */
export function createLeases({ store, clock }: Context): Leases {
  // A storage that is too slow for many at once is given fewer: the same number would fail each time.
  let atOnce = MAX_AT_ONCE;
  let hasOthers = false;

  /** Each try has fewer: those that another node has taken are left out. */
  async function takeTogether(due: readonly WebhookDeliveryRecord[]): Promise<Leased['won']> {
    let rest = due;
    while (rest.length > 0) {
      const due_at = formatInstant(clock.now() + LEASE_MS);
      const leased = rest.map((record) => ({
        ...record,
        ...{ due_at, is_leased: true, version: record.version + 1 },
      }));
      const steps = leased.map((record) => replace('webhook_deliveries', record, record.version - 1));
      const result = await store.write(...steps);
      if (result.written) return leased;
      hasOthers = true;
      const lost = new Set(result.failed.map(({ step }) => step));
      rest = rest.filter((_, step) => !lost.has(step));
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
