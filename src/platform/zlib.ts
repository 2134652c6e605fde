/**
 * Compresses with DEFLATE in the zlib format (RFC 1950). Does not block the event loop if the runtime has Node's zlib.
 */
import { joinBytes } from '../base/bytes/join-bytes.ts';

export interface Zlib {
  deflate(bytes: Uint8Array, options?: DeflateOptions): Promise<Uint8Array>;
  /**
   * Decompresses the bytes. Returns `undefined` if they are not in the zlib format, or the result is larger than
   * `maxBytes`.
   */
  inflate(bytes: Uint8Array, maxBytes: number): Promise<Uint8Array | undefined>;
}

export interface DeflateOptions {
  /** Searches only for runs of one byte. Use it for bytes that are nearly all equal. Default: `false`. */
  readonly runsOnly?: boolean;
}

type Done = (error: Error | null | undefined, bytes: Uint8Array) => void;

interface NodeZlib {
  readonly deflate: (
    bytes: Uint8Array,
    options: { readonly level: number; readonly strategy: number },
    callback: Done,
  ) => void;
  readonly inflate: (
    bytes: Uint8Array,
    options: { readonly maxOutputLength: number },
    callback: Done,
  ) => void;
}

interface Runtime {
  readonly process?: { readonly getBuiltinModule?: (id: string) => unknown };
}

export const zlib: Zlib = chooseZlib(globalThis as unknown as Runtime);

export function chooseZlib(scope: Runtime): Zlib {
  const node = scope.process?.getBuiltinModule?.('node:zlib') as NodeZlib | undefined;
  return node === undefined ? streamZlib() : nodeZlib(node);
}

const BEST = 9;
/** The strategies of zlib: `Z_DEFAULT_STRATEGY` and `Z_RLE`. */
const ANY_MATCH = 0;
const RUNS = 3;

function nodeZlib({ deflate, inflate }: NodeZlib): Zlib {
  return {
    deflate: (bytes, { runsOnly = false } = {}) =>
      new Promise((resolve, reject) => {
        const options = { level: BEST, strategy: runsOnly ? RUNS : ANY_MATCH };
        deflate(bytes, options, (error, bytes) => (error ? reject(error) : resolve(bytes)));
      }),
    inflate: (bytes, maxOutputLength) =>
      new Promise((resolve) => {
        inflate(bytes, { maxOutputLength }, (error, bytes) => resolve(error ? undefined : bytes));
      }),
  };
}

/**
 * Creates the compression by streams. It is a function, because this file calls it while the constant `zlib`
 * is created. A constant below `zlib` would not be initialized then.
 */
function streamZlib(): Zlib {
  return {
    async deflate(bytes) {
      const madeBytes = await through(new CompressionStream('deflate'), bytes, Number.POSITIVE_INFINITY);
      return madeBytes ?? new Uint8Array();
    },
    async inflate(bytes, maxBytes) {
      try {
        return await through(new DecompressionStream('deflate'), bytes, maxBytes);
      } catch {
        return undefined;
      }
    },
  };
}

async function through(
  { readable, writable }: CompressionStream | DecompressionStream,
  bytes: Uint8Array,
  maxBytes: number,
): Promise<Uint8Array | undefined> {
  const writer = writable.getWriter();
  // An error here also occurs at the reader.
  const ignore = () => {};
  writer.write(new Uint8Array(bytes)).catch(ignore);
  writer.close().catch(ignore);
  const reader = readable.getReader();
  const pieces: Uint8Array[] = [];
  let length = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return joinBytes(pieces, length);
    length += value.length;
    pieces.push(value);
    if (length <= maxBytes) continue;
    await reader.cancel().catch(ignore);
    return undefined;
  }
}
