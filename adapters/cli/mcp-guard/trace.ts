/** The trace that a call belongs to, from the params of its message to the question about it. */
import { AsyncLocalStorage } from 'node:async_hooks';

const traces = new AsyncLocalStorage<string>();

/**
 * Returns the result of `run`, which runs within the trace of `_meta.traceparent` of these params, if they have one.
 */
export function withinTrace<T>(params: unknown, run: () => T): T {
  const { _meta } = Object(params) as { readonly _meta?: unknown };
  const { traceparent } = Object(_meta) as { readonly traceparent?: unknown };
  return typeof traceparent === 'string' ? traces.run(traceparent, run) : run();
}

/** Returns the present `traceparent` (W3C Trace Context) as it was given: it may be invalid. */
export function presentTrace(): string | undefined {
  return traces.getStore();
}
