/** Collects the reported outcomes of each account until they are sealed into blocks. */

import { steadyNow } from '../../../base/async/watch.ts';
import { createBoundedMap } from '../../../base/bounded-map.ts';
import { storableText } from '../../../base/bytes/flatten-string.ts';
import { RESOLUTION_MS } from '../../../base/values/time-buckets.ts';
import {
  MAX_REPORTS,
  type OutcomeReport,
  packOutcomes,
  type SealedBlock,
} from '../../../journal-format/index.ts';

/** A sealed block of reports. */
export interface SealedOutcomes {
  readonly account_id: string;
  readonly block: SealedBlock;
  readonly reports: number;
  readonly waiters: readonly Waiter[];
}

/**
 * The reports of all accounts that are not in a sealed block yet. A block has reports on verdicts of one hour, so an
 * account with many different hours fills many small blocks. Their number is limited. Further reports wait, and the
 * hour that has waited longest is sealed first.
 */
export interface OutcomeLanes {
  length(): number;
  /**
   * Adds a report. Returns `full` if the account now has a full block. Returns `lost`, without adding the report, if
   * too many reports of the account wait.
   */
  push(report: OutcomeReport, account_id: string, waiter?: Waiter): 'added' | 'full' | 'lost';
  /** Removes the reports of one account or of all accounts, and returns them in blocks. Reports that must wait stay. */
  sealDue(account_id?: string): readonly SealedOutcomes[];
  /** Removes all reports, and returns them in blocks. */
  sealAll(): readonly SealedOutcomes[];
}

interface WaitingReport extends OutcomeReport {
  readonly waiter: Waiter | undefined;
}

interface Lane {
  /** The waiting reports by the hour of their verdict. The hour with the first report comes first. */
  readonly hours: Map<number, WaitingReport[]>;
  length: number;
  hasWaiters: boolean;
}

/** The number of reports from which a block no longer counts as small. */
const MANY = 256;
/**
 * The number of small blocks that an account may fill at once. After that, it may fill `BLOCKS_PER_S` in each second.
 */
const BURST = 512;
const BLOCKS_PER_S = 16;
const MAX_WAITING = 4 * MAX_REPORTS;
const MAX_ACCOUNTS = 4_096;

/** Creates empty lanes. */
export function createOutcomeLanes(): OutcomeLanes {
  const lanes = new Map<string, Lane>();
  const takeSmallBlock = createAllowance();
  let length = 0;

  function sealOne(account_id: string, lane: Lane, isAll: boolean): readonly SealedOutcomes[] {
    const due: WaitingReport[] = [];
    for (const [hour, reports] of lane.hours) {
      if (!isAll && !lane.hasWaiters && reports.length < MANY && !takeSmallBlock(account_id)) continue;
      lane.hours.delete(hour);
      due.push(...reports);
    }
    lane.length -= due.length;
    length -= due.length;
    if (lane.length === 0) lanes.delete(account_id);
    return packOutcomes(due).map((packedOutcomes) => ({
      account_id,
      block: packedOutcomes.block,
      reports: packedOutcomes.reports.length,
      waiters: packedOutcomes.reports.flatMap(({ waiter }) => (waiter === undefined ? [] : [waiter])),
    }));
  }

  return {
    length: () => length,
    push(report, name, waiter) {
      const account_id = storableText(name);
      const lane = lanes.get(account_id) ?? { hours: new Map(), length: 0, hasWaiters: false };
      if (lane.length >= MAX_WAITING && waiter === undefined) return 'lost';
      lanes.set(account_id, lane);
      const hour = Math.floor(report.evaluated_ms / RESOLUTION_MS.hour);
      const reports = lane.hours.get(hour) ?? [];
      lane.hours.set(hour, reports);
      reports.push({ waiter, ...report });
      lane.hasWaiters ||= waiter !== undefined;
      lane.length += 1;
      length += 1;
      return reports.length >= MAX_REPORTS ? 'full' : 'added';
    },
    sealDue(account_id) {
      const chosenLanes = [...lanes].filter(([name]) => account_id === undefined || name === account_id);
      return chosenLanes.flatMap(([name, lane]) => sealOne(name, lane, false));
    },
    sealAll: () => [...lanes].flatMap(([name, lane]) => sealOne(name, lane, true)),
  };
}

function createAllowance(): (account_id: string) => boolean {
  const countedMap = createBoundedMap<string, { readonly left: number; readonly at: number }>(MAX_ACCOUNTS);
  return (account_id) => {
    const now = steadyNow();
    const { left, at } = countedMap.get(account_id) ?? { left: BURST, at: now };
    const present = Math.min(BURST, left + ((now - at) / 1_000) * BLOCKS_PER_S);
    if (present < 1) return false;
    countedMap.set(account_id, { left: present - 1, at: now });
    return true;
  };
}

/**
 * The callbacks for the storage result of a record. Each record of a strict journal has one, other records have none.
 */
export interface Waiter {
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}
