import { readFileSync } from 'node:fs';
import { cpus, loadavg } from 'node:os';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as wait } from 'node:timers/promises';
import type { Measured } from './measure.ts';

export interface Quiet {
  readonly load: number;
  /** The p99 of the delay of an idle event loop, in milliseconds. */
  readonly idleDelayMs: number;
  readonly stolen: number;
  readonly all: number;
}

const IDLE_MS = 250;
const RESOLUTION_MS = 5;
const MAX_IDLE_DELAY_MS = 5;
const MAX_STOLEN = 0.01;
/** The maximum difference between the slowest and the fastest second, as a share of the median. */
const MAX_SPREAD = 0.25;
/** The maximum share of the p99 that may come from late sending by this tool. */
const MAX_LATE = 0.5;

export async function watchIdle(): Promise<Quiet> {
  const delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  delay.enable();
  await wait(IDLE_MS);
  delay.disable();
  const idleDelayMs = Math.max(0, delay.percentile(99) / 1e6 - RESOLUTION_MS);
  return { load: loadavg()[0] ?? 0, idleDelayMs, ...readJiffies() };
}

/** Returns the reasons why the figures are unreliable, one sentence each. The list is empty on a quiet machine. */
export function doubts(
  quietBefore: Quiet,
  { perSecond, late, latency }: Pick<Measured, 'perSecond' | 'late' | 'latency'>,
): readonly string[] {
  const { stolen, all } = readJiffies();
  const share = (stolen - quietBefore.stolen) / Math.max(1, all - quietBefore.all);
  const sortedCounts = perSecond.toSorted((a, b) => a - b);
  const middle = sortedCounts[Math.floor(sortedCounts.length / 2)] ?? 0;
  const spread = ((sortedCounts.at(-1) ?? 0) - (sortedCounts[0] ?? 0)) / Math.max(1, middle);
  const lateNs = late?.percentile(99) ?? 0;
  return [
    ...(quietBefore.load > cpus().length / 2
      ? [
          `The machine was busy before it began: load ${quietBefore.load.toFixed(1)} on ${cpus().length} cores.`,
        ]
      : []),
    ...(quietBefore.idleDelayMs > MAX_IDLE_DELAY_MS
      ? [`With nothing to do, this process was ${quietBefore.idleDelayMs.toFixed(0)} ms late.`]
      : []),
    ...(share > MAX_STOLEN ? [`The hypervisor took ${(share * 100).toFixed(1)} % of the time.`] : []),
    ...(spread > MAX_SPREAD
      ? [`The slowest and the fastest second differ by ${(spread * 100).toFixed(0)} %.`]
      : []),
    ...(lateNs > latency.percentile(99) * MAX_LATE
      ? [`One question in a hundred was asked ${(lateNs / 1e6).toFixed(1)} ms late by this tool itself.`]
      : []),
  ];
}

/** Reads the time of all processors since the machine started; zeros if there is no /proc. */
function readJiffies(): { readonly stolen: number; readonly all: number } {
  try {
    const [line = ''] = readFileSync('/proc/stat', 'utf8').split('\n', 1);
    const jiffies = line.trim().split(/\s+/).slice(1, 9).map(Number);
    return { stolen: jiffies[7] ?? 0, all: jiffies.reduce((sum, jiffy) => sum + jiffy, 0) };
  } catch {
    return { stolen: 0, all: 0 };
  }
}
