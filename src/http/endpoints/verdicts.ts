import { MAX_BATCH_MEMBERS } from '../../base/values/json-data.ts';
import { askingAs } from '../../core.ts';
import type { Intent, VerdictRecord } from '../../records.ts';
import { type Endpoint, endpoint } from '../endpoint.ts';
import { withBoundedProofs, withProofOf } from '../read-proof.ts';
import { replayable } from '../replies.ts';

export const verdictEndpoints: readonly Endpoint[] = [
  endpoint({
    method: 'POST',
    path: '/verify',
    room: 'verify',
    tag: 'Verdicts',
    summary: 'Get a verdict on an intent',
    credential: 'key',
    scope: 'verify',
    body: { schema: 'Intent' },
    counted: true,
    proved: true,
    idempotent: true,
    success: { status: 200, description: 'The verdict, with every reason.', schema: 'VerdictRecord' },
    errors: ['conflict'],
    async handle({ service, caller, body, rawHeaders, requestId, once }) {
      const intent = withProofOf(rawHeaders, body) as Intent;
      const { idempotencyKey: key } = once;
      if (key === undefined) return { body: withRequestId(await service.verify(intent, caller), requestId) };
      return replayable(once, async ({ onReplayed }) => {
        const record = await service.verify(intent, askingAs(caller, { idempotencyKey: key, onReplayed }));
        return withRequestId(record, requestId);
      });
    },
  }),
  endpoint({
    method: 'POST',
    path: '/verify/batch',
    room: 'verifyBatch',
    tag: 'Verdicts',
    summary: 'Get verdicts on up to 100 intents',
    credential: 'key',
    scope: 'verify',
    body: { schema: 'IntentBatch', maxBytes: 1024 * 1024, maxMembers: MAX_BATCH_MEMBERS },
    counted: true,
    patient: true,
    idempotent: true,
    success: { status: 200, description: 'One verdict per intent, in their order.', schema: 'VerdictBatch' },
    errors: ['conflict'],
    async handle({ service, caller, body, count, requestId, once }) {
      const batch = withBoundedProofs(body) as { intents: readonly Intent[] };
      // `admit` counted the first one before the body was read.
      const moreCount = sizeOf(body) - 1;
      if (moreCount > 0) count(moreCount);
      return replayable(once, async (options) => {
        const { idempotencyKey: key } = options;
        const asker =
          key === undefined
            ? caller
            : askingAs(caller, { idempotencyKey: key, onReplayed: options.onReplayed });
        const records = await service.verifyBatch(batch, asker);
        return { verdicts: records.map((record) => withRequestId(record, requestId)) };
      });
    },
  }),
];

/** Adds the id of this request to a record from a local verifier. Such a record has no request id. */
function withRequestId(record: VerdictRecord, request_id: string): VerdictRecord {
  return record.request_id === null ? { ...record, request_id } : record;
}

/** Counts the intents of a body. A malformed body counts as one intent, and fails later. */
function sizeOf(body: unknown): number {
  const intents = typeof body === 'object' && body !== null && 'intents' in body ? body.intents : undefined;
  return Array.isArray(intents) && intents.length >= 1 && intents.length <= 100 ? intents.length : 1;
}
