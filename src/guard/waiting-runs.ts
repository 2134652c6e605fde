/**
 * Stores paused runs. The tool of a paused run was stopped in order to be called again. The next run of the same call
 * continues with the idempotency key of the paused run.
 */
import type { Pause } from '../base/async/pause.ts';
import type { Intent } from '../records.ts';
import type { ToolCall, Verifier } from './tool-call.ts';

export interface WaitingRuns {
  /** Stores the key of a run until the call is repeated. Returns `false` for a call that could not be found again. */
  keep(call: ToolCall, intent: Intent, run: KeptRun, pause: Pause): boolean;
  /** Returns a paused run of this call. Each run is returned only once. */
  take(call: ToolCall, intent: Intent): WaitingRun | undefined;
  has(call: ToolCall, intent: Intent): boolean;
}

export interface KeptRun {
  readonly key: string;
  readonly approval: string | undefined;
}

export interface WaitingRun extends KeptRun {
  readonly pause: Pause;
}

/**
 * The maximum number of paused runs. A further run removes the oldest run, and the amount of the removed run stays
 * spent.
 */
const MAX_WAITING = 10_000;
const MAX_NAME_LENGTH = 16_384;

/** The paused runs by verifier, because an application may create a new guard for each request. */
const allRuns = new WeakMap<Verifier, WaitingRuns>();

export function waitingRunsOf(verifier: Verifier): WaitingRuns {
  const runs = allRuns.get(verifier) ?? createWaitingRuns();
  allRuns.set(verifier, runs);
  return runs;
}

function createWaitingRuns(): WaitingRuns {
  const stoppedRuns = createNamedRuns();
  const resumable = createNamedRuns();

  return {
    keep(call, intent, run, pause) {
      const name = nameOf(pause === 'any call' ? undefined : call.id, call, intent);
      if (name === undefined) return false;
      (pause === 'resumed call' ? resumable : stoppedRuns).put(name, run);
      return true;
    },
    take(call, intent) {
      // Most calls find nothing here, and need no name.
      if (call.resumes === false || (stoppedRuns.isEmpty() && resumable.isEmpty())) return undefined;
      const name = nameOf(call.id, call, intent);
      return (
        runOf(stoppedRuns.take(name), 'same call') ??
        runOf(stoppedRuns.take(nameOf(undefined, call, intent)), 'any call') ??
        (call.resumes ? runOf(resumable.take(name), 'resumed call') : undefined)
      );
    },
    has(call, intent) {
      if (call.resumes === false || (stoppedRuns.isEmpty() && resumable.isEmpty())) return false;
      const name = nameOf(call.id, call, intent);
      const isStopped = stoppedRuns.has(name) || stoppedRuns.has(nameOf(undefined, call, intent));
      return isStopped || (call.resumes === true && resumable.has(name));
    },
  };
}

function runOf(run: KeptRun | undefined, pause: Pause): WaitingRun | undefined {
  return run === undefined ? undefined : { ...run, pause };
}

interface NamedRuns {
  put(name: string, run: KeptRun): void;
  take(name: string | undefined): KeptRun | undefined;
  has(name: string | undefined): boolean;
  isEmpty(): boolean;
}

function createNamedRuns(): NamedRuns {
  const runsByName = new Map<string, KeptRun[]>();
  let size = 0;

  function take(name: string | undefined): KeptRun | undefined {
    const runs = name === undefined ? undefined : runsByName.get(name);
    if (name === undefined || runs === undefined) return undefined;
    const run = runs.shift();
    size -= 1;
    if (runs.length === 0) runsByName.delete(name);
    return run;
  }

  return {
    take,
    has: (name) => name !== undefined && runsByName.has(name),
    put(name, run) {
      if (size >= MAX_WAITING) take(runsByName.keys().next().value);
      const runs = runsByName.get(name) ?? [];
      runs.push(run);
      runsByName.set(name, runs);
      size += 1;
    },
    isEmpty: () => size === 0,
  };
}

/** Returns a name that is the same if the call is repeated. Returns `undefined` if the call cannot be stored. */
function nameOf(id: string | undefined, { name: tool }: ToolCall, intent: Intent): string | undefined {
  try {
    const name = JSON.stringify([tool, id, { ...intent, proof: undefined }]);
    return name.length > MAX_NAME_LENGTH ? undefined : name;
  } catch {
    return undefined;
  }
}
