import { formatInstant } from '../../base/values/instant.ts';
import { IdentityError } from '../../errors.ts';
import type { LogPending } from '../../ports/metrics.ts';
import type { LogEvent } from '../../ports/storage.ts';
import type { Journal } from '../journal/journal.ts';
import { type Context, now } from '../shared/context.ts';
import type { OpenSigning } from '../signing/signing.ts';
import type { PublicPlaces } from '../storage/public-reads.ts';
import { insert, replace, untilWritten } from '../storage/store.ts';
import type { AppendParts } from './append.ts';
import { type Appender, createAppender } from './appender.ts';
import type { LogHeadRecord } from './collections.ts';
import { createEvidence, createPublicLogs, type PublicLogs } from './evidence.ts';
import { createGrowth, newHead } from './grow.ts';
import { rootIn } from './head.ts';
import { createReceipts, type ReadReceipt } from './receipts.ts';

/** The parts that the logs use. */
export interface OpenEvidenceParts {
  readonly journal: Pick<Journal, 'isOurs' | 'settle'>;
  readonly signing: Pick<OpenSigning, 'logSigner'>;
  readonly places: PublicPlaces;
}

/** The logs of a service. Its methods `end` and `restart` are for operators: the caller is not checked. */
export interface Logs extends PublicLogs {
  /** Appends what waits for its leaf, and turns the logs off for every service on the storage. */
  end(): Promise<void>;
  /**
   * Ends the log of an account at its size, and begins another, whose first entry names it: for a storage that was
   * restored from a copy, which has lost leaves that others have seen. Returns the id of the new log.
   */
  restart(accountId: string): Promise<string>;
}

/** The logs, with what the service itself needs. */
export interface OpenEvidence {
  /** The methods of an account. */
  readonly room: ReturnType<typeof createEvidence>;
  readonly logs: Logs;
  readonly receipt: ReadReceipt;
  /** Returns what this node knows to wait for its leaf; `undefined` while it appends nothing. */
  pending(): LogPending | undefined;
  /** Rejects with `invalid_configuration` if no key signs checkpoints. */
  ready(): Promise<unknown>;
  close(): Promise<void>;
}

const NOT_APPENDED: LogEvent = {
  level: 'warn',
  event: 'log_not_appended',
  message:
    'The evidence log is on, but this service appends nothing to it: it needs identity.publicUrl and a signing key. Another service appends its verdicts after this one has stopped.',
};

/**
 * Opens the logs. A service with a public URL appends while the storage says that the logs are on, whatever its
 * options say; without one it warns. The maintenance of the journal reads the state again, at least once a minute.
 */
export function openEvidence(
  context: Context,
  isWanted: boolean,
  { journal, signing: { logSigner }, places }: OpenEvidenceParts,
): OpenEvidence {
  const { publicUrl, logState, log } = context;
  const parts = logSigner && publicUrl !== undefined ? { keys: logSigner, publicUrl } : undefined;
  if (parts === undefined) logState.onTurnedOn(() => log(NOT_APPENDED));
  const appender: Appender | undefined =
    parts === undefined ? undefined : createAppender(context, { ...parts, isWanted, isOurs: journal.isOurs });
  return {
    room: createEvidence(context, logSigner),
    receipt: createReceipts(context, journal),
    logs: {
      ...createPublicLogs(context, places),
      async end() {
        // The writers of other nodes too: no node appends after this.
        const last = createAppender(context, {
          ...demanded(parts),
          ...{ isOurs: () => true, isOnce: true, isWanted: true },
        });
        await last.flush();
        await logState.end();
      },
      restart: async (accountId) => createRestart(context, demanded(parts))(accountId),
    },
    pending: () =>
      appender?.isOn() || isWanted ? appender && pendingOf(appender, context.clock.now()) : undefined,
    ready: async () => ((isWanted && appender) || appender?.isOn() ? logSigner?.() : undefined),
    close: async () => appender?.close(),
  };
}

function demanded(parts: AppendParts | undefined): AppendParts {
  if (parts !== undefined) return parts;
  const message = 'A log needs options.identity with publicUrl: its keys sign, and its name is its address.';
  throw new IdentityError('invalid_configuration', message);
}

function pendingOf(appender: Appender, now: number): LogPending {
  const { count, since } = appender.pending();
  return { count, oldestSeconds: since === undefined ? 0 : Math.max(0, (now - since) / 1_000) };
}

/** Makes the function that restarts the log of an account; it returns the id of the new one. */
function createRestart(
  context: Context,
  { keys, publicUrl }: AppendParts,
): (account_id: string) => Promise<string> {
  const { store, logState } = context;
  const grow = createGrowth(context, keys);

  return async (account_id) => {
    const on = await logState.refresh();
    if (on === undefined) throw noLog();
    return untilWritten(async () => {
      const head = await store.get('log_heads', account_id);
      const first = head && (await store.get('log_heads', head.log_id));
      if (head === undefined || first === undefined) throw noLog();
      const { origin, size, positions, version } = head;
      // Entries are listed by time: those of the new log come after all others.
      const appended_at = formatInstant(Math.max(context.clock.now(), Date.parse(head.appended_at) + 1));
      const begun = { version, positions, begun_at: on.at, appended_at, created_at: head.created_at };
      const made = newHead(context, { account_id, publicUrl, on });
      // The address of the service may have changed: the new log stands beside the one before.
      const place = origin.slice(0, origin.lastIndexOf('/') + 1);
      const fresh = { ...made, ...begun, origin: `${place}${made.log_id}` };
      const previous = { origin, size, root: rootIn(head) };
      const leaf = { content: { kind: 'begin', at: on.at, previous }, subject: 'begin' } as const;
      const grown = await grow(fresh, on, [leaf]);
      if (grown === undefined) throw noLog();
      const { next, changes } = grown;
      const ended: LogHeadRecord = {
        ...head,
        id: head.log_id,
        version: first.version + 1,
        ended_at: now(context),
      };
      const { written } = await store.write(
        replace('log_heads', next, version),
        replace('log_heads', ended, first.version),
        insert('log_heads', { ...next, id: next.log_id, version: 1, created_at: appended_at }),
        ...changes,
      );
      return written ? next.log_id : undefined;
    });
  };
}

function noLog(): IdentityError {
  return new IdentityError('not_found', 'There is no such log.');
}
