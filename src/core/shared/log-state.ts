/**
 * Stores in a text of the storage whether the evidence log is on. Each service on the storage reads this text
 * when it starts.
 */
import { type BoundedMap, createBoundedMap } from '../../base/bounded-map.ts';
import { formatInstant } from '../../base/values/instant.ts';
import { RESOLUTION_MS } from '../../base/values/time-buckets.ts';
import type { Clock } from '../../ports/host.ts';
import type { Change, LogEvent } from '../../ports/storage.ts';
import { LOG_STATE } from '../../ports/storage.ts';
import type { Instant } from '../../records.ts';
import { changeText } from '../storage/shared-texts.ts';
import type { Store } from '../storage/store.ts';

/** The state of the evidence logs while they are on. */
export interface LogOn {
  /** The instant at which they were turned on. */
  readonly at: Instant;
  /**
   * The number of a flush for each writer of the journal. A flush writes the blocks that a writer has
   * collected. The blocks up to this flush are in the log or are older than `at`.
   */
  readonly from: Readonly<Record<string, number>>;
}

/** Reads and changes the state of the evidence logs. */
export interface LogState {
  /**
   * Lets the first read in this process turn the logs on if they are off. This call itself does not use the storage.
   */
  begin(): void;
  /** Returns the state from memory. The first call reads it from the storage. */
  read(): Promise<LogOn | undefined>;
  refresh(): Promise<LogOn | undefined>;
  /** Calls `listener` each time this process finds out that the logs were turned on. */
  onTurnedOn(listener: () => void): void;
  /** Raises the flush numbers of writers. Removes the writers for which `isKept` returns `false`. */
  advance(positions: ReadonlyMap<string, number>, isKept: (writer: string) => boolean): Promise<void>;
  /** Turns the logs off. */
  end(): Promise<void>;
  /**
   * The tree that this process stored last, for each account. A permit (a signed `ALLOW`) names the tree of
   * its account.
   */
  readonly trees: BoundedMap<string, KnownTree>;
}

/** The size and the root hash of an evidence log. */
export interface KnownTree {
  readonly origin: string;
  readonly size: number;
  /** The root hash in base64. */
  readonly root: string;
}

/** The warning of a service that cannot append to the evidence log while the logs are on. */
export const LOG_NOT_APPENDED: LogEvent = {
  level: 'warn',
  event: 'log_not_appended',
  message:
    'The evidence log is on, but this service appends nothing to it: it needs evidence() and identity({ publicUrl }) in options.capabilities. Another service appends its verdicts after this one has stopped.',
};

/** The days for which an event is kept while it is not yet in the evidence log. */
const DUE_DAYS = 366;
const LEAST_TREES = 10_000;

export function openLogState(
  plain: Store,
  clock: Clock,
): { readonly store: Store; readonly logState: LogState } {
  const logState = createLogState(plain, clock);
  return { store: withDueEvents(plain, logState), logState };
}

function createLogState(store: Pick<Store, 'get' | 'write' | 'journal'>, clock: Clock): LogState {
  let isWanted = false;
  let reading: Promise<LogOn | undefined> | undefined;
  const listeners: (() => void)[] = [];
  let wasOn = false;

  function note(log: LogOn | undefined): LogOn | undefined {
    const isTurnedOn = log !== undefined && !wasOn;
    wasOn = log !== undefined;
    if (isTurnedOn) for (const listener of listeners) listener();
    return log;
  }

  async function change(
    next: (log: LogOn | undefined) => LogOn | 'off' | undefined,
  ): Promise<LogOn | undefined> {
    const text = await changeText({ store, clock }, LOG_STATE, (text) => {
      const wantedState = next(readState(text));
      if (wantedState === undefined) return text;
      return JSON.stringify(wantedState === 'off' ? { off: formatInstant(clock.now()) } : wantedState);
    });
    return readState(text);
  }

  const readStored = async (): Promise<LogOn | undefined> =>
    readState((await store.get('shared_texts', LOG_STATE))?.text);

  async function readFirst(): Promise<LogOn | undefined> {
    const log = await readStored();
    if (log !== undefined || !isWanted) return log;
    const writers = await store.journal.writers();
    const positions = Object.fromEntries(writers.map(({ id, flushed }) => [id, flushed]));
    return change((logState) =>
      logState === undefined ? { at: formatInstant(clock.now()), from: positions } : undefined,
    );
  }

  function keep(logPromise: Promise<LogOn | undefined>): Promise<LogOn | undefined> {
    const answer = logPromise.then(note);
    reading = answer;
    answer.catch(() => {
      if (reading === answer) reading = undefined;
    });
    return answer;
  }

  return {
    trees: createBoundedMap(LEAST_TREES),
    begin() {
      isWanted = true;
    },
    read: () => reading ?? keep(readFirst()),
    async refresh() {
      if (reading === undefined) return keep(readFirst());
      // INVARIANT: not before the logs are turned on: what is read meanwhile would say that they are off.
      await reading;
      const log = note(await readStored());
      reading = Promise.resolve(log);
      return log;
    },
    onTurnedOn: (listener) => void listeners.push(listener),
    async advance(positions, isKept) {
      await change((log) => {
        if (log === undefined) return undefined;
        const raisedPositions = [...positions].filter(([writer, seq]) => seq > (log.from[writer] ?? 0));
        const entries = [...Object.entries(log.from), ...raisedPositions].filter(([writer]) =>
          isKept(writer),
        );
        const next = { at: log.at, from: Object.fromEntries(entries) };
        return JSON.stringify(next) === JSON.stringify(log) ? undefined : next;
      });
    },
    async end() {
      await keep(change((log) => (log === undefined ? undefined : 'off')));
    },
  };
}

function readState(text: string | undefined): LogOn | undefined {
  if (text === undefined) return undefined;
  const { at, from } = JSON.parse(text) as Partial<LogOn>;
  return at === undefined || from === undefined ? undefined : { at, from };
}

function withDueEvents(store: Store, state: LogState): Store {
  async function withDue(changes: readonly Change[]): Promise<readonly Change[]> {
    return (await state.read()) === undefined ? changes : changes.map(due);
  }

  return {
    ...store,
    async write(...changes) {
      return store.write(...(changes.some(isNewEvent) ? await withDue(changes) : changes));
    },
    async writeUnless(signal, ...changes) {
      return store.writeUnless(signal, ...(changes.some(isNewEvent) ? await withDue(changes) : changes));
    },
  };
}

function isNewEvent(change: Change): boolean {
  return change.op === 'insert' && change.collection === 'events';
}

function due(change: Change): Change {
  if (change.op !== 'insert' || change.collection !== 'events') return change;
  const { created_at, expires_at: usual } = change.record;
  const latest = formatInstant(Date.parse(created_at) + DUE_DAYS * RESOLUTION_MS.day);
  const expires_at = typeof usual === 'string' && usual > latest ? usual : latest;
  return { ...change, record: { ...change.record, due_at: created_at, expires_at } };
}
