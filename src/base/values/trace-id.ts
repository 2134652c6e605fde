/** Reads the trace of a call (W3C Trace Context). Only the trace id is kept. */

/** Matches the version, trace id, parent id and flags. A later version may add more after another hyphen. */
const TRACEPARENT = /^(?!ff)([0-9a-f]{2})-([0-9a-f]{32})-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}(-.*)?$/;
const TRACE_ID = /^(?!0{32})[0-9a-f]{32}$/;

/**
 * Returns the trace id of a `traceparent`; `null` if the header is absent or invalid. An invalid header is never an
 * error.
 */
export function readTraceparent(traceparent: string | undefined): string | null {
  if (traceparent === undefined) return null;
  const [, version, id = '', suffix] = TRACEPARENT.exec(traceparent) ?? [];
  if (version === '00' && suffix !== undefined) return null;
  return isTraceId(id) ? id : null;
}

/** Says whether `text` is 32 lower-case hexadecimal digits that are not all 0. */
export function isTraceId(text: string): boolean {
  return TRACE_ID.test(text);
}
