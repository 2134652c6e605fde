import { EDITORS, MEMBERS } from '../../operations/roles.ts';
import type { SettleInput } from '../../service.ts';
import { type Call, type Endpoint, endpoint } from '../endpoint.ts';
import { replayable } from '../replayable.ts';

const shared = { tag: 'Verdicts', credential: 'either', scope: 'verify' } as const;

/** The endpoints of the spends that verdicts have settled, or hold. */
export const spendEndpoints: readonly Endpoint[] = [
  endpoint({
    ...shared,
    role: MEMBERS,
    method: 'GET',
    path: '/spends/{decision_id}',
    verb: 'spends',
    summary: 'Show the spend of an ALLOW',
    success: { status: 200, description: 'The spend.', schema: 'Spend' },
    errors: ['not_found'],
    handle: async ({ service, caller, params }) => ({
      body: await service.spends.get(idOf(params), caller),
    }),
  }),
  endpoint({
    ...shared,
    method: 'POST',
    role: EDITORS,
    path: '/spends/{decision_id}/commit',
    verb: 'spends',
    summary: 'Commit a hold, or a part of it',
    body: { schema: 'SettleRequest', optional: true },
    idempotent: true,
    success: { status: 200, description: 'The spend.', schema: 'Spend' },
    errors: ['not_found', 'conflict', 'spend_lapsed'],
    handle: ({ service, caller, params, body, once }) =>
      replayable(once, (options) =>
        service.spends.commit(idOf(params), body as SettleInput, { ...caller, ...options }),
      ),
  }),
  endpoint({
    ...shared,
    method: 'POST',
    role: EDITORS,
    path: '/spends/{decision_id}/release',
    verb: 'spends',
    summary: 'Return a hold, or refund a committed spend',
    otherScopes: ['refund'],
    body: { schema: 'SettleRequest', optional: true },
    idempotent: true,
    success: { status: 200, description: 'The spend.', schema: 'Spend' },
    errors: ['not_found', 'conflict', 'spend_lapsed'],
    handle: ({ service, caller, params, body, once }) =>
      replayable(once, (options) =>
        service.spends.release(idOf(params), body as SettleInput, { ...caller, ...options }),
      ),
  }),
];

function idOf({ decision_id = '' }: Call<'either'>['params']): string {
  return decision_id;
}
