/** The context of a verdict: its caller and its mode. Contexts rarely differ, so a block stores each only once. */
import type { VerdictRecord } from '../records.ts';

/** The fields of a record that make up its context. */
export type AskContext = Pick<VerdictRecord, 'environment' | 'dry_run' | 'currency' | 'key_id'>;

/** Writes a context as text. */
export function contextText({ environment, dry_run, currency, key_id }: AskContext): string {
  return JSON.stringify([environment, dry_run, currency, key_id]);
}

/** Returns `true` if two contexts have the same text. */
export function isSameContext(first: AskContext, second: AskContext): boolean {
  return (
    first.key_id === second.key_id &&
    first.currency === second.currency &&
    first.environment === second.environment &&
    first.dry_run === second.dry_run
  );
}

const SHAPE: FlatShape = { depth: 1, commas: 3 };

/** Reads the text of `contextText`. Throws a RangeError for any other text. */
export function readContext(text: string): AskContext {
  const parts: unknown = parseFlat(text, SHAPE);
  if (!Array.isArray(parts) || parts.length !== 4) throw new RangeError('The context is no list of four.');
  const [environment, dry_run, currency, key_id] = parts;
  const isContext =
    (environment === 'live' || environment === 'test') &&
    typeof dry_run === 'boolean' &&
    (currency === null || typeof currency === 'string') &&
    (key_id === null || typeof key_id === 'string');
  if (!isContext) throw new RangeError('The context has a part of another type.');
  return { environment, dry_run, currency, key_id };
}

/** The limits for a JSON text that consists of lists of plain values. */
export interface FlatShape {
  /** The maximum number of nested lists. */
  readonly depth: number;
  /** The maximum number of commas outside of quoted texts. */
  readonly commas: number;
}

const [QUOTE, ESCAPE, COMMA, OPEN, CLOSE, OPEN_OBJECT] = [...'"\\,[]{'].map((first) => first.charCodeAt(0));

/**
 * Parses lists of plain values. Throws a RangeError for any other JSON, and a SyntaxError for text that is not JSON.
 */
export function parseFlat(text: string, { depth, commas }: FlatShape): unknown {
  let open = 0;
  let deepest = 0;
  let metCount = 0;
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    if (code === QUOTE) index = endOfText(text, index + 1);
    else if (code === COMMA) metCount += 1;
    else if (code === OPEN) deepest = Math.max(deepest, ++open);
    else if (code === CLOSE) open -= 1;
    else if (code === OPEN_OBJECT) deepest = Number.POSITIVE_INFINITY;
  }
  if (deepest > depth || metCount > commas) throw new RangeError('The JSON has more than this can have.');
  return JSON.parse(text);
}

/** Returns the index of the quotation mark that ends a text. */
function endOfText(text: string, start: number): number {
  let end = start;
  while (end < text.length && text.charCodeAt(end) !== QUOTE) end += text.charCodeAt(end) === ESCAPE ? 2 : 1;
  return end;
}
