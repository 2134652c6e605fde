/**
 * The interface that sends webhooks through the network of the application. The implementation is not part of the core.
 */

/** A request to a webhook. */
export interface WebhookRequest {
  /** The URL of the webhook. */
  readonly url: string;
  /** The headers of this delivery. The transport adds the headers of every request, such as `content-length`. */
  readonly headers: Readonly<Record<string, string>>;
  /** The body, JSON. */
  readonly body: string;
  /** Aborts the request. */
  readonly signal: AbortSignal;
  /** `true` if http and addresses of this computer are allowed. */
  readonly allowLocalhost: boolean;
}

/** The answer of a webhook endpoint. Its body is discarded. */
export interface WebhookAnswer {
  /** The HTTP status. A redirect is not followed. */
  readonly status: number;
  /** The header `Retry-After`; `null` if there is none. */
  readonly retryAfter: string | null;
}

/** Sends requests to URLs that accounts choose. */
export interface WebhookTransport {
  /**
   * Returns a sentence that says why requests to this URL are always refused. Returns `undefined` if the URL
   * may be allowed. The address of its host is then checked each time a request connects.
   */
  refusal(url: string, allowLocalhost: boolean): string | undefined;
  /**
   * Sends a request. Never connects to an address that is not on the public Internet.
   *
   * @throws {Error} If there is no answer. The service then tries again later.
   */
  post(request: WebhookRequest): Promise<WebhookAnswer>;
}
