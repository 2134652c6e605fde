/**
 * Creates deliveries of events. One node, the leader, does this for all webhooks. If the leader stops, another node
 * continues.
 */

import type { Context } from '../core/shared/context.ts';
import { everyRecord, recordsBy } from '../core/shared/record-lists.ts';
import { createChore, oneAtATime } from '../core/shared/timers.ts';
import { changeText } from '../core/storage/shared-texts.ts';
import { randomText } from '../credential/random-id.ts';
import { MAX_PAGE_SIZE } from '../ports/limits.ts';
import type { WebhookRecord } from './collections.ts';
import { type Pump, type PumpParts, startPump } from './pump.ts';

export interface FanOut {
  readonly hasWebhooks: boolean;
  changed(): void;
  /** Stops, and lets another node continue at once. */
  stop(): Promise<void>;
}

const EVERY_MS = 3_000;
/** The milliseconds after which leadership ends if it is not renewed, because the node has died or lost the storage. */
const LEAD_MS = 10_000;
/**
 * The maximum milliseconds by which the clock of another leader may be ahead. If the stored end of the leadership is
 * even later, the end is ignored.
 */
const MAX_AHEAD_MS = 10_000;
const LEAD_TEXT = 'webhook_lead';

export function createFanOut(
  context: Pick<Context, 'store' | 'clock' | 'random' | 'after'>,
  parts: PumpParts,
): FanOut {
  const { store } = context;
  const lead = createLead(context);
  const pumps = new Map<string, Pump>();
  let hasWebhooks = false;
  let isStopped = false;
  const look = oneAtATime(() => lookAtAll().catch(() => undefined));
  const chore = createChore(context.after, EVERY_MS, async () => {
    await look.run();
    return true;
  });
  chore.ask();
  void look.run();

  /**
   * Starts a pump for each active webhook, and stops the other pumps. A pump reads the events for one webhook
   * and stores its deliveries. An outage of the storage is logged elsewhere, and retried soon.
   */
  async function lookAtAll(): Promise<void> {
    const active = await readActive();
    const isLeading = active.size > 0 && !isStopped && (await lead.hold());
    if (isStopped) return;
    await stopOthers(isLeading ? active : new Map());
    if (!isLeading) return;
    for (const [id, record] of active) if (!pumps.has(id)) pumps.set(id, startPump(context, parts, record));
  }

  async function readActive(): Promise<ReadonlyMap<string, WebhookRecord>> {
    const active = new Map<string, WebhookRecord>();
    let count = 0;
    for await (const record of everyRecord(recordsBy(store, 'webhooks', {}), MAX_PAGE_SIZE)) {
      count += 1;
      if (record.status === 'active') active.set(record.id, record);
    }
    hasWebhooks = count > 0;
    return active;
  }

  /** Stops each pump that is over, or whose webhook is not active or has changed its types. */
  async function stopOthers(active: ReadonlyMap<string, WebhookRecord>): Promise<void> {
    for (const [id, pump] of pumps) {
      const { types } = active.get(id) ?? {};
      if (!pump.isOver && JSON.stringify(types) === JSON.stringify(pump.types)) continue;
      pumps.delete(id);
      await pump.stop();
    }
  }

  return {
    get hasWebhooks() {
      return hasWebhooks;
    },
    changed() {
      hasWebhooks = true;
      if (!isStopped) void look.run();
    },
    async stop() {
      isStopped = true;
      await chore.stop();
      await look.settled();
      await Promise.all([...pumps.values()].map((pump) => pump.stop()));
      await lead.release().catch(() => undefined);
    },
  };
}

/**
 * Leadership: a text in the storage that names the node which creates deliveries. Even if there are two leaders for a
 * moment, no delivery is created twice.
 */
interface Lead {
  hold(): Promise<boolean>;
  release(): Promise<void>;
}

function createLead({ store, clock, random }: Pick<Context, 'store' | 'clock' | 'random'>): Lead {
  const ownText = randomText(16, random);
  let heldText: string | undefined;

  async function hold(): Promise<boolean> {
    const atMs = clock.now();
    const lead = `${atMs + LEAD_MS} ${ownText}`;
    const now = await changeText({ store, clock }, LEAD_TEXT, (text) => {
      const [endMs = 0, holder] = readLead(text);
      const isOther = holder !== ownText && endMs > atMs && endMs <= atMs + LEAD_MS + MAX_AHEAD_MS;
      return isOther ? text : lead;
    });
    heldText = now === lead ? lead : undefined;
    return heldText !== undefined;
  }

  return {
    hold,
    async release() {
      if (heldText === undefined) return;
      await changeText({ store, clock }, LEAD_TEXT, (text) => (text === heldText ? `0 ${ownText}` : text));
    },
  };
}

function readLead(text: string | undefined): readonly [until?: number, holder?: string] {
  const [, end, holder] = /^(\d+) (\w+)$/.exec(text ?? '') ?? [];
  return end === undefined || holder === undefined ? [] : [Number(end), holder];
}
