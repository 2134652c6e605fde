/** The types of Node's request and response, reduced to the members that are used. */

/** The members of Node's `IncomingMessage` that are used. */
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
  /** The body, as `keepRawBody` stored it. */
  readonly rawBody?: unknown;
  on(event: 'data', listener: (chunk: Uint8Array) => void): unknown;
  on(event: 'end' | 'aborted' | 'close', listener: () => void): unknown;
  on(event: 'error', listener: (error: Error) => void): unknown;
  pause(): unknown;
}

/** The members of Node's `ServerResponse` that are used. */
export interface NodeResponse {
  readonly headersSent?: boolean;
  /** `true` if the client has disconnected. */
  readonly destroyed?: boolean;
  /** `true` once the whole answer was handed to the system. */
  readonly writableFinished?: boolean;
  /** `null` while the response waits for earlier responses of its connection. */
  readonly socket?: object | null;
  writeHead(status: number, headers: string[]): unknown;
  write(piece: string): boolean;
  on(event: 'drain' | 'close', listener: () => void): unknown;
  end(body?: string | Uint8Array): unknown;
  destroy(): unknown;
}
