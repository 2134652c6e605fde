import type { AdminClient } from '../../../src/client.ts';
import { IdentityError, type IdentityErrorCode, type Passport } from '../../../src/index.ts';
import type { PassportToImport } from '../import/passport-line.ts';

type Admin = Pick<AdminClient, 'passports' | 'suspend' | 'revoke'>;

/** The errors that are about one passport. Any other error is about the service. */
const REFUSALS: readonly IdentityErrorCode[] = [
  ...(['already_exists', 'conflict', 'domain_claimed', 'domain_unproven', 'invalid_json'] as const),
  ...(['invalid_request', 'payload_too_large', 'plan_limit_reached'] as const),
];

/** How many passports are issued at once: each is one request or more. */
export const IMPORTED_AT_ONCE = 32;

/** Issues passports over HTTP: each, or why it is refused. */
export async function importBySteps(
  admin: Admin,
  passports: readonly PassportToImport[],
): Promise<readonly (Passport | IdentityError)[]> {
  const settled = await Promise.allSettled(passports.map((passport) => importOne(admin, passport)));
  return settled.map((one) => {
    if (one.status === 'fulfilled') return one.value;
    const isRefusal = one.reason instanceof IdentityError && REFUSALS.includes(one.reason.code);
    if (!isRefusal) throw one.reason;
    return one.reason;
  });
}

/**
 * No request issues a passport that is suspended or revoked. Until it is suspended it allows no action, so that it never
 * allows more than the original. The instant of a revocation is not kept. A passport that has children stays suspended:
 * no child can be issued for a revoked one.
 */
async function importOne(
  { passports, suspend, revoke }: Admin,
  { input, standing, hasChildren }: PassportToImport,
): Promise<Passport> {
  const { status, suspended_until, suspension_reason, revocation_reason } = standing;
  if (status === 'active') return passports.create(input);
  const { agent_id } = await passports.create({ ...input, allowed_actions: [] });
  const isRevoked = status === 'revoked';
  await suspend({
    agent_id,
    ...(!isRevoked && suspension_reason && { reason: suspension_reason }),
    ...(!isRevoked && suspended_until && { until: suspended_until }),
  });
  const whole = await passports.update(agent_id, { allowed_actions: input.allowed_actions });
  if (!isRevoked || hasChildren) return whole;
  await revoke({ agent_id, ...(revocation_reason && { reason: revocation_reason }) });
  return passports.get(agent_id);
}
