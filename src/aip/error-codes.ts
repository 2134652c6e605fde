/** The errors of AIP-1, and which of them our reasons are. */
import type { Reason, ReasonCode } from '../records.ts';

/** The codes of AIP-1 that this door answers. */
export type AipErrorCode =
  /** The signature is not that of the key over this envelope. */
  | 'AIP-E100'
  /** It is past its end. */
  | 'AIP-E101'
  /** Its nonce was used before. */
  | 'AIP-E102'
  /** It is not an envelope, or says something that cannot be judged. */
  | 'AIP-E103'
  /** Its version is not 1.0.0. */
  | 'AIP-E104'
  /** Its nonce is too short. */
  | 'AIP-E105'
  /** The action is not allowed, or its target is not. */
  | 'AIP-E200'
  /** The action is denied. */
  | 'AIP-E201'
  /** The amount is over a limit, or in another currency. */
  | 'AIP-E202'
  /** It is outside the time window. */
  | 'AIP-E203'
  /** It comes from elsewhere than allowed, or it is not known from where. */
  | 'AIP-E204'
  /** The agent is revoked. */
  | 'AIP-E400'
  /** The agent is suspended. */
  | 'AIP-E401'
  /** The agent has no authority: its delegation has ended, we hold no passport of it, or the passport denies. */
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

/** The codes of reasons, each once; what AIP has no word for is a lack of authority. */
export function errorCodesOf(reasons: readonly Reason[]): readonly AipErrorCode[] {
  const codes: Readonly<Record<string, AipErrorCode | undefined>> = OF_REASONS;
  const known = (code: string) => (Object.hasOwn(codes, code) ? codes[code] : undefined);
  return [...new Set(reasons.map(({ code }) => known(code) ?? 'AIP-E403'))];
}
