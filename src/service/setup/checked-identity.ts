/** The names under which strangers know the service, or `invalid_configuration` that says what to do. */
import { MAX_PROOF_SECONDS, PROOF_SECONDS } from '../../base/values/proof-format.ts';
import { MAX_TOKEN_SECONDS, MIN_TOKEN_SECONDS, TOKEN_SECONDS } from '../../base/values/signed-passport.ts';
import { wholeNumber } from '../../base/values/whole-number.ts';
import { IdentityError } from '../../errors.ts';
import type { IdentityOptions } from '../options.ts';
import type { ProofTerms } from '../shared/context.ts';

const MAX_AUDIENCES = 20;
const MAX_AUDIENCE_LENGTH = 512;

/** The URL without a slash at its end. */
export function checkedPublicUrl(text: unknown): string | undefined {
  if (text === undefined) return undefined;
  const url = typeof text === 'string' && URL.canParse(text) ? new URL(text) : undefined;
  const isAddress = url !== undefined && /^https?:$/.test(url.protocol);
  if (!isAddress || `${url.username}${url.password}${url.search}${url.hash}` !== '') {
    throw unfit('publicUrl must be an http or https URL without credentials, query and fragment.');
  }
  return `${url.origin}${url.pathname.replace(/\/+$/, '')}`;
}

/** For how long a signed passport is valid by default. */
export function checkedTokenSeconds({ tokenSeconds = TOKEN_SECONDS }: IdentityOptions = {}): number {
  const range = { from: MIN_TOKEN_SECONDS, to: MAX_TOKEN_SECONDS };
  return wholeNumber('options.identity.tokenSeconds', tokenSeconds, range);
}

/** The terms on which a proof is accepted. */
export function checkedProofTerms(
  publicUrl: string | undefined,
  { proofAudiences = [], proofMaxSeconds = PROOF_SECONDS }: IdentityOptions = {},
): ProofTerms {
  if (
    !Array.isArray(proofAudiences) ||
    proofAudiences.length > MAX_AUDIENCES ||
    !proofAudiences.every(isAudience)
  ) {
    throw unfit(
      `proofAudiences must be at most ${MAX_AUDIENCES} texts of 1 to ${MAX_AUDIENCE_LENGTH} characters.`,
    );
  }
  const range = { from: 1, to: MAX_PROOF_SECONDS };
  return {
    audiences: [...(publicUrl === undefined ? [] : [publicUrl]), ...proofAudiences],
    maxSeconds: wholeNumber('options.identity.proofMaxSeconds', proofMaxSeconds, range),
  };
}

function isAudience(text: unknown): boolean {
  return typeof text === 'string' && text !== '' && text.length <= MAX_AUDIENCE_LENGTH;
}

function unfit(problem: string): IdentityError {
  return new IdentityError('invalid_configuration', `options.identity.${problem}`);
}
