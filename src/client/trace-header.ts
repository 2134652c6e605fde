import { misconfigured } from '../base/known-options.ts';
import { readTraceparent } from '../base/values/trace-id.ts';

/** Returns the current `traceparent`. */
export type TraceparentSource = () => string | undefined;

/** Returns the function of the options, if there is one. Throws `invalid_configuration` for anything but a function. */
export function checkedTraceparent(
  maker: string,
  given: TraceparentSource | undefined,
): TraceparentSource | undefined {
  if (given === undefined || typeof given === 'function') return given;
  throw misconfigured(maker, 'traceparent is not a function');
}

/** Returns the header of a request. An invalid value is not sent, and no request fails because of it. */
export function traceHeader(traceparent: TraceparentSource | undefined): { readonly traceparent?: string } {
  try {
    const given = traceparent?.();
    return readTraceparent(given) === null ? {} : { traceparent: `${given}` };
  } catch {
    return {};
  }
}
