import type { ConfirmInput } from '../../records/verifier.ts';
import { type Endpoint, endpoint } from '../endpoint.ts';

/** The endpoints of local verifiers, which decide in their own process. */
export const verifierEndpoints: readonly Endpoint[] = [
  endpoint({
    method: 'POST',
    path: '/verifier/passports',
    patient: true,
    tag: 'Verdicts',
    summary: 'Confirm the passports that a local verifier holds; needs verify and decide',
    credential: 'key',
    scope: 'decide',
    body: { schema: 'VerifierRequest', maxBytes: 256 * 1024 },
    success: {
      status: 200,
      description: 'What differs, and the instant at which all of it was so.',
      schema: 'ConfirmedPassports',
    },
    errors: ['overloaded'],
    handle: async ({ service, caller, body, signal }) => ({
      body: await service.verifiers.confirm(body as ConfirmInput, { ...caller, signal: signal() }),
    }),
  }),
];
