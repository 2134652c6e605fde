/** What is used of Node's request and response. */

/** The few members of Node's `IncomingMessage` that are used. */
export interface NodeRequest {
  readonly method?: string | undefined;
  readonly url?: string | undefined;
  readonly rawHeaders: readonly string[];
  readonly socket?: {
    readonly remoteAddress?: string | undefined;
    readonly destroyed?: boolean;
    destroy?(): unknown;
    /** The server of the connection; not every runtime has it. */
    readonly server?: { readonly maxHeadersCount?: number | null };
  };
  readonly headers: { readonly 'content-length'?: string | undefined };
  /** Whether the body was read before it came to the listener. */
  readonly readableDidRead?: boolean;
  readonly readableEnded?: boolean;
  /** Whether the client has gone. */
  readonly destroyed?: boolean;
  /** The body as `keepRawBody` left it. */
  readonly rawBody?: unknown;
  on(event: 'data', listener: (chunk: Uint8Array) => void): unknown;
  on(event: 'end' | 'aborted' | 'close', listener: () => void): unknown;
  on(event: 'error', listener: (error: Error) => void): unknown;
  pause(): unknown;
}

/** The few members of Node's `ServerResponse` that are used. */
export interface NodeResponse {
  readonly headersSent?: boolean;
  /** Whether the client has gone. */
  readonly destroyed?: boolean;
  /** `null` while it waits for the answers to earlier requests of its connection. */
  readonly socket?: object | null;
  writeHead(status: number, headers: string[]): unknown;
  write(piece: string): boolean;
  on(event: 'drain' | 'close', listener: () => void): unknown;
  end(body?: string): unknown;
  destroy(): unknown;
}
