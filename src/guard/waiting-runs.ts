/** Runs whose tool was stopped in order to be called again: the next run of the same call continues under their key. */
import type { Pause } from '../base/async/pause.ts';
import type { Intent } from '../records.ts';
import type { ToolCall, Verifier } from './tool-call.ts';

/** The runs that wait. */
export interface WaitingRuns {
  /** Keeps the key of a run until the call comes again. Returns `false` for a call that cannot be found again. */
  keep(call: ToolCall, intent: Intent, key: string, pause: Pause): boolean;
  /** Returns a run that waits for this call. Each run is returned once. */
  take(call: ToolCall, intent: Intent): WaitingRun | undefined;
}

/** A run that waits. */
export interface WaitingRun {
  readonly key: string;
  /** The calls that continue it. */
  readonly pause: Pause;
}

/** The most runs that may wait. One more drops the oldest, whose amount stays spent. */
const MAX_WAITING = 10_000;
const MAX_NAME_LENGTH = 16_384;

/** By the verifier, because a host may make its guard again for each request. */
const all = new WeakMap<Verifier, WaitingRuns>();

/** Returns the runs that wait for calls judged by this verifier. */
export function waitingRunsOf(verifier: Verifier): WaitingRuns {
  const found = all.get(verifier) ?? createWaitingRuns();
  all.set(verifier, found);
  return found;
}

function createWaitingRuns(): WaitingRuns {
  const stopped = createNamedKeys();
  const resumable = createNamedKeys();

  return {
    keep(call, intent, key, pause) {
      const name = nameOf(pause === 'any call' ? undefined : call.id, call, intent);
      if (name === undefined) return false;
      (pause === 'resumed call' ? resumable : stopped).put(name, key);
      return true;
    },
    take(call, intent) {
      // Most calls find nothing here, and need no name.
      if (call.resumes === false || (stopped.isEmpty() && resumable.isEmpty())) return undefined;
      const name = nameOf(call.id, call, intent);
      return (
        runOf(stopped.take(name), 'same call') ??
        runOf(stopped.take(nameOf(undefined, call, intent)), 'any call') ??
        (call.resumes ? runOf(resumable.take(name), 'resumed call') : undefined)
      );
    },
  };
}

function runOf(key: string | undefined, pause: Pause): WaitingRun | undefined {
  return key === undefined ? undefined : { key, pause };
}

/** Keys by names, of which several may be equal. */
interface NamedKeys {
  put(name: string, key: string): void;
  take(name: string | undefined): string | undefined;
  isEmpty(): boolean;
}

function createNamedKeys(): NamedKeys {
  /** The keys by the names of their calls, the oldest first. */
  const all = new Map<string, string[]>();
  let size = 0;

  function take(name: string | undefined): string | undefined {
    const keys = name === undefined ? undefined : all.get(name);
    if (name === undefined || keys === undefined) return undefined;
    const key = keys.shift();
    size -= 1;
    if (keys.length === 0) all.delete(name);
    return key;
  }

  return {
    take,
    put(name, key) {
      if (size >= MAX_WAITING) take(all.keys().next().value);
      const keys = all.get(name) ?? [];
      keys.push(key);
      all.set(name, keys);
      size += 1;
    },
    isEmpty: () => size === 0,
  };
}

/** Makes the name of a call that must be the same when it comes again; `undefined` if it cannot be kept. */
function nameOf(id: string | undefined, { name: tool }: ToolCall, intent: Intent): string | undefined {
  try {
    const name = JSON.stringify([tool, id, { ...intent, proof: undefined }]);
    return name.length > MAX_NAME_LENGTH ? undefined : name;
  } catch {
    return undefined;
  }
}
