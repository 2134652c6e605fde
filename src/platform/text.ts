/** Converts text and bytes, natively on Node, Bun and Deno. */

interface TextRuntime {
  readonly Buffer?: {
    byteLength(text: string): number;
    readonly prototype: { latin1Slice?(this: Uint8Array, start: number, end: number): string };
  };
}

const runtime = globalThis as unknown as TextRuntime;

/**
 * Decodes each byte to one UTF-16 unit at the same index. Bytes below 0x80 become the ASCII character. Other bytes
 * become an unspecified unit.
 */
export const asciiText: (bytes: Uint8Array) => string = chooseAsciiText(runtime);

/** Returns {@link asciiText} for a given global scope. `latin1Slice` of Buffer takes half the time of the decoder. */
export function chooseAsciiText(scope: TextRuntime): (bytes: Uint8Array) => string {
  const slice = scope.Buffer?.prototype.latin1Slice;
  if (slice !== undefined) return (bytes) => slice.call(bytes, 0, bytes.length);
  const decoder = new TextDecoder('latin1');
  return (bytes) => decoder.decode(bytes);
}

const { Buffer } = runtime;

/** Returns the number of bytes of the text in UTF-8. */
export const utf8Length: (text: string) => number =
  Buffer === undefined ? (text) => new TextEncoder().encode(text).length : (text) => Buffer.byteLength(text);
