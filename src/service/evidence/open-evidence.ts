/** The logs of the accounts of one service. */
import { IdentityError } from '../../errors.ts';
import type { LogPending } from '../../ports/metrics.ts';
import type { LogEvent } from '../../ports/storage.ts';
import type { Journal } from '../journal/journal.ts';
import type { Context } from '../shared/context.ts';
import type { OpenSigning } from '../signing/signing.ts';
import type { PublicPlaces } from '../storage/public-places.ts';
import type { AppendParts } from './append.ts';
import { type Appender, createAppender } from './appender.ts';
import { createEvidence, createPublicLogs, type PublicLogs } from './evidence.ts';
import { createReceipts, type ReadReceipt } from './receipts.ts';
import { createRestart } from './restart.ts';

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

/** The line of a service that appends nothing to logs that are on. */
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
