/** Computes the state of a signing key from the times of the key. All nodes agree without a message. */
import type { SigningPurpose } from '../../ports/signer.ts';
import type { Instant } from '../../records.ts';

/**
 * The state of a signing key. `published`: it will sign from `not_before` on. `signing`: it signs now. `retiring`:
 * replaced, and published until `retire_at`. `retired` and `revoked`: no longer published.
 */
export type SigningKeyState = 'published' | 'signing' | 'retiring' | 'retired' | 'revoked';

/** The fields on which the state of a key depends. */
export interface KeyInstants {
  readonly kid: string;
  readonly purpose: SigningPurpose;
  readonly not_before: Instant;
  readonly retire_at: Instant | null;
  readonly revoked_at: Instant | null;
}

export function isLive({ retire_at, revoked_at }: KeyInstants, instant: Instant): boolean {
  return revoked_at === null && (retire_at === null || instant < retire_at);
}

/**
 * Returns the key that signs at this instant: the valid key with the latest `not_before` that has passed,
 * sorted by `kid` if several are equal. If no `not_before` has passed, returns the valid key with the
 * earliest `not_before`. This happens if the clock of the node that created the key was ahead.
 */
export function signingKeyAt<Key extends KeyInstants>(
  keys: readonly Key[],
  purpose: SigningPurpose,
  instant: Instant,
): Key | undefined {
  const live = keys.filter((key) => key.purpose === purpose && isLive(key, instant)).sort(byBegin);
  return live.findLast(({ not_before }) => not_before <= instant) ?? live[0];
}

export function stateAt(key: KeyInstants, keys: readonly KeyInstants[], instant: Instant): SigningKeyState {
  if (key.revoked_at !== null) return 'revoked';
  if (!isLive(key, instant)) return 'retired';
  const signing = signingKeyAt(keys, key.purpose, instant);
  if (signing?.kid === key.kid) return 'signing';
  return key.not_before > instant ? 'published' : 'retiring';
}

function byBegin(instants: KeyInstants, otherInstants: KeyInstants): number {
  const [leftText, right] = [instants, otherInstants].map(({ not_before, kid }) => `${not_before} ${kid}`);
  return (leftText ?? '') < (right ?? '') ? -1 : 1;
}
