import type { ConfirmInput, VerdictsInput } from '../../records/verifier.ts';
import { type Endpoint, endpoint } from '../endpoint.ts';

export const verifierEndpoints: readonly Endpoint[] = [
  endpoint({
    method: 'POST',
    path: '/verifier/passports',
    room: 'verifiers',
    patient: true,
    tag: 'Verdicts',
    summary: 'Confirm the passports of a local verifier',
    credential: 'key',
    scope: 'decide',
    body: { schema: 'VerifierRequest', maxBytes: 256 * 1024 },
    success: {
      status: 200,
      description: 'The differences, and the instant at which they were read.',
      schema: 'ConfirmedPassports',
    },
    errors: ['overloaded'],
    handle: async ({ service, caller, body, signal }) => {
      const input = body as ConfirmInput;
      // Only a wait takes long enough to be given up. What the body is was not checked yet.
      const options = Object(input).wait_ms > 0 ? { ...caller, signal: signal() } : caller;
      return { body: await service.verifiers.confirm(input, options) };
    },
  }),
  endpoint({
    method: 'POST',
    path: '/verifier/verdicts',
    room: 'verifiers',
    tag: 'Verdicts',
    summary: 'Record the verdicts of a local verifier',
    credential: 'key',
    scope: 'decide',
    writes: true,
    body: { schema: 'VerifierVerdicts', maxBytes: 3 * 1024 * 1024 + 1024 },
    success: { status: 200, description: 'Stored once.', schema: 'FiledVerdicts' },
    errors: ['overloaded'],
    handle: async ({ service, caller, body }) => ({
      body: await service.verifiers.file(body as VerdictsInput, caller),
    }),
  }),
];
