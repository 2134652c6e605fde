/** Limits how many requests a client may send on one connection before it has read earlier answers. */
/** The maximum number of requests of one connection that wait behind an unanswered request. */
const MAX_WAITING = 15;

/**
 * Creates a function that returns `true` if a request may continue, and otherwise closes its connection without an
 * answer.
 *
 * Node reads pipelined requests (RFC 9112 section 9.3.2) without a limit. 2,400 requests of 27 bytes can arrive in one
 * piece. Each needs memory until the client reads its answer. Clients that wait for each answer are never counted.
 */
export function pipelineBound(): (request: NodeRequest, response: NodeResponse) => boolean {
  const waiting = new WeakMap<object, number>();
  return ({ socket }, response) => {
    // Node gives the socket to one response at a time: a response without it waits for earlier ones.
    if (response.socket !== null || socket === undefined) return true;
    if (socket.destroyed === true) return false;
    const count = (waiting.get(socket) ?? 0) + 1;
    if (count > MAX_WAITING) {
      cut(socket);
      return false;
    }
    waiting.set(socket, count);
    response.on('close', () => waiting.set(socket, (waiting.get(socket) ?? 1) - 1));
    return true;
  };
}

type NodeSocket = NonNullable<NodeRequest['socket']>;

/** The return value that makes Node's parser skip the remaining bytes. */
const STOP = 2;

/**
 * Closes a connection and stops its parser. Otherwise the parser would process its buffer, which takes 25 ms for 64
 * KiB. The stop uses an undocumented detail of Node. Without that detail, the connection closes later.
 */
function cut(socket: NodeSocket): void {
  const { parser } = socket as { readonly parser?: { onIncoming?: unknown } | null };
  if (parser?.onIncoming !== undefined) parser.onIncoming = () => STOP;
  socket.destroy?.();
}

/** The properties of Node's `IncomingMessage` that the listener uses. */
export interface NodeRequest {
  readonly method?: string | undefined;
  readonly url?: string | undefined;
  readonly rawHeaders: readonly string[];
  readonly socket?: {
    readonly remoteAddress?: string | undefined;
    readonly destroyed?: boolean;
    destroy?(): unknown;
    /** The server of the connection. Some runtimes do not have it. */
    readonly server?: { readonly maxHeadersCount?: number | null };
  };
  readonly headers: { readonly 'content-length'?: string | undefined };
  /** `true` if the body was read before the listener saw the request. */
  readonly readableDidRead?: boolean;
  readonly readableEnded?: boolean;
  /** `true` if the client has disconnected. */
  readonly destroyed?: boolean;
  /** The body, as the function `keepRawBody` of the Express adapter stored it. */
  readonly rawBody?: unknown;
  on(event: 'data', listener: (chunk: Uint8Array) => void): unknown;
  on(event: 'end' | 'aborted' | 'close', listener: () => void): unknown;
  on(event: 'error', listener: (error: Error) => void): unknown;
  pause(): unknown;
}

/** The properties of Node's `ServerResponse` that the listener uses. */
export interface NodeResponse {
  readonly headersSent?: boolean;
  /** `true` if the client has disconnected. */
  readonly destroyed?: boolean;
  /** `true` after the whole answer was passed to the operating system. */
  readonly writableFinished?: boolean;
  /** `null` while the response waits for earlier responses of its connection. */
  readonly socket?: object | null;
  writeHead(status: number, headers: string[]): unknown;
  write(piece: string): boolean;
  on(event: 'drain' | 'close', listener: () => void): unknown;
  end(body?: string | Uint8Array): unknown;
  destroy(): unknown;
}
