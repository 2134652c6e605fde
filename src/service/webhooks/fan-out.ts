/** Makes deliveries of events: one node does it for all webhooks, and another one goes on where it ends. */
import { randomText } from '../../credential/random-id.ts';
import { MAX_PAGE_SIZE } from '../../ports/limits.ts';
import type { WebhookRecord } from '../../ports/stored-records.ts';
import type { Context } from '../shared/context.ts';
import { everyRecord, recordsBy } from '../shared/record-lists.ts';
import { createChore, oneAtATime } from '../shared/timers.ts';
import { type Pump, type PumpParts, startPump } from './pump.ts';

/** Works by itself until it is stopped. */
export interface FanOut {
  /** Whether there is any webhook, as far as this node knows. */
  readonly hasWebhooks: boolean;
  /** A webhook was changed here. */
  changed(): void;
  /** Lets another node go on at once. */
  stop(): Promise<void>;
}

const EVERY_MS = 3_000;
/** A node that has not renewed its lead for this time has died, or lost the storage. */
const LEAD_MS = 10_000;
/** A lead that ends later than the clock of any node could make it is ignored. */
const MAX_AHEAD_MS = 10_000;
const LEAD_TEXT = 'webhook_lead';

/** The fan-out of one node. */
export function createFanOut(context: Context, parts: PumpParts): FanOut {
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

  /** A storage that is down is reported elsewhere, and asked again in a moment. */
  async function lookAtAll(): Promise<void> {
    const active = new Map<string, WebhookRecord>();
    let count = 0;
    for await (const record of everyRecord(recordsBy(store, 'webhooks', {}), MAX_PAGE_SIZE)) {
      count += 1;
      if (record.status === 'active') active.set(record.id, record);
    }
    hasWebhooks = count > 0;
    const isLeading = active.size > 0 && !isStopped && (await lead.hold());
    if (isStopped) return;
    for (const [id, pump] of pumps) {
      const { types } = active.get(id) ?? {};
      if (isLeading && !pump.isOver && JSON.stringify(types) === JSON.stringify(pump.types)) continue;
      pumps.delete(id);
      await pump.stop();
    }
    if (!isLeading) return;
    for (const [id, record] of active) if (!pumps.has(id)) pumps.set(id, startPump(context, parts, record));
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

/** Which node makes deliveries: a text in the storage. Two that lead for a moment make no delivery twice. */
interface Lead {
  /** Whether this node leads from now on. */
  hold(): Promise<boolean>;
  release(): Promise<void>;
}

function createLead({ store, clock, random }: Context): Lead {
  const own = randomText(16, random);
  let held: string | undefined;

  async function hold(): Promise<boolean> {
    const at = clock.now();
    const text = await store.remember(LEAD_TEXT);
    const [until = 0, holder] = readLead(text);
    const isOther = holder !== own && until > at && until <= at + LEAD_MS + MAX_AHEAD_MS;
    if (isOther) return false;
    const to = `${at + LEAD_MS} ${own}`;
    const now = await store.remember(LEAD_TEXT, { ...(text !== undefined && { from: text }), to });
    held = now === to ? to : undefined;
    return held !== undefined;
  }

  return {
    hold,
    async release() {
      if (held !== undefined) await store.remember(LEAD_TEXT, { from: held, to: `0 ${own}` });
    },
  };
}

function readLead(text: string | undefined): readonly [until?: number, holder?: string] {
  const [, until, holder] = /^(\d+) (\w+)$/.exec(text ?? '') ?? [];
  return until === undefined || holder === undefined ? [] : [Number(until), holder];
}
