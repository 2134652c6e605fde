import { misconfigured } from '../base/known-options.ts';
import { readTraceparent } from '../base/values/trace-id.ts';

/** Returns the current `traceparent` header, or `undefined`. */
export type TraceparentSource = () => string | undefined;

/**
 * Returns the function in the options, if there is one. Throws `invalid_configuration` if the value is not a function.
 */
export function checkedTraceparent(
  maker: string,
  given: TraceparentSource | undefined,
): TraceparentSource | undefined {
  if (given === undefined || typeof given === 'function') return given;
  throw misconfigured(maker, 'traceparent is not a function');
}

/** Returns the `traceparent` header of a request. An invalid value is left out, and the request is sent without it. */
export function traceHeader(traceparent: TraceparentSource | undefined): { readonly traceparent?: string } {
  try {
    const given = traceparent?.();
    return readTraceparent(given) === null ? {} : { traceparent: `${given}` };
  } catch {
    return {};
  }
}
