import type { Instant, PassportStatus } from '../../records.ts';

/** The statuses in the order in which lists show them. The compiler reports a missing status. */
const LISTED: Readonly<Record<PassportStatus, true>> = {
  active: true,
  suspended: true,
  revoked: true,
  expired: true,
};

/** Every status of a passport. */
export const PASSPORT_STATUSES: readonly PassportStatus[] = Object.keys(LISTED) as PassportStatus[];

/** The stored fields that determine the status of a passport. The status `expired` is never stored. */
export interface StatusFields {
  readonly status: Exclude<PassportStatus, 'expired'>;
  readonly suspended_until: Instant | null;
  readonly expires_at?: Instant;
}

/**
 * Returns the status at an instant. If several apply, the order is revoked, suspended, expired, active. A suspension
 * ends at `suspended_until`.
 */
export function statusAt(passport: StatusFields, instant: Instant): PassportStatus {
  const { status, suspended_until, expires_at } = passport;
  if (status === 'revoked') return 'revoked';
  if (status === 'suspended' && (suspended_until === null || suspended_until > instant)) return 'suspended';
  return expires_at !== undefined && expires_at <= instant ? 'expired' : 'active';
}
