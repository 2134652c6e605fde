/**
 * Computes overlapping spans of time, with which a limit applies to every period of a given length.
 *
 * A period has the length of 12 parts. A span has 13 parts, and a new span starts with each part. Every
 * period is therefore completely within one span, wherever it begins. A limit on each span thus limits every
 * period. An instant is in 13 spans.
 */

export const SPAN_PARTS = 13;

/**
 * Returns the length of a part in milliseconds. Twelve parts are `seconds` long, and the first begins at the Unix
 * epoch.
 */
export function partOf(seconds: number): number {
  return Math.ceil((seconds * 1_000) / (SPAN_PARTS - 1));
}

/**
 * Returns the numbers of the spans that contain an instant, the earliest first. The number of a span is the number of
 * its first part.
 */
export function spansAt(seconds: number, atMs: number): readonly number[] {
  const last = Math.floor(atMs / partOf(seconds));
  return Array.from({ length: SPAN_PARTS }, (_, index) => last - SPAN_PARTS + 1 + index);
}

export function spanEnd(seconds: number, span: number): number {
  return (span + SPAN_PARTS) * partOf(seconds);
}

/**
 * Returns the instant from which the amount `by` fits into every span, if nothing else is counted before. It is the end
 * of the last span whose count and `by` together exceed `max`. Returns `undefined` if `by` itself exceeds `max`.
 */
export function fitsFrom(
  seconds: number,
  spans: readonly number[],
  counts: readonly number[],
  { by, max }: { readonly by: number; readonly max: number },
): number | undefined {
  if (by > max) return undefined;
  const full = spans.filter((_, index) => (counts[index] ?? 0) + by > max);
  return spanEnd(seconds, full.at(-1) ?? spans[0] ?? 0);
}
