import type { OutcomeList } from '../../records/outcome.ts';
import { type Endpoint, endpoint } from '../endpoint.ts';

const NO_OBJECT = null as unknown as OutcomeList;

export const outcomeEndpoints: readonly Endpoint[] = [
  endpoint({
    method: 'POST',
    path: '/verifications/outcomes',
    room: 'outcomes',
    tag: 'Verdicts',
    summary: 'Report the outcomes of up to 100 verdicts',
    credential: 'key',
    scope: 'verify',
    body: { schema: 'OutcomesRequest', maxBytes: 128 * 1024 },
    counted: true,
    success: { status: 200, description: 'The reports are taken.', schema: 'OutcomesAccepted' },
    errors: ['not_found'],
    handle: async ({ service, caller, body }) => ({
      // A bare list is no body of this endpoint.
      body: await service.outcomes.report(Array.isArray(body) ? NO_OBJECT : (body as OutcomeList), caller),
    }),
  }),
];
