/** The options of calls: an abort signal, and the ids of the request. */

/** The options of methods that read many records. */
export interface CallOptions {
  /** Ends the call between two steps of its work; it rejects with the reason of the signal. */
  readonly signal?: AbortSignal;
}

/** The request and the trace of a call. */
export interface Traced {
  /** The id of the request, for log lines of the call. */
  readonly request_id?: string | null;
  /** The id of the trace, for the record of a verdict: 32 lower-case hexadecimal digits. */
  readonly trace_id?: string | null;
}

/** Throws the reason of the signal if it was aborted. */
export function assertWanted(signal: AbortSignal | undefined): void {
  if (signal?.aborted) throw signal.reason;
}
