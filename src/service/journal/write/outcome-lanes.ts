/** Collects the reports of outcomes of each account until they are sealed. */
import { storableText } from '../../../base/bytes/flatten-string.ts';
import { MAX_REPORTS, type OutcomeReport, packOutcomes, type SealedBlock } from '../../../blocks/index.ts';
import type { Waiter } from './waiter.ts';

/** A sealed block of reports. */
export interface SealedOutcomes {
  readonly account_id: string;
  readonly block: SealedBlock;
  readonly reports: number;
  readonly waiters: readonly Waiter[];
}

/** The reports of all accounts that are in no sealed block yet. */
export interface OutcomeLanes {
  /** The number of reports. */
  readonly length: number;
  /** Adds a report; returns `true` if the account now has as many as a block holds. */
  push(report: OutcomeReport, account_id: string, waiter?: Waiter): boolean;
  /** Removes the reports of one account or of all, and returns them in blocks. */
  seal(account_id?: string): readonly SealedOutcomes[];
}

interface WaitingReport extends OutcomeReport {
  readonly waiter: Waiter | undefined;
}

/** Creates empty lanes. */
export function createOutcomeLanes(): OutcomeLanes {
  const lanes = new Map<string, WaitingReport[]>();
  let length = 0;

  function sealOne(account_id: string, reports: readonly WaitingReport[]): readonly SealedOutcomes[] {
    lanes.delete(account_id);
    length -= reports.length;
    return packOutcomes(reports).map((packed) => ({
      account_id,
      block: packed.block,
      reports: packed.reports.length,
      waiters: packed.reports.flatMap(({ waiter }) => (waiter === undefined ? [] : [waiter])),
    }));
  }

  return {
    get length() {
      return length;
    },
    push(report, name, waiter) {
      const account_id = storableText(name);
      const reports = lanes.get(account_id) ?? [];
      if (reports.push({ waiter, ...report }) === 1) lanes.set(account_id, reports);
      length += 1;
      return reports.length >= MAX_REPORTS;
    },
    seal(account_id) {
      const chosen = [...lanes].filter(([name]) => account_id === undefined || name === account_id);
      return chosen.flatMap(([name, reports]) => sealOne(name, reports));
    },
  };
}
