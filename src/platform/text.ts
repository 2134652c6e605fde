/** Text and bytes, by what Node, Bun or Deno have natively. */

interface TextRuntime {
  readonly Buffer?: {
    byteLength(text: string): number;
    readonly prototype: { latin1Slice?(this: Uint8Array, start: number, end: number): string };
  };
}

const runtime = globalThis as unknown as TextRuntime;

/** One UTF-16 unit per byte, at the same index. Bytes below 0x80 become their ASCII character, others any. */
export const asciiText: (bytes: Uint8Array) => string = chooseAsciiText(runtime);

/** {@link asciiText} for a given global scope. Buffer's own slice takes half of the decoder's time. */
export function chooseAsciiText(scope: TextRuntime): (bytes: Uint8Array) => string {
  const slice = scope.Buffer?.prototype.latin1Slice;
  if (slice !== undefined) return (bytes) => slice.call(bytes, 0, bytes.length);
  const decoder = new TextDecoder('latin1');
  return (bytes) => decoder.decode(bytes);
}

const { Buffer } = runtime;

/** How many bytes the text has as UTF-8. */
export const utf8Length: (text: string) => number =
  Buffer === undefined ? (text) => new TextEncoder().encode(text).length : (text) => Buffer.byteLength(text);
