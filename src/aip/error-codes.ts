/** The errors of AIP-1, and their relation to the reasons of a verdict. */
import type { Reason, ReasonCode } from '../records.ts';

/** The error codes of AIP-1 that this door returns. */
export type AipErrorCode =
  /** The signature is not that of the key over this envelope. */
  | 'AIP-E100'
  /** The envelope has expired. */
  | 'AIP-E101'
  /** The nonce was used before. */
  | 'AIP-E102'
  /** The envelope is malformed, or contains something that cannot be judged. */
  | 'AIP-E103'
  /** The version is not 1.0.0. */
  | 'AIP-E104'
  /** The nonce is too short. */
  | 'AIP-E105'
  /** The action, or its target, is not allowed. */
  | 'AIP-E200'
  /** The action is denied. */
  | 'AIP-E201'
  /** The amount is over a limit, or in another currency. */
  | 'AIP-E202'
  /** The instant is outside the time window. */
  | 'AIP-E203'
  /** The request comes from a country that is not allowed, or from an unknown one. */
  | 'AIP-E204'
  /** The agent is revoked. */
  | 'AIP-E400'
  /** The agent is suspended. */
  | 'AIP-E401'
  /**
   * The agent has no authority: its delegation has ended, the service has no passport of it, or the passport denies.
   */
  | 'AIP-E403';

const OF_REASONS: Partial<Readonly<Record<ReasonCode, AipErrorCode>>> = {
  agent_revoked: 'AIP-E400',
  agent_suspended: 'AIP-E401',
  action_denied: 'AIP-E201',
  action_not_allowed: 'AIP-E200',
  target_required: 'AIP-E200',
  target_not_allowed: 'AIP-E200',
  target_invalid: 'AIP-E103',
  amount_invalid: 'AIP-E103',
  currency_invalid: 'AIP-E103',
  amount_required: 'AIP-E202',
  currency_mismatch: 'AIP-E202',
  amount_over_limit: 'AIP-E202',
  budget_exceeded: 'AIP-E202',
};

/** Returns the error codes of the reasons, each once. A reason without a code in AIP is a lack of authority. */
export function errorCodesOf(reasons: readonly Reason[]): readonly AipErrorCode[] {
  const codes: Readonly<Record<string, AipErrorCode | undefined>> = OF_REASONS;
  const known = (code: string) => (Object.hasOwn(codes, code) ? codes[code] : undefined);
  return [...new Set(reasons.map(({ code }) => known(code) ?? 'AIP-E403'))];
}
