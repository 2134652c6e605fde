/** Sends the records of local verdicts to the service: each block once, in the order of its number. */

import type { Journal } from '../core/journal/journal.ts';
import { describeCause } from '../errors.ts';
import type { After, Clock, Logger, RandomSource } from '../ports/host.ts';
import type { Asking, Channel } from './channel.ts';
import { createWaitingRecords, type NumberedRecords, type WaitingRecords } from './waiting-records.ts';

/** Collects records and sends them. */
export interface RecordSender extends Pick<Journal, 'file'> {
  filings(): number;
  readonly waiting: Pick<WaitingRecords, 'unsent' | 'dropped'>;
  /** Sends the waiting records for at most 2 s. Later records are refused. */
  close(): Promise<void>;
}

/** The parts of a sender. */
export interface RecordSenderParts {
  readonly channel: Channel;
  readonly asking: Asking;
  readonly after: After;
  readonly clock: Clock;
  readonly random: RandomSource;
  readonly log: Logger;
  readonly timeoutMs: number;
}

/** The milliseconds for which a record waits for others that share its block. */
const COLLECT_MS = 500;
const RETRY_MS = 500;
const LONGEST_RETRY_MS = 10_000;
const CLOSE_MS = 2_000;

export function createRecordSender(parts: RecordSenderParts): RecordSender {
  const { channel, after } = parts;
  const waiting = createWaitingRecords(parts);
  let filings = 0;
  let failures = 0;
  let cancelTimer: (() => void) | undefined;
  let sending: Promise<void> | undefined;
  let isClosed = false;

  async function sendOne({ body, seq }: NumberedRecords): Promise<void> {
    const limits = { limitMs: parts.timeoutMs, isRepeatable: true };
    const answer = Object(await channel.post('/verifier/verdicts', body, limits));
    const isFiled = answer.result === 'filed' || answer.result === 'known';
    if (answer.seq !== seq || !isFiled) throw channel.notThisAnswer();
    waiting.end();
  }

  async function send(): Promise<void> {
    for (let records = waiting.current(); records !== undefined; records = waiting.current()) {
      try {
        await sendOne(records);
        failures = 0;
      } catch (error) {
        if (takeFailure(parts, waiting, error)) continue;
        failures += 1;
        return;
      }
    }
  }

  function start(): Promise<void> {
    sending ??= send().finally(() => {
      sending = undefined;
      if (!isClosed && waiting.unsent() > 0) later();
    });
    return sending;
  }

  function later(): void {
    if (cancelTimer !== undefined) return;
    const retryMs = Math.min(RETRY_MS * 2 ** Math.min(failures - 1, 10), LONGEST_RETRY_MS);
    cancelTimer = after(failures === 0 ? COLLECT_MS : retryMs, () => {
      cancelTimer = undefined;
      waiting.seal();
      void start();
    });
  }

  async function untilSent(): Promise<void> {
    await sending;
    await start();
  }

  return {
    filings: () => filings,
    waiting,
    file(record, account_id, latencyUs) {
      filings += 1;
      const isSealed = waiting.push(record, account_id, latencyUs);
      if (isSealed && failures === 0 && sending === undefined) void start();
      else later();
      return undefined;
    },
    async close() {
      isClosed = true;
      cancelTimer?.();
      waiting.seal();
      await new Promise<void>((resolve) => {
        const cancel = after(CLOSE_MS, resolve);
        void untilSent().then(cancel).then(resolve);
      });
      reportUnsent(parts, waiting.unsent());
    },
  };
}

function takeFailure({ asking, log }: RecordSenderParts, waiting: WaitingRecords, error: unknown): boolean {
  const { code } = Object(error) as { readonly code?: unknown };
  const cause = describeCause(error);
  if (code === 'invalid_request' || code === 'payload_too_large') {
    const message = `The service refuses ${waiting.refuse()} verdict records, which are dropped.`;
    log({ level: 'error', event: 'verifier_refused', message, cause });
    return true;
  }
  // An older service takes no records: then nothing is decided here.
  asking.fail(error);
  if (code !== 'unauthenticated' && code !== 'insufficient_scope') return false;
  const lostCount = waiting.lose();
  const message = `${lostCount} verdict records could not be sent: the key is no longer allowed to file them.`;
  log({ level: 'error', event: 'verifier_lost', message, lost: lostCount, cause });
  return true;
}

function reportUnsent({ log }: RecordSenderParts, lostCount: number): void {
  if (lostCount === 0) return;
  const message = `${lostCount} verdict records could not be sent before the verifier closed.`;
  log({ level: 'error', event: 'verifier_lost', message, lost: lostCount });
}
