import { MAX_BATCH_MEMBERS } from '../../base/json-data.ts';
import type { Intent, VerdictRecord } from '../../records.ts';
import type { ReinstateInput, RevokeInput, SuspendInput } from '../../state-records.ts';
import { type Endpoint, endpoint } from '../endpoint.ts';

/** Asking for verdicts, and taking passports out of use. */
export const verdictEndpoints: readonly Endpoint[] = [
  endpoint({
    method: 'POST',
    path: '/verify',
    tag: 'Verdicts',
    summary: 'ALLOW or DENY what an agent is about to do',
    credential: 'key',
    scope: 'verify',
    body: { schema: 'Intent' },
    counted: true,
    success: { status: 200, description: 'The verdict, with every reason.', schema: 'VerdictRecord' },
    handle: ({ service, caller, body, requestId }) =>
      service.verify(body as Intent, caller).then((record) => ({ body: withRequestId(record, requestId) })),
  }),
  endpoint({
    method: 'POST',
    path: '/verify/batch',
    tag: 'Verdicts',
    summary: 'Judge up to a hundred intents at once',
    credential: 'key',
    scope: 'verify',
    body: { schema: 'IntentBatch', maxBytes: 1024 * 1024, maxMembers: MAX_BATCH_MEMBERS },
    counted: true,
    success: { status: 200, description: 'One verdict per intent, in their order.', schema: 'VerdictBatch' },
    async handle({ service, caller, body, count, requestId }) {
      const batch = body as { intents: readonly Intent[] };
      // The first was counted before the body was read.
      const more = sizeOf(body) - 1;
      if (more > 0) count(more);
      const records = await service.verifyBatch(batch, caller);
      return { body: { verdicts: records.map((record) => withRequestId(record, requestId)) } };
    },
  }),
  endpoint({
    method: 'POST',
    path: '/revoke',
    tag: 'Verdicts',
    summary: 'Revoke a passport permanently',
    credential: 'either',
    scope: 'revoke',
    body: { schema: 'RevokeRequest' },
    success: { status: 200, description: 'Revoked; again: the first time.', schema: 'Revocation' },
    errors: ['not_found'],
    handle: async ({ service, caller, body }) => ({
      body: await service.revoke(body as RevokeInput, caller),
    }),
  }),
  endpoint({
    method: 'POST',
    path: '/suspend',
    tag: 'Verdicts',
    summary: 'Suspend a passport for a while',
    credential: 'either',
    scope: 'revoke',
    body: { schema: 'SuspendRequest' },
    success: { status: 200, description: 'Suspended.', schema: 'Suspension' },
    errors: ['not_found', 'conflict'],
    handle: async ({ service, caller, body }) => ({
      body: await service.suspend(body as SuspendInput, caller),
    }),
  }),
  endpoint({
    method: 'POST',
    path: '/reinstate',
    tag: 'Verdicts',
    summary: 'End a suspension',
    credential: 'either',
    scope: 'reinstate',
    body: { schema: 'ReinstateRequest' },
    success: { status: 200, description: 'Not suspended any more.', schema: 'Reinstatement' },
    errors: ['not_found', 'conflict'],
    handle: async ({ service, caller, body }) => ({
      body: await service.reinstate(body as ReinstateInput, caller),
    }),
  }),
];

/** The answer names its request also where the client gave it no id. */
function withRequestId(record: VerdictRecord, request_id: string): VerdictRecord {
  return record.request_id === null ? { ...record, request_id } : record;
}

/** How many intents a body asks about; one that is malformed is refused, and counts as one. */
function sizeOf(body: unknown): number {
  const intents = typeof body === 'object' && body !== null && 'intents' in body ? body.intents : undefined;
  return Array.isArray(intents) && intents.length >= 1 && intents.length <= 100 ? intents.length : 1;
}
