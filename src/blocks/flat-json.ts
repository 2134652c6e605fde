/** JSON of a block, which a third party may have written: its shape is bounded before anything is allocated. */

/** The shape of a text: lists of plain values. */
export interface FlatShape {
  /** The most lists around a value. */
  readonly depth: number;
  /** The most commas outside of texts. */
  readonly commas: number;
}

const [QUOTE, ESCAPE, COMMA, OPEN, CLOSE, OPEN_OBJECT] = [...'"\\,[]{'].map((one) => one.charCodeAt(0));

/** Parses lists of plain values. Throws a RangeError for any other JSON, and an error for what is no JSON. */
export function parseFlat(text: string, { depth, commas }: FlatShape): unknown {
  let isText = false;
  let open = 0;
  let met = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) isText = !isText;
    else if (isText) {
      if (code === ESCAPE) at += 1;
    } else if (code === COMMA) met += 1;
    else if (code === OPEN) open += 1;
    else if (code === CLOSE) open -= 1;
    else if (code === OPEN_OBJECT) open = Number.POSITIVE_INFINITY;
    if (open > depth || met > commas) throw new RangeError('The JSON has more than this can have.');
  }
  return JSON.parse(text);
}
