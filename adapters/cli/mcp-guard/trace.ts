/** The trace that a call belongs to, from the params of its message to the question about it. */
import { AsyncLocalStorage } from 'node:async_hooks';

const traces = new AsyncLocalStorage<string>();

/** What `run` gives back, run within the trace of `_meta.traceparent` of these params, where it stands there. */
export function withinTrace<T>(params: unknown, run: () => T): T {
  const { _meta } = Object(params) as { readonly _meta?: unknown };
  const { traceparent } = Object(_meta) as { readonly traceparent?: unknown };
  return typeof traceparent === 'string' ? traces.run(traceparent, run) : run();
}

/** The `traceparent` (W3C Trace Context) of what runs now, as it was given: it may be no valid one. */
export function presentTrace(): string | undefined {
  return traces.getStore();
}
