/** How a call that may take longer is ended early. */

/** The options of verbs that walk through records. */
export interface CallOptions {
  /** Ends the call between two pieces of its work: it rejects with the reason of the signal. */
  readonly signal?: AbortSignal;
}

/** Which request a call belongs to. */
export interface Traced {
  /** Its id, for the lines that the call leaves in the log. */
  readonly request_id?: string | null;
  /** The trace that it belongs to, for the record of a verdict: 32 lower-case hexadecimal digits. */
  readonly trace_id?: string | null;
}

/** Throws the reason of a signal that was aborted. */
export function assertWanted(signal: AbortSignal | undefined): void {
  if (signal?.aborted) throw signal.reason;
}
