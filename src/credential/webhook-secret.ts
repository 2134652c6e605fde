/** Creates the secrets and the signatures of webhooks (Standard Webhooks 1.0). */
import { toPaddedBase64 } from '../base/bytes/base64.ts';
import { toBase64Url } from '../base/bytes/base64url.ts';
import type { RandomSource } from '../ports/storage.ts';

const SECRET_BYTES = 32;

export function newWebhookSecret(random: RandomSource): { readonly secret: string; readonly k: string } {
  const bytes = random.bytes(SECRET_BYTES);
  return { secret: `whsec_${toPaddedBase64(bytes)}`, k: toBase64Url(bytes) };
}

export interface SignedWebhook {
  readonly id: string;
  readonly timestamp: number;
  readonly body: string;
}

export function signedContent({ id, timestamp, body }: SignedWebhook): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(`${id}.${timestamp}.${body}`);
}

export async function webhookSignature(
  secret: Uint8Array,
  content: Uint8Array<ArrayBuffer>,
): Promise<string> {
  const { subtle } = globalThis.crypto;
  const algorithm = { name: 'HMAC', hash: 'SHA-256' };
  const key = await subtle.importKey('raw', new Uint8Array(secret), algorithm, false, ['sign']);
  return `v1,${toPaddedBase64(new Uint8Array(await subtle.sign('HMAC', key, content)))}`;
}

export function publicSignature(signature: Uint8Array): string {
  return `v1a,${toPaddedBase64(signature)}`;
}
