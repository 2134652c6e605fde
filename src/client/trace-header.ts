import { misconfigured } from '../base/known-options.ts';
import { readTraceparent } from '../base/values/trace-id.ts';

/** Returns the current `traceparent` header, or `undefined`. */
export type TraceparentSource = () => string | undefined;

/**
 * Returns the function in the options, if there is one.
 *
 * @throws {IdentityError} `invalid_configuration` if the value is not a function.
 */
export function checkedTraceparent(
  maker: string,
  source: TraceparentSource | undefined,
): TraceparentSource | undefined {
  if (source === undefined || typeof source === 'function') return source;
  throw misconfigured(maker, 'traceparent is not a function');
}

/** Returns the `traceparent` header of a request. An invalid value is left out, and the request is sent without it. */
export function traceHeader(traceparent: TraceparentSource | undefined): { readonly traceparent?: string } {
  try {
    const source = traceparent?.();
    return readTraceparent(source) === null ? {} : { traceparent: `${source}` };
  } catch {
    return {};
  }
}
