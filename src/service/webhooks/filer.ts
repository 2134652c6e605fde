/** Stores the deliveries of one webhook, in one step with how far its events are read. */

import { eventTypesOf } from '../../base/event-types.ts';
import { formatInstant } from '../../base/instant.ts';
import type { WebhookDeliveryRecord, WebhookRecord } from '../../ports/stored-records.ts';
import type { IdentityEvent } from '../../records/event.ts';
import type { Context } from '../shared/context.ts';
import { insert, replace } from '../storage/store.ts';
import { payloadOf } from './payload.ts';
import { newDelivery } from './webhook-record.ts';

/**
 * Stores the deliveries of these events; with the last of them, that the events are read up to `readTo`, in milliseconds.
 * Gives the webhook; `undefined`: it takes no more events, or the end has come. An outage is waited for: nothing is lost.
 */
export type FileDeliveries = (
  found: readonly IdentityEvent[],
  readTo: number,
) => Promise<WebhookRecord | undefined>;

const MAX_AT_ONCE = 100;
const PAUSE_MS = 1_000;

/** Files until `signal` is aborted. */
export function createFiler(context: Context, id: string, signal: AbortSignal): FileDeliveries {
  const { store, clock } = context;
  // A storage that is too slow for many at once is given fewer: the same number would fail each time.
  let atOnce = MAX_AT_ONCE;

  /** Which of these events have no delivery after it, and the webhook; `undefined`: it takes no more events. */
  async function filePiece(piece: readonly IdentityEvent[], readTo: number): Promise<Filed | undefined> {
    const webhook = await store.get('webhooks', id);
    if (webhook?.status !== 'active') return undefined;
    const made = deliveriesOf(webhook, piece, clock.now());
    const read_from = later(webhook.read_from, readTo);
    const next = { ...webhook, read_from, version: webhook.version + 1 };
    const changes = made.map((record) => insert('webhook_deliveries', record));
    const result = await store.write(...changes, replace('webhooks', next, webhook.version));
    if (result.written) return { webhook: next, missing: [] };
    // Those have their deliveries, made by the node that read before.
    const known = new Set(result.failed.map(({ step }) => made[step]?.event_id));
    return { webhook: undefined, missing: piece.filter((event) => !known.has(event.id)) };
  }

  return async (found, readTo) => {
    // One that came twice would look as if it had its delivery already.
    let rest: readonly IdentityEvent[] = [...new Map(found.map((event) => [event.id, event])).values()];
    while (!signal.aborted) {
      const piece = rest.slice(0, atOnce);
      const behind = rest.slice(piece.length);
      try {
        const filed = await filePiece(piece, behind.length === 0 ? readTo : 0);
        if (filed === undefined) return undefined;
        if (filed.webhook !== undefined && behind.length === 0) return filed.webhook;
        if (filed.webhook !== undefined) atOnce = Math.min(MAX_AT_ONCE, atOnce * 2);
        rest = [...filed.missing, ...behind];
      } catch {
        atOnce = Math.max(1, Math.floor(atOnce / 4));
        await pause(context, signal);
      }
    }
    return undefined;
  };
}

/** The outcome of a piece. */
interface Filed {
  /** The webhook as it is stored now; `undefined`: nothing was stored, as something of it was there before. */
  readonly webhook: WebhookRecord | undefined;
  /** What has no delivery yet. */
  readonly missing: readonly IdentityEvent[];
}

function deliveriesOf(
  webhook: WebhookRecord,
  events: readonly IdentityEvent[],
  at: number,
): readonly WebhookDeliveryRecord[] {
  const types = new Set<string>(webhook.types.flatMap(eventTypesOf));
  return events
    .filter(({ type }) => types.has(type))
    .map((event) => newDelivery(webhook, { ...event, payload: payloadOf(event) }, at));
}

function later(instant: string, ms: number): string {
  return Date.parse(instant) >= ms ? instant : formatInstant(ms);
}

/** A moment, or until the end. */
function pause({ after }: Context, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = (): void => {
      cancel();
      // The signal outlives many pauses.
      signal.removeEventListener('abort', end);
      resolve();
    };
    const cancel = after(PAUSE_MS, end);
    signal.addEventListener('abort', end);
    if (signal.aborted) end();
  });
}
