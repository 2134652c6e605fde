/** Confirms the passports in use in a loop: one long-polling request after another. */
import type { After } from '../ports/host.ts';
import type { Asking } from './asking.ts';
import type { Memory } from './memory.ts';
import { plansFor } from './plans.ts';
import type { Reader } from './reader.ts';

/** The loop that confirms passports. */
export interface Confirmation {
  /** Begins the loop, unless it already runs. The loop ends if there was no verify request for 30 s. */
  begin(): void;
  /** Ends the loop. */
  stop(): void;
}

/** The parts of the loop. */
export interface ConfirmationParts {
  readonly memory: Memory;
  readonly reader: Reader;
  readonly asking: Asking;
  readonly elapsed: () => number;
  readonly after: After;
}

const EVERY_MS = 300;
/** The milliseconds from the last verify request for an agent until the agent is no longer confirmed. */
export const UNUSED_MS = 30_000;
/** The milliseconds that the answer to a waiting request may take after the end of its wait. */
const GRACE_MS = 1_000;
/** An answer without changes counts as early if the rest of the wait is longer than this many milliseconds. */
const EARLY_MS = 100;
const RETRY_MS = 50;
const LONGEST_RETRY_MS = 1_000;

/** Creates the loop. */
export function createConfirmation(parts: ConfirmationParts): Confirmation {
  const { memory, reader, asking, elapsed, after } = parts;
  let isRunning = false;
  let isStopped = false;
  let endPause: (() => void) | undefined;

  function pause(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const cancel = after(ms, resolve);
      endPause = () => {
        cancel();
        resolve();
      };
    });
  }

  async function confirmAll(waitMs: number) {
    const sinceMs = elapsed() - UNUSED_MS;
    memory.forgetUnused(sinceMs);
    const plans = plansFor(memory, memory.inUse(sinceMs));
    if (plans.length === 0) return undefined;
    const results = await Promise.all(plans.map((plan) => reader.confirm(plan, waitMs, waitMs + GRACE_MS)));
    return {
      hasNews: results.some(({ hasNews }) => hasNews),
      roundTripMs: Math.max(...results.map(({ roundTripMs }) => roundTripMs)),
    };
  }

  const mayGoOn = (): boolean => !isStopped && asking.reason() === null && memory.size() > 0;

  async function run(): Promise<void> {
    let roundTripMs = 0;
    let failures = 0;
    let wasEarly = false;
    while (mayGoOn()) {
      const beganAt = elapsed();
      try {
        const result = await confirmAll(Math.max(0, Math.floor(EVERY_MS - roundTripMs)));
        failures = 0;
        roundTripMs = result?.roundTripMs ?? 0;
        const restMs = result?.hasNews === true ? 0 : EVERY_MS - (elapsed() - beganAt);
        const isEarly = restMs > EARLY_MS;
        // One early answer may follow a notice that changed nothing here; a node that stops gives nothing else.
        if (restMs > 0 && (!isEarly || wasEarly) && !isStopped) await pause(restMs);
        wasEarly = isEarly;
      } catch {
        // Its questions show it.
        if (mayGoOn()) await pause(Math.min(RETRY_MS * 2 ** failures, LONGEST_RETRY_MS));
        failures += 1;
      }
    }
  }

  return {
    begin() {
      if (isRunning || isStopped) return;
      isRunning = true;
      void run().finally(() => {
        isRunning = false;
      });
    },
    stop() {
      isStopped = true;
      endPause?.();
    },
  };
}
