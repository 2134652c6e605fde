/** When sealed blocks are filed: never within the call that filed a record. */
import { afterArrivals } from '../../../base/async/watch.ts';
import type { Filing } from './filing.ts';
import type { Intake } from './intake.ts';
import type { Lanes } from './lanes.ts';
import type { JournalReports } from './reports.ts';

/** Starts the filing of what waits. */
export interface Drains {
  /** Files in the next turn of the event loop. */
  soon(): void;
  /** Seals and files what waits when its time has come, or when the storage is tried again. */
  later(): void;
  /** Starts nothing any more. */
  stop(): void;
}

/** What is filed, and by what. */
export interface DrainParts {
  readonly filing: Filing;
  readonly intake: Intake;
  readonly lanes: Lanes;
  readonly reports: JournalReports;
  readonly isStrict: boolean;
}

/** How long a record waits for others that share its block. */
const INTERVAL_MS = 200;
const RETRY_MS = 1_000;

/** The drains of one journal. */
export function createDrains({ filing, intake, lanes, reports, isStrict }: DrainParts): Drains {
  let isDraining = false;
  let isDue = false;
  let isStopped = false;
  let timer: ReturnType<typeof setTimeout> | undefined;

  /** Files all that is sealed, until the storage fails. Only one such walk is under way. */
  async function drain(): Promise<void> {
    if (isDraining) return;
    isDraining = true;
    while (filing.hasBlocks) {
      if (!(await filing.fileOnce()) && !isStrict) break;
      if (isStrict) lanes.seal();
    }
    isDraining = false;
    if (filing.hasBlocks || !lanes.isEmpty) later();
  }

  function later(): void {
    if (isStopped || timer !== undefined) return;
    const end = (): void => {
      timer = undefined;
      intake.empty();
      lanes.seal();
      void drain();
    };
    timer = setTimeout(end, reports.isOut ? RETRY_MS : INTERVAL_MS);
    // A process that has nothing else to do ends when its records are stored, or cannot be.
    if (reports.isOut) (timer as { unref?: () => void }).unref?.();
  }

  return {
    soon() {
      if (isDraining || isDue) return;
      isDue = true;
      afterArrivals(() => {
        isDue = false;
        // With `strict` the callers of one turn of the event loop share a block.
        if (isStrict) lanes.seal();
        void drain();
      });
    },
    later,
    stop() {
      isStopped = true;
      clearTimeout(timer);
    },
  };
}
