/** How the service sends webhooks: over the network of its host, which is no part of the core. */

/** One request. */
export interface WebhookRequest {
  /** That of the webhook. */
  readonly url: string;
  /** Beside those that every request has. */
  readonly headers: Readonly<Record<string, string>>;
  /** JSON. */
  readonly body: string;
  /** Ends the request. */
  readonly signal: AbortSignal;
  /** Whether http, and the machine itself, are allowed. */
  readonly allowLocalhost: boolean;
}

/** What an endpoint answered; its body is thrown away. */
export interface WebhookAnswer {
  /** Of HTTP; a redirect is an answer like any other. */
  readonly status: number;
  /** The header of that name; `null`: there was none. */
  readonly retryAfter: string | null;
}

/** Sends to URLs that strangers name. */
export interface WebhookTransport {
  /** Why nothing is ever sent to this URL, as a sentence; `undefined`: it is judged when it is connected to. */
  refusal(url: string, allowLocalhost: boolean): string | undefined;
  /** Rejects where there is no answer. Reaches no address that is not on the public Internet. */
  post(request: WebhookRequest): Promise<WebhookAnswer>;
}
