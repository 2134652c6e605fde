/** Finds the changes of the accounts that have listeners: by notices, and by reading where a notice may be lost. */
import { readChangeRecordId } from '../../base/event-position.ts';
import { turn } from '../../base/turns.ts';
import type { EventRecord } from '../../ports/stored-records.ts';
import type { IdentityEvent } from '../../records/event.ts';
import type { Context } from '../shared/context.ts';
import { everyRecord, recordsBy } from '../shared/record-lists.ts';
import { createChore, oneAtATime } from '../shared/timers.ts';
import { toChangeEvent } from './event-records.ts';
import { createLiveAccounts, type LiveAccount } from './live-accounts.ts';
import { wholeEvent } from './whole-event.ts';

/** Receives what has happened. */
export type EventListener = (event: IdentityEvent) => void;

/** Hands on what happens from now on. */
export interface EventFeed {
  /** Settles when the listener gets all that is stored from then on; the function ends that. */
  join(account_id: string, listener: EventListener): Promise<() => void>;
  stop(): Promise<void>;
}

/** How often it looks without a notice. */
const EVERY_MS = 1_000;
/** How far back each look goes: clocks may differ, and a write may be late. */
export const WINDOW_MS = 10_000;
const PAGE = 100;

/** What was reported of an account lately: the ids, with their instants. */
type Reported = Map<string, number>;

/** The feed of one service. It reads nothing while it has no listener. */
export function createChangeFeed(context: Context): EventFeed {
  const accounts = createLiveAccounts<EventListener, Reported>((account_id) => {
    const state: Reported = new Map();
    return { state, ready: takeNew(context, account_id, state).then(() => undefined) };
  });
  const chore = createChore(context.after, EVERY_MS, lookAtAll);
  const lookSoon = oneAtATime(lookAtAll);
  let stopListening: (() => void) | undefined;

  /** One after the other: passports may be large. What could not be read is found again by the next look. */
  async function tell(account: LiveAccount<EventListener, Reported>, records: readonly EventRecord[]) {
    for (const [index, record] of records.entries()) {
      try {
        await turn();
        const event = await wholeEvent(context, toChangeEvent(record));
        if (event !== undefined) for (const listener of [...account.listeners]) listener(event);
      } catch (error) {
        for (const { id } of records.slice(index)) account.state.delete(id);
        throw error;
      }
    }
  }

  async function lookAtAll(): Promise<boolean> {
    for (const account of accounts.all()) {
      // What the first look finds was there before. A storage that is down is asked again in a second.
      await account.ready
        .then(() => takeNew(context, account.account_id, account.state))
        .then((found) => tell(account, found))
        .catch(() => undefined);
    }
    if (accounts.size === 0) unlisten();
    return accounts.size > 0;
  }

  async function fetch(account_id: string, id: string): Promise<void> {
    const account = accounts.get(account_id);
    if (account === undefined) return;
    await account.ready;
    if (account.state.has(id)) return;
    const record = await context.store.get('events', id);
    if (record === undefined || record.account_id !== account_id || account.state.has(id)) return;
    account.state.set(id, Date.parse(record.created_at));
    await tell(account, [record]);
  }

  function listen(): void {
    stopListening ??= context.subscribe((notice) => {
      if (accounts.size === 0) return;
      if (notice === undefined) void lookSoon.run();
      else if (notice.collection === 'events') {
        const { account_id } = readChangeRecordId(notice.id);
        // What is not found now is found by the next look.
        void fetch(account_id, notice.id).catch(() => undefined);
      }
    });
  }

  function unlisten(): void {
    stopListening?.();
    stopListening = undefined;
  }

  return {
    async join(account_id, listener) {
      listen();
      const leave = await accounts.join(account_id, listener);
      chore.ask();
      return leave;
    },
    async stop() {
      unlisten();
      await chore.stop();
      await lookSoon.settled();
    },
  };
}

/** The events that were not reported yet, the oldest first; from now on they count as reported. */
async function takeNew(
  { store, clock }: Context,
  account_id: string,
  reported: Reported,
): Promise<readonly EventRecord[]> {
  const from = clock.now() - WINDOW_MS;
  const listed: EventRecord[] = [];
  for await (const record of everyRecord(recordsBy(store, 'events', { account_id }), PAGE)) {
    if (Date.parse(record.created_at) < from) break;
    listed.push(record);
  }
  // Only now: a notice or another look may have reported some while the list was read.
  const found = listed.filter(({ id }) => !reported.has(id));
  for (const { id, created_at } of found) reported.set(id, Date.parse(created_at));
  for (const [id, ms] of reported) if (ms < from) reported.delete(id);
  return found.reverse();
}
