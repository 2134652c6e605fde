/** Stores the deliveries of one webhook, together with the position up to which its events are read. */

import { eventTypesOf } from '../base/values/event-types.ts';
import { formatInstant } from '../base/values/instant.ts';
import type { Context } from '../core/shared/context.ts';
import { answered, groupSteps, type StepGroup } from '../core/storage/step-groups.ts';
import { insert, replace } from '../core/storage/store.ts';
import type { IdentityEvent } from '../records/event.ts';
import type { WebhookDeliveryRecord, WebhookRecord } from './collections.ts';
import { payloadOf } from './payload.ts';
import { newDelivery } from './webhook-record.ts';

/**
 * Stores the deliveries of these events. The last write also stores `readTo`, the instant up to which the events are
 * read, in milliseconds. Returns the webhook, or `undefined` if the webhook takes no more events or `signal` was
 * aborted. Retries during an outage, so that no event is lost.
 */
export type FileDeliveries = (
  events: readonly IdentityEvent[],
  readTo: number,
) => Promise<WebhookRecord | undefined>;

const MAX_AT_ONCE = 100;
const PAUSE_MS = 1_000;

export function createFiler(
  context: Pick<Context, 'store' | 'clock' | 'after'>,
  id: string,
  signal: AbortSignal,
): FileDeliveries {
  const { store, clock } = context;
  // Halved when the storage is too slow for a write of this size, because the same size would fail each time.
  let atOnce = MAX_AT_ONCE;

  /**
   * Stores one piece. Returns the webhook, and the events that have no delivery yet. Returns `undefined` if the webhook
   * takes no more events.
   */
  async function filePiece(piece: readonly IdentityEvent[], readTo: number): Promise<Filed | undefined> {
    const webhook = await store.get('webhooks', id);
    if (webhook?.status !== 'active') return undefined;
    const records = deliveriesOf(webhook, piece, clock.now());
    const read_from = later(webhook.read_from, readTo);
    const next = { ...webhook, read_from, version: webhook.version + 1 };
    const steps = groupSteps(
      ...records.map(
        (record): StepGroup<string> => [record.event_id, [insert('webhook_deliveries', record)]],
      ),
      ['webhook', [replace('webhooks', next, webhook.version)]],
    );
    const answer = answered(await store.write(...steps.changes));
    if (answer.written) return { webhook: next, missing: [] };
    // These have their deliveries, made by the node that led before.
    const knownNames = steps.failed(answer);
    return { webhook: undefined, missing: piece.filter((event) => !knownNames.has(event.id)) };
  }

  return async (events, readTo) => {
    // An event that comes twice would fail in its own write, as if it had been delivered already.
    let otherEvents: readonly IdentityEvent[] = [
      ...new Map(events.map((event) => [event.id, event])).values(),
    ];
    while (!signal.aborted) {
      const piece = otherEvents.slice(0, atOnce);
      const eventsBehind = otherEvents.slice(piece.length);
      const filedPiece = await filePiece(piece, eventsBehind.length === 0 ? readTo : 0).catch(async () => {
        atOnce = Math.max(1, Math.floor(atOnce / 4));
        await pause(context, signal);
        return { webhook: undefined, missing: piece };
      });
      if (filedPiece === undefined) return undefined;
      if (filedPiece.webhook !== undefined && eventsBehind.length === 0) return filedPiece.webhook;
      if (filedPiece.webhook !== undefined) atOnce = Math.min(MAX_AT_ONCE, atOnce * 2);
      otherEvents = [...filedPiece.missing, ...eventsBehind];
    }
    return undefined;
  };
}

interface Filed {
  /**
   * The stored webhook. `undefined` if a delivery already existed. Nothing was stored then, because one write
   * stores all deliveries or none. The caller tries again with the events in `missing`.
   */
  readonly webhook: WebhookRecord | undefined;
  readonly missing: readonly IdentityEvent[];
}

function deliveriesOf(
  webhook: WebhookRecord,
  events: readonly IdentityEvent[],
  atMs: number,
): readonly WebhookDeliveryRecord[] {
  const types = new Set<string>(webhook.types.flatMap(eventTypesOf));
  return events
    .filter(({ type }) => types.has(type))
    .map((event) => newDelivery(webhook, { ...event, payload: payloadOf(event) }, atMs));
}

function later(instant: string, ms: number): string {
  return Date.parse(instant) >= ms ? instant : formatInstant(ms);
}

function pause({ after }: Pick<Context, 'after'>, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = (): void => {
      cancel();
      // Removed, because the signal outlives many pauses.
      signal.removeEventListener('abort', end);
      resolve();
    };
    const cancel = after(PAUSE_MS, end);
    signal.addEventListener('abort', end);
    if (signal.aborted) end();
  });
}
