/** A stream of bytes as lines. */

const LINE_FEED = 0x0a;

/**
 * Yields each line without its end; `undefined` for one of more than `most` bytes. A last line without an end is left
 * out.
 */
export async function* linesOf(
  stream: AsyncIterable<Uint8Array>,
  most: number,
): AsyncIterable<Uint8Array | undefined> {
  let parts: Uint8Array[] = [];
  let size = 0;
  const line = (): Uint8Array | undefined => {
    const [first] = parts;
    const whole = size > most ? undefined : parts.length === 1 ? first : Buffer.concat(parts);
    parts = [];
    size = 0;
    return whole;
  };
  const take = (part: Uint8Array): void => {
    size += part.length;
    // What is too long is not kept.
    if (size > most) parts = [];
    else parts.push(part);
  };
  for await (const chunk of stream) {
    let start = 0;
    for (let end = chunk.indexOf(LINE_FEED); end !== -1; end = chunk.indexOf(LINE_FEED, start)) {
      take(chunk.subarray(start, end));
      start = end + 1;
      yield line();
    }
    if (start < chunk.length) take(chunk.subarray(start));
  }
}
