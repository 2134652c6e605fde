/** Checks the options of the public identity of the service; an error says what to change. */
import { MAX_PROOF_SECONDS, PROOF_SECONDS } from '../../base/values/proof-format.ts';
import { MAX_TOKEN_SECONDS, MIN_TOKEN_SECONDS, TOKEN_SECONDS } from '../../base/values/signed-passport.ts';
import { wholeNumber } from '../../base/values/whole-number.ts';
import { IdentityError } from '../../errors.ts';
import type { IdentityOptions } from '../options.ts';
import type { ProofTerms } from '../shared/context.ts';

const MAX_AUDIENCES = 20;
const MAX_AUDIENCE_LENGTH = 512;

/** Returns the public URL without a trailing slash; throws `invalid_configuration` if it is not valid. */
export function checkedPublicUrl(text: unknown): string | undefined {
  if (text === undefined) return undefined;
  const url = typeof text === 'string' && URL.canParse(text) ? new URL(text) : undefined;
  const isAddress = url !== undefined && /^https?:$/.test(url.protocol);
  if (!isAddress || `${url.username}${url.password}${url.search}${url.hash}` !== '') {
    throw unfit('publicUrl must be an http or https URL without credentials, query and fragment.');
  }
  return `${url.origin}${url.pathname.replace(/\/+$/, '')}`;
}

/** Returns the default validity of a signed passport; throws `invalid_configuration` if it is out of range. */
export function checkedTokenSeconds({ tokenSeconds = TOKEN_SECONDS }: IdentityOptions = {}): number {
  const range = { from: MIN_TOKEN_SECONDS, to: MAX_TOKEN_SECONDS };
  return wholeNumber('options.identity.tokenSeconds', tokenSeconds, range);
}

/** Returns whether the logs are wanted; throws `invalid_configuration` if they cannot be had. */
export function checkedLog({ log = false, publicUrl }: IdentityOptions = {}): boolean {
  if (typeof log !== 'boolean') throw unfit('log must be true or false.');
  if (log && publicUrl === undefined) throw unfit('log needs identity.publicUrl, the address of the logs.');
  return log;
}

/** Returns the terms for proofs of possession; throws `invalid_configuration` if they are not valid. */
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
