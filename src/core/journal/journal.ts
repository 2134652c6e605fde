/** Stores verdict records in blocks after `verify` has answered, and counts dropped records. */

import { IdentityError, overloaded } from '../../errors.ts';
import type { OutcomeReport } from '../../journal-format/index.ts';
import { type Block, MAX_FLUSHED_BLOCKS } from '../../ports/journal.ts';
import type { ServiceFigures } from '../../ports/metrics.ts';
import type { VerdictRecord } from '../../records.ts';
import type { JournalMode } from '../options.ts';
import { createSightings } from '../passports/list-passports.ts';
import type { Context } from '../shared/context.ts';
import { latencyBucket } from './latency.ts';
import { createMaintenance, type Maintenance } from './merge/maintenance.ts';
import { createDrains, createIntake } from './write/drains.ts';
import { createFiling } from './write/filing.ts';
import { createLanes, type Lanes } from './write/lanes.ts';
import { createJournalReports } from './write/reports.ts';
import { sizeOf } from './write/sealed-queue.ts';
import { type SentBlock, storeSent } from './write/store-sent.ts';

/** Stores verdict records and reports of outcomes. */
export interface Journal {
  /**
   * Takes a record and returns `undefined`. With `strict`, returns a promise that rejects if the record is not stored.
   */
  file(record: VerdictRecord, account_id: string, latencyUs: number): Promise<void> | undefined;
  /** Takes reports of outcomes for an account. Resolves at once, or with `strict` when the reports are stored. */
  fileOutcomes(reports: readonly OutcomeReport[], account_id: string): Promise<void>;
  /**
   * Stores a block that another process has packed, once for each writer and number. This node merges the block like
   * its own blocks.
   */
  fileSent(sentBlock: SentBlock): Promise<'filed' | 'known'>;
  /** Stores the records and reports that an account has filed so far; resolves to `false` if the storage fails. */
  settle(account_id: string): Promise<boolean>;
  /** Says whether this process merges the blocks of a writer. */
  isOurs: Maintenance['isOurs'];
  /** Returns the number of waiting records and of dropped records. */
  figures(): ServiceFigures['journal'];
  /** Stops the timers and stores the waiting records. Records that the storage does not accept are lost. */
  close(): Promise<void>;
}

const CLOSE_MS = 2_000;
const CLOSE_RETRY_MS = 100;

export function createJournal(
  context: Pick<Context, 'store' | 'clock' | 'random' | 'decisionIds' | 'logState' | 'after' | 'log'>,
  mode: JournalMode,
): Journal {
  const isStrict = mode === 'strict';
  const reports = createJournalReports(context.log);
  const lanes = createLanes(MAX_FLUSHED_BLOCKS, { onDrop: reports.drop, lost: tooMany });
  const intake = createIntake(lanes, context.decisionIds);
  const maintenance = createMaintenance(context);
  const sightings = createSightings(context);
  const onStored = (blocks: readonly Block[]): void => {
    maintenance.note(blocks);
    sightings.note(blocks);
  };
  const filing = createFiling(context, { lanes, reports, isStrict, onStored });
  const drains = createDrains({ filing, intake, lanes, reports, isStrict });
  let isClosed = false;

  function seal(account_id?: string): number {
    intake.empty();
    return lanes.seal(account_id);
  }

  const waiting = (): number => intake.length() + lanes.records() + filing.records();
  const drain = (isSealed: boolean): void => (isSealed && !reports.isOut() ? drains.soon() : drains.later());

  return {
    file(record, account_id, latencyUs) {
      if (isClosed) return Promise.reject(closedError());
      const bucket = latencyBucket(latencyUs);
      if (isStrict) {
        return new Promise((resolve, reject) => {
          const id = context.decisionIds.partsOf(record.decision_id);
          lanes.push(record, account_id, bucket, id, { resolve, reject });
          drains.soon();
        });
      }
      drain(intake.push(record, account_id, bucket));
      return undefined;
    },
    async fileOutcomes(outcomes, account_id) {
      if (isClosed) throw closedError();
      if (isStrict) {
        const storePromises = pushAwaited(lanes, outcomes, account_id);
        drains.soon();
        await Promise.all(storePromises);
        return;
      }
      drain(outcomes.map((report) => lanes.pushOutcome(report, account_id)).includes(true));
    },
    async fileSent(sentBlock) {
      if (isClosed) throw closedError();
      return storeSent(context, sentBlock, onStored);
    },
    async settle(account_id) {
      const last = seal(account_id);
      // A flush that began before this call may have failed in an outage that is over.
      let mayFail = filing.isUnderWay();
      while (filing.isWaiting(account_id, last)) {
        if (!(await filing.fileOnce()) && !mayFail) {
          drains.later();
          return false;
        }
        mayFail = false;
      }
      return true;
    },
    isOurs: maintenance.isOurs,
    figures: () => ({ queue: waiting(), dropped: reports.dropped() }),
    async close() {
      drains.stop();
      const end = performance.now() + CLOSE_MS;
      seal();
      while (filing.hasBlocks() && ((await filing.fileOnce()) || performance.now() < end)) {
        if (reports.isOut()) await pause(CLOSE_RETRY_MS);
        intake.empty();
        // A storage that refuses a block may also refuse the block that records the loss, and so on without end.
        if (!filing.hasRefused() || lanes.records() > 0) lanes.seal();
      }
      isClosed = true;
      intake.empty();
      await maintenance.close();
      await sightings.close();
      const lostBlocks = filing.takeAll();
      for (const waiter of lostBlocks.flatMap(({ waiters }) => waiters)) waiter.reject(closedError());
      reports.close(lostBlocks.reduce((sum, block) => sum + sizeOf(block), 0));
    },
  };
}

function pushAwaited(
  lanes: Lanes,
  outcomes: readonly OutcomeReport[],
  account_id: string,
): readonly Promise<void>[] {
  return outcomes.map(
    (report) =>
      new Promise<void>((resolve, reject) => {
        lanes.pushOutcome(report, account_id, { resolve, reject });
      }),
  );
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

function closedError(): IdentityError {
  return new IdentityError('storage_unavailable', 'The service is closed.');
}

function tooMany(): IdentityError {
  return overloaded('Too many verdicts wait for the journal. Try again.');
}
