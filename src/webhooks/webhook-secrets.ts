/** Encrypts the secrets of webhooks for the storage, in the same way as signing keys. */
import { fromBase64Url } from '../base/bytes/base64url.ts';
import { type Context, OPERATOR } from '../core/shared/context.ts';
import { everyRecord, recordsBy } from '../core/shared/record-lists.ts';
import { logSecurityEvent } from '../core/shared/security-log.ts';
import { replace, untilWritten } from '../core/storage/store.ts';
import { newWebhookSecret } from '../credential/webhook-secret.ts';
import { unfit } from '../errors.ts';
import { MAX_PAGE_SIZE } from '../ports/limits.ts';
import type { Instant } from '../records.ts';
import { createKeySealing, type SecretJwk } from '../tokens/signing/sealing.ts';
import type { WebhookRecord } from './collections.ts';

export interface WebhookSecrets {
  make(id: string): Promise<{ readonly secret: string; readonly sealed: string }>;
  open(record: WebhookRecord, instant: Instant): Promise<readonly Uint8Array[]>;
  /**
   * Encrypts all webhook secrets with the first secret of the service. Returns the number of webhooks that had secrets
   * under a different secret.
   */
  reseal(): Promise<number>;
}

/** Creates the secrets of webhooks. The first secret of the service encrypts them; the others only decrypt. */
export function createWebhookSecrets(
  context: Pick<Context, 'store' | 'random' | 'log'>,
  ownSecrets: readonly string[],
): WebhookSecrets {
  const { store, random } = context;
  const sealing = createKeySealing<SecretJwk>(ownSecrets);

  async function opened(id: string, sealedText: string) {
    const key = await sealing.open(id, sealedText);
    if (key !== undefined) return key;
    const message = `The secret of the webhook ${id} is encrypted with another secret. Give the previous secret of the service as well.`;
    throw unfit(message);
  }

  async function bytesOf(id: string, sealedText: string): Promise<Uint8Array> {
    const { jwk } = await opened(id, sealedText);
    return fromBase64Url(jwk.k) ?? new Uint8Array();
  }

  async function resealed(id: string, sealedText: string): Promise<string> {
    const { jwk, isCurrent } = await opened(id, sealedText);
    return isCurrent ? sealedText : sealing.seal(id, jwk);
  }

  async function resealOne(id: string): Promise<boolean> {
    return untilWritten(async () => {
      const record = await store.get('webhooks', id);
      if (record === undefined) return false;
      const sealedText = await resealed(id, record.sealed);
      const sealedBefore = record.previous_sealed;
      const previous_sealed = sealedBefore === null ? null : await resealed(id, sealedBefore);
      if (sealedText === record.sealed && previous_sealed === sealedBefore) return false;
      const next = { ...record, sealed: sealedText, previous_sealed, version: record.version + 1 };
      return (await store.write(replace('webhooks', next, record.version))).written ? true : undefined;
    });
  }

  return {
    async make(id) {
      const { secret, k } = newWebhookSecret(random);
      return { secret, sealed: await sealing.seal(id, { kty: 'oct', k }) };
    },

    async open({ id, sealed, previous_sealed, previous_until }, instant) {
      const isBoth = previous_sealed !== null && previous_until !== null && instant < previous_until;
      return Promise.all([sealed, ...(isBoth ? [previous_sealed] : [])].map((text) => bytesOf(id, text)));
    },

    async reseal() {
      let count = 0;
      for await (const { id } of everyRecord(recordsBy(store, 'webhooks', {}), MAX_PAGE_SIZE))
        if (await resealOne(id)) count += 1;
      if (count > 0) logSecurityEvent(context, 'webhook.resealed', { by: OPERATOR });
      return count;
    },
  };
}
