/** The logs of the accounts of one service. */
import { IdentityError } from '../../errors.ts';
import type { LogPending } from '../../ports/metrics.ts';
import type { Journal } from '../journal/journal.ts';
import type { Context } from '../shared/context.ts';
import type { OpenSigning } from '../signing/signing.ts';
import type { PublicPlaces } from '../storage/public-places.ts';
import type { AppendParts } from './append.ts';
import { type Appender, createAppender } from './appender.ts';
import { createEvidence, createPublicLogs, type Evidence, type PublicLogs } from './evidence.ts';
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
  /** The rooms that the methods of an account have besides others. */
  readonly rooms: { readonly evidence: Evidence };
  readonly logs: Logs;
  readonly receipt: ReadReceipt;
  /** Returns what this node knows to wait for its leaf; `undefined` while it appends nothing. */
  pending(): LogPending | undefined;
  /** Rejects with `invalid_configuration` if no key signs checkpoints. */
  ready(): Promise<unknown>;
  close(): Promise<void>;
}

/**
 * Opens the logs. A service with a public URL appends while the storage says that the logs are on, whatever its
 * options say; where they are off, it reads that once.
 */
export function openEvidence(
  context: Context,
  isWanted: boolean,
  { journal, signing: { logSigner }, places }: OpenEvidenceParts,
): OpenEvidence {
  const { publicUrl } = context;
  const parts = logSigner && publicUrl !== undefined ? { keys: logSigner, publicUrl } : undefined;
  const appender: Appender | undefined =
    parts === undefined ? undefined : createAppender(context, { ...parts, isWanted, isOurs: journal.isOurs });
  return {
    rooms: { evidence: createEvidence(context, logSigner) },
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
        await context.logState.end();
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
