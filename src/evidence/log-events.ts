/** Adds the events of changes to the evidence log. */
import { readChangeRecordId } from '../base/bytes/event-position.ts';
import { formatInstant } from '../base/values/instant.ts';
import { RESOLUTION_MS } from '../base/values/time-buckets.ts';
import type { EventRecord } from '../core/events/collections.ts';
import { toChangeEvent } from '../core/events/event-records.ts';
import { wholeEvent } from '../core/events/whole-event.ts';
import type { Context } from '../core/shared/context.ts';
import type { LogOn } from '../core/shared/log-state.ts';
import { daysOf } from '../core/shared/outbox.ts';
import { replace } from '../core/storage/store.ts';
import type { ChangeContent } from '../transparency-log/entries.ts';
import type { Append } from './append.ts';
import type { Leaf } from './grow.ts';

export interface Pending {
  readonly count: number;
  /** The instant from which the first of these blocks or events waits, in milliseconds. `undefined` if none waits. */
  readonly since: number | undefined;
  /** `true` if another node appended to one of the logs meanwhile, so that a part must be repeated. */
  readonly isContended: boolean;
}

/** The accounts with logs that do not match their heads. Nothing is appended to these logs for an hour. */
export interface Refused {
  has(account_id: string): boolean;
  add(account_id: string): void;
}

/** Adds to the log the events that are due. Returns how many events still wait, and since when. */
export type LogEvents = (log: LogOn) => Promise<Pending>;

const PAGE = 256;
const AT_ONCE = 32;
/** The milliseconds by which the clock of a node may be ahead. */
const AHEAD_MS = 5_000;
const PUT_OFF_MS = RESOLUTION_MS.hour;

export function createLogEvents(
  context: Pick<Context, 'store' | 'clock' | 'auditDays'>,
  { append, refused }: { readonly append: Append; readonly refused: Refused },
): LogEvents {
  const { store, clock, auditDays } = context;
  let isContended = false;

  async function leafOf(record: EventRecord): Promise<Leaf> {
    const event = toChangeEvent(record);
    // The record that it is about may be erased: then the event is as it is stored.
    // Without the address of an approval, which is no part of the change.
    const whole = (await wholeEvent({ store }, event)) ?? event;
    const { id, type, timestamp, data } = whole;
    const content: ChangeContent = { kind: 'change', event: { id, type, timestamp, data } };
    const { due_at: _, ...settledFields } = record;
    const days = daysOf(record.type, auditDays);
    const next: EventRecord = {
      ...settledFields,
      version: record.version + 1,
      expires_at: formatInstant(Date.parse(record.created_at) + days * RESOLUTION_MS.day),
    };
    return { content, subject: id, changes: [replace('events', next, record.version)] };
  }

  async function putOff(records: readonly EventRecord[]): Promise<void> {
    const due_at = formatInstant(clock.now() + PUT_OFF_MS);
    await store.write(
      ...records.map((record) =>
        replace('events', { ...record, due_at, version: record.version + 1 }, record.version),
      ),
    );
  }

  /** Appends the events of one account. Returns how many of these events are no longer due. */
  async function appendOf(account_id: string, records: readonly EventRecord[], log: LogOn): Promise<number> {
    const leaves: Leaf[] = [];
    for (const record of records.slice(0, AT_ONCE)) leaves.push(await leafOf(record));
    const result = refused.has(account_id) ? 'damaged' : await append(account_id, log, () => leaves);
    isContended ||= result === 'stale';
    if (result === 'appended') return leaves.length;
    if (result === 'damaged') {
      refused.add(account_id);
      await putOff(records);
      return records.length;
    }
    return 0;
  }

  return async (log) => {
    isContended = false;
    for (;;) {
      const due = await store.due('events', formatInstant(clock.now() + AHEAD_MS), PAGE);
      let doneCount = 0;
      for (const [account_id, records] of byAccount(due))
        doneCount += await appendOf(account_id, records, log);
      if (doneCount > 0 && (doneCount < due.length || due.length === PAGE)) continue;
      const [first] = doneCount === due.length ? [] : due;
      return { count: due.length - doneCount, since: first && Date.parse(first.created_at), isContended };
    }
  };
}

function byAccount(due: readonly EventRecord[]): ReadonlyMap<string, readonly EventRecord[]> {
  const accounts = new Map<string, EventRecord[]>();
  for (const record of due) {
    const { account_id } = readChangeRecordId(record.id);
    accounts.set(account_id, [...(accounts.get(account_id) ?? []), record]);
  }
  return accounts;
}
