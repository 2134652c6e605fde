/** Begins the erasure of single agents. The core completes it. */

import { stripped } from '../core/passports/passport-record.ts';
import { ownedPassport } from '../core/passports/passport-store.ts';
import type { Actor, CallOptions } from '../core/shared/callers.ts';
import { authorOf, type Context, nowAfter } from '../core/shared/context.ts';
import { beginErasure, erasureId } from '../core/shared/erasure.ts';
import { eventOf, PURGED } from '../core/shared/outbox.ts';
import { logChange } from '../core/shared/security-log.ts';
import { replace, untilWritten } from '../core/storage/store.ts';
import { conflict } from '../errors.ts';

/** The method that erases an agent. */
export interface PassportPurges<Options = CallOptions> {
  /**
   * Erases all data of a revoked agent except its id, which stays revoked and cannot be used again. Erases the fields
   * of the passport at once. Then erases versions, verdicts, sums, spends, approvals and events in batches.
   *
   * @throws {IdentityError} `not_found` if the caller has no such passport.
   * @throws {IdentityError} `conflict` if the agent is not revoked, or while the evidence logs are on.
   */
  purge(agentId: string, options?: Options): Promise<void>;
}

/** The parts of the service that this file uses. */
type Needs = Pick<
  Context,
  'store' | 'clock' | 'nextEventName' | 'session' | 'logState' | 'auditDays' | 'log'
>;

/** Creates the method that erases an agent. `wakeErasures` makes the core begin at once. */
export function createPurge(context: Needs, wakeErasures: () => void): PassportPurges<Actor> {
  return {
    async purge(agentId, actor = {}) {
      await purgePassport(context, agentId, actor);
      wakeErasures();
    },
  };
}

/**
 * Removes everything except the id from the passport, and adds the task that erases the remaining data, in one write. A
 * repeated call erases data that was stored since the last one.
 */
async function purgePassport(context: Needs, agentId: string, actor: Actor): Promise<void> {
  const { store, logState } = context;
  if ((await logState.refresh()) !== undefined) {
    const message =
      'The evidence log is on. It keeps its entries until their retention ends, so no passport can be purged.';
    throw conflict(message);
  }
  await untilWritten(async () => {
    const record = await ownedPassport(context, agentId, actor);
    const { account_id } = record;
    if (record.status !== 'revoked') {
      throw conflict(`The passport ${agentId} is ${record.status}. Revoke it first.`);
    }
    if ((await store.get('erasures', erasureId(account_id, agentId))) !== undefined) return true;
    const next = stripped(record, nowAfter(context, record.updated_at));
    const result = await store.write(
      replace('passports', next, record.version),
      beginErasure(context, account_id, agentId),
      eventOf(context, PURGED, {
        account_id,
        data: { agent_id: agentId, changed_by: authorOf(context, actor) },
      }),
    );
    if (!result.written) return undefined;
    logChange(context, PURGED, actor, { agent_id: agentId });
    return true;
  });
}
