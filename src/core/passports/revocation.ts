/** Revokes passports permanently, and suspends and reinstates them. */

import { statusAt } from '../../base/values/passport-status.ts';

import type {
  ReinstateInput,
  Reinstatement,
  Revocation,
  RevokeInput,
  SuspendInput,
  Suspension,
} from '../../records/state.ts';
import { check } from '../../schema/check.ts';
import {
  reinstateRequestSchema,
  revokeRequestSchema,
  suspendRequestSchema,
} from '../../schema/validators.generated.ts';
import type { Actor, CallOptions } from '../shared/callers.ts';
import { authorOf, type Context, now } from '../shared/context.ts';
import { futureErrors, futureInstant } from '../shared/future-instant.ts';
import type { PassportRecord } from './collections.ts';
import { assertChangeable } from './passport-patch.ts';
import { NOT_SUSPENDED } from './passport-record.ts';
import { assertVersion, changePassport } from './passport-store.ts';

/** The condition of a change. */
export interface VersionOptions {
  /**
   * Changes the passport only if it has one of these versions, and throws `version_mismatch` otherwise. Absent: any
   * version.
   */
  readonly ifVersion?: readonly number[];
}

/** Revokes, suspends and reinstates passports. */
export interface StateChanges<Options = CallOptions> {
  /**
   * Revokes a passport permanently. A repeated call returns the first reason and instant.
   *
   * @throws {IdentityError} `not_found` if the caller has no such passport.
   * @throws {IdentityError} `invalid_request` for a wrong input.
   */
  revoke(input: RevokeInput, options?: Options): Promise<Revocation>;
  /**
   * Suspends a passport. A second suspension replaces the first.
   *
   * @throws {IdentityError} `not_found` if the caller has no such passport.
   * @throws {IdentityError} `conflict` if the passport is revoked.
   * @throws {IdentityError} `version_mismatch` if the passport has another version than `ifVersion`.
   * @throws {IdentityError} `invalid_request` for a wrong input.
   */
  suspend(input: SuspendInput, options?: Options & VersionOptions): Promise<Suspension>;
  /**
   * Ends a suspension. An active passport stays as it is.
   *
   * @throws {IdentityError} `not_found` if the caller has no such passport.
   * @throws {IdentityError} `conflict` if the passport is revoked.
   * @throws {IdentityError} `version_mismatch` if the passport has another version than `ifVersion`.
   * @throws {IdentityError} `invalid_request` for a wrong input.
   */
  reinstate(input: ReinstateInput, options?: Options & VersionOptions): Promise<Reinstatement>;
}

export function createRevocation(
  context: Pick<Context, 'store' | 'clock' | 'nextEventName' | 'session' | 'auditDays' | 'log'>,
): StateChanges<Actor> {
  return {
    async revoke(input, actor = {}) {
      const { agent_id, reason } = check<RevokeInput>(revokeRequestSchema, input);
      const subject = { event: 'passport.revoked', agentId: agent_id, actor } as const;
      const passport = await changePassport(context, subject, (record, revoked_at) =>
        record.status === 'revoked'
          ? undefined
          : {
              ...record,
              status: 'revoked',
              revoked_at,
              revoked_by: authorOf(context, actor),
              revocation_reason: reason ?? null,
            },
      );
      return {
        agent_id,
        status: 'revoked',
        reason: passport.revocation_reason,
        revoked_at: passport.revoked_at ?? passport.updated_at,
      };
    },

    async suspend(givenInput, { ifVersion, ...actor } = {}) {
      const {
        agent_id,
        reason = null,
        until,
      } = check<SuspendInput>(suspendRequestSchema, givenInput, (input) =>
        futureErrors(context, '/until', input['until']),
      );
      const suspended_until = until === undefined ? null : futureInstant(context, '/until', until);
      const subject = { event: 'passport.suspended', agentId: agent_id, actor } as const;
      await changePassport(context, subject, (record) => {
        assertOpen(record, ifVersion);
        const isSame =
          record.status === 'suspended' &&
          record.suspended_until === suspended_until &&
          record.suspension_reason === reason;
        if (isSame) return undefined;
        const suspended_by = authorOf(context, actor);
        return { ...record, status: 'suspended', suspended_until, suspended_by, suspension_reason: reason };
      });
      return { agent_id, status: 'suspended', reason, suspended_until };
    },

    async reinstate(input, { ifVersion, ...actor } = {}) {
      const { agent_id } = check<ReinstateInput>(reinstateRequestSchema, input);
      const subject = { event: 'passport.reinstated', agentId: agent_id, actor } as const;
      const passport = await changePassport(context, subject, (record) => {
        assertOpen(record, ifVersion);
        if (record.status === 'active') return undefined;
        return { ...record, status: 'active', ...NOT_SUSPENDED };
      });
      return { agent_id, status: statusAt(passport, now(context)) };
    },
  };
}

function assertOpen(record: PassportRecord, ifVersion: VersionOptions['ifVersion']): void {
  assertChangeable(record);
  assertVersion(record, ifVersion);
}
