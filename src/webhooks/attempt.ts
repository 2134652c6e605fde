/** Sends an event to a webhook once, signed by Standard Webhooks 1.0. */
import { formatInstant } from '../base/values/instant.ts';
import type { Context } from '../core/shared/context.ts';
import { signedContent, webhookSignature } from '../credential/webhook-secret.ts';
import { type IdentityEvent, ocsfLine } from '../ocsf/index.ts';
import type { WebhookTransport } from '../ports/webhook-transport.ts';
import type { WebhookDeliveryRecord, WebhookRecord } from './collections.ts';
import type { SignPublicly } from './public-signatures.ts';
import type { WebhookSecrets } from './webhook-secrets.ts';

export interface Attempted {
  readonly http_status: number | null;
  readonly retryAfter: string | null;
  readonly duration_ms: number;
}

export type Attempt = (
  webhook: WebhookRecord,
  delivery: Pick<WebhookDeliveryRecord, 'event_id' | 'payload'>,
  signal?: AbortSignal,
) => Promise<Attempted>;

export interface AttemptParts {
  readonly transport: WebhookTransport;
  readonly secrets: WebhookSecrets;
  readonly signPublicly: SignPublicly;
}

export const TIMEOUT_MS = 15_000;

export function createAttempt(
  context: Pick<Context, 'caches' | 'clock' | 'allowLocalhost' | 'awaitedAfter'>,
  { transport, secrets, signPublicly }: AttemptParts,
): Attempt {
  const { clock, caches, awaitedAfter, allowLocalhost } = context;

  return async (webhook, { event_id, payload }, signal) => {
    const atMs = clock.now();
    const body = bodyOf(webhook, payload);
    const request = { id: event_id, timestamp: Math.floor(atMs / 1_000), body };
    const content = signedContent(request);
    const keys = await secrets.open(webhook, formatInstant(atMs));
    const ownSignatures = await Promise.all(keys.map((key) => webhookSignature(key, content)));
    const signatures = [...ownSignatures, ...(await signPublicly(content))];
    const endedController = new AbortController();
    const end = (): void => endedController.abort();
    const cancel = awaitedAfter(TIMEOUT_MS, end);
    signal?.addEventListener('abort', end);
    if (signal?.aborted === true) end();
    const begunMs = caches.monotonic();
    const headers = {
      'content-type': 'application/json',
      'user-agent': 'agent-identity-service',
      'webhook-id': request.id,
      'webhook-timestamp': `${request.timestamp}`,
      'webhook-signature': signatures.join(' '),
    };
    try {
      const { url } = webhook;
      const answer = await transport
        .post({ url, headers, body, signal: endedController.signal, allowLocalhost })
        .catch(() => undefined);
      return {
        http_status: answer?.status ?? null,
        retryAfter: answer?.retryAfter ?? null,
        duration_ms: Math.max(0, Math.round(caches.monotonic() - begunMs)),
      };
    } finally {
      cancel();
      signal?.removeEventListener('abort', end);
    }
  };
}

function bodyOf({ format }: WebhookRecord, payload: string): string {
  return format === 'ocsf' ? ocsfLine(JSON.parse(payload) as IdentityEvent) : payload;
}
