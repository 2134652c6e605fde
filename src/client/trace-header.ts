import { readTraceparent } from '../base/trace-id.ts';
import { misconfigured } from './address.ts';

/** Gives the `traceparent` of the present moment. */
export type TraceparentSource = () => string | undefined;

/** What gives it, where the options name one; `invalid_configuration` for anything but a function. */
export function checkedTraceparent(
  maker: string,
  given: TraceparentSource | undefined,
): TraceparentSource | undefined {
  if (given === undefined || typeof given === 'function') return given;
  throw misconfigured(maker, 'traceparent is not a function');
}

/** The header of a request. What is not valid is not sent, and no request fails because of it. */
export function traceHeader(traceparent: TraceparentSource | undefined): { readonly traceparent?: string } {
  try {
    const given = traceparent?.();
    return readTraceparent(given) === null ? {} : { traceparent: `${given}` };
  } catch {
    return {};
  }
}
