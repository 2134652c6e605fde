import type { ConfirmInput, VerdictsInput } from '../../records/verifier.ts';
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
  endpoint({
    method: 'POST',
    path: '/verifier/verdicts',
    tag: 'Verdicts',
    summary: 'File verdicts that a local verifier has decided; needs verify and decide',
    credential: 'key',
    scope: 'decide',
    body: { schema: 'VerifierVerdicts', maxBytes: 3 * 1024 * 1024 + 1024 },
    success: { status: 200, description: 'Stored once.', schema: 'FiledVerdicts' },
    errors: ['overloaded'],
    handle: async ({ service, caller, body }) => ({
      body: await service.verifiers.file(body as VerdictsInput, caller),
    }),
  }),
];
