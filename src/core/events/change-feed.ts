/** Finds the changes of the accounts that have listeners. It uses notices, and polling because a notice may be lost. */

import { turn } from '../../base/async/turns.ts';
import { readChangeRecordId } from '../../base/bytes/event-position.ts';
import type { IdentityEvent } from '../../records/event.ts';
import type { Context } from '../shared/context.ts';
import { everyRecord, recordsBy } from '../shared/record-lists.ts';
import { createChore, oneAtATime } from '../shared/timers.ts';
import { toChangeEvent } from './event-records.ts';
import { wholeEvent } from './whole-event.ts';

export type EventListener = (event: IdentityEvent) => void;

/** Passes new events to listeners. */
export interface EventFeed {
  /**
   * Adds a listener. Settles when the listener is sure to get all events that are stored from then on. The returned
   * function removes the listener.
   */
  join(account_id: string, listener: EventListener): Promise<() => void>;
  stop(): Promise<void>;
}

const EVERY_MS = 1_000;
/** The period that each poll reads again, because clocks may differ and a write may be late. */
export const WINDOW_MS = 10_000;
const PAGE = 100;
/** The maximum number of notices that wait for their records. The next poll finds further records. */
const MAX_NOTICED = 1_000;

type Reported = Map<string, number>;

interface Known {
  readonly reported: Reported;
  /**
   * The ids of records to read one after the other, so that many large records are never in memory at the same time.
   */
  readonly noticed: Set<string>;
}

type Account = LiveAccount<EventListener, Known>;

/** Creates the feed of changes. The feed reads nothing while it has no listener. */
export function createChangeFeed(
  context: Pick<Context, 'store' | 'clock' | 'publicUrl' | 'subscribe' | 'after'>,
): EventFeed {
  const accounts = createLiveAccounts<EventListener, Known>((account_id) => {
    const reportedIds: Reported = new Map();
    // The first poll finds what was there before: it is not reported.
    const ready = takeNew(context, account_id, reportedIds).then(() => undefined);
    return { state: { reported: reportedIds, noticed: new Set() }, ready };
  });
  const chore = createChore(context.after, EVERY_MS, lookAtAll);
  const lookSoon = oneAtATime(lookAtAll);
  let stopListening: (() => void) | undefined;

  async function lookAtAll(): Promise<boolean> {
    // A storage that is down is polled again in a second.
    for (const account of accounts.all()) await lookAt(context, account).catch(() => undefined);
    if (accounts.size === 0) unlisten();
    return accounts.size > 0;
  }

  function notice(account_id: string, id: string): void {
    const account = accounts.get(account_id);
    if (account === undefined || account.state.noticed.size >= MAX_NOTICED) return;
    const { noticed } = account.state;
    noticed.add(id);
    if (noticed.size > 1) return;
    void tellNoticed(context, account).catch(() => noticed.clear());
  }

  function listen(): void {
    stopListening ??= context.subscribe((change) => {
      if (accounts.size === 0) return;
      if (change === undefined) void lookSoon.run();
      else if (change.collection === 'events' && change.version === 1) {
        notice(readChangeRecordId(change.id).account_id, change.id);
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

async function tell(
  context: Pick<Context, 'store' | 'publicUrl'>,
  { account_id, listeners }: Account,
  id: string,
): Promise<boolean> {
  await turn();
  const record = await context.store.get('events', id);
  if (record?.account_id !== account_id) return false;
  const event = await wholeEvent(context, toChangeEvent(record));
  if (event !== undefined) for (const listener of [...listeners]) listener(event);
  return true;
}

async function lookAt(
  context: Pick<Context, 'store' | 'clock' | 'publicUrl'>,
  account: Account,
): Promise<void> {
  const { reported } = account.state;
  await account.ready;
  const newIds = await takeNew(context, account.account_id, reported);
  for (const [index, id] of newIds.entries()) {
    try {
      await tell(context, account, id);
    } catch (error) {
      // The next poll finds these events again.
      for (const missedId of newIds.slice(index)) reported.delete(missedId);
      throw error;
    }
  }
}

async function tellNoticed(
  context: Pick<Context, 'store' | 'clock' | 'publicUrl'>,
  account: Account,
): Promise<void> {
  const { noticed, reported } = account.state;
  await account.ready;
  for (const id of noticed) {
    if (!reported.has(id)) {
      reported.set(id, context.clock.now());
      const isTold = await tell(context, account, id).catch(() => false);
      // The next poll finds a record that is not there yet.
      if (!isTold) reported.delete(id);
    }
    noticed.delete(id);
  }
}

async function takeNew(
  { store, clock }: Pick<Context, 'store' | 'clock'>,
  account_id: string,
  reportedIds: Reported,
): Promise<readonly string[]> {
  const start = clock.now() - WINDOW_MS;
  const listedVerdicts: { readonly id: string; readonly ms: number }[] = [];
  for await (const { id, created_at } of everyRecord(recordsBy(store, 'events', { account_id }), PAGE)) {
    const ms = Date.parse(created_at);
    if (ms < start) break;
    listedVerdicts.push({ id, ms });
  }
  // Read now, because a notice or another poll may have reported some of them while the list was read.
  const foundVerdicts = listedVerdicts.filter(({ id }) => !reportedIds.has(id));
  for (const { id, ms } of foundVerdicts) reportedIds.set(id, ms);
  for (const [id, ms] of reportedIds) if (ms < start) reportedIds.delete(id);
  return foundVerdicts.map(({ id }) => id).reverse();
}

interface LiveAccount<Listener, State> {
  readonly account_id: string;
  readonly listeners: Set<Listener>;
  readonly state: State;
  /** Settles after the first read. Everything that is stored from then on is passed on. */
  readonly ready: Promise<void>;
}

interface LiveAccounts<Listener, State> {
  readonly size: number;
  get(account_id: string): LiveAccount<Listener, State> | undefined;
  all(): readonly LiveAccount<Listener, State>[];
  /**
   * Adds a listener. Settles when the listener gets every event from then on. The returned function removes the
   * listener.
   */
  join(account_id: string, listener: Listener): Promise<() => void>;
}

/** Creates an empty set of accounts with listeners. `begin` reads an account for the first time. */
export function createLiveAccounts<Listener, State>(
  begin: (account_id: string) => { readonly state: State; readonly ready: Promise<void> },
): LiveAccounts<Listener, State> {
  const accounts = new Map<string, LiveAccount<Listener, State>>();

  function leave(account: LiveAccount<Listener, State>, listener: Listener): void {
    account.listeners.delete(listener);
    if (account.listeners.size === 0 && accounts.get(account.account_id) === account)
      accounts.delete(account.account_id);
  }

  return {
    get size() {
      return accounts.size;
    },
    get: (account_id) => accounts.get(account_id),
    all: () => [...accounts.values()],
    async join(account_id, listener) {
      const account = accounts.get(account_id) ?? {
        account_id,
        listeners: new Set<Listener>(),
        ...begin(account_id),
      };
      accounts.set(account_id, account);
      account.listeners.add(listener);
      try {
        await account.ready;
      } catch (error) {
        leave(account, listener);
        throw error;
      }
      return () => leave(account, listener);
    },
  };
}
