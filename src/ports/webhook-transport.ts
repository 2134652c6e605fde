/** The transport of webhooks: it uses the network of the application, which is not part of the core. */

/** A request to a webhook. */
export interface WebhookRequest {
  /** The URL of the webhook. */
  readonly url: string;
  /** The headers, without the headers that every request has. */
  readonly headers: Readonly<Record<string, string>>;
  /** The body, JSON. */
  readonly body: string;
  /** Aborts the request. */
  readonly signal: AbortSignal;
  /** True when http, and this machine, are allowed. */
  readonly allowLocalhost: boolean;
}

/** The answer of an endpoint; its body is discarded. */
export interface WebhookAnswer {
  /** The HTTP status; a redirect is an answer like any other. */
  readonly status: number;
  /** The header `Retry-After`; `null` if there is none. */
  readonly retryAfter: string | null;
}

/** Sends requests to URLs that accounts choose. */
export interface WebhookTransport {
  /**
   * Returns a sentence that says why nothing is ever sent to this URL; `undefined`: the decision is made on connecting.
   */
  refusal(url: string, allowLocalhost: boolean): string | undefined;
  /** Sends a request. Rejects without an answer. Never connects to an address that is not on the public Internet. */
  post(request: WebhookRequest): Promise<WebhookAnswer>;
}
