/** Checks, across the fields of a whole passport, that the proofs that it requires are possible. */
import type { FieldError } from '../../errors.ts';
import type { PassportInput } from '../../records.ts';
import type { ProofTerms } from '../shared/context.ts';

/** Returns the errors of a `proof` requirement that no proof could meet. */
export function proofErrors(
  { proof, public_keys }: { readonly [Field in keyof PassportInput]?: unknown },
  { proofTerms }: { readonly proofTerms: ProofTerms },
): readonly FieldError[] {
  if (proof !== 'identity' && proof !== 'intent') return [];
  const hasKey = Array.isArray(public_keys) && public_keys.length > 0;
  return [
    ...(hasKey
      ? []
      : [refusal('/public_keys', 'required', 'A passport that requires proofs needs a public key.')]),
    ...(proofTerms.audiences.length > 0
      ? []
      : [
          refusal(
            '/proof',
            'not_allowed',
            'This service has no name that a proof could be made for: it needs identity.publicUrl or identity.proofAudiences.',
          ),
        ]),
  ];
}

function refusal(path: string, code: string, message: string): FieldError {
  return { path, code, message };
}
