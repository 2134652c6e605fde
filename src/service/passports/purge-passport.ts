/** Begins the erasure of a revoked agent. */
import { IdentityError } from '../../errors.ts';
import type { Actor } from '../shared/callers.ts';
import { authorOf, type Context, nowAfter } from '../shared/context.ts';
import { beginErasure, erasureId } from '../shared/erasure.ts';
import { eventOf, PURGED } from '../shared/outbox.ts';
import { logChange } from '../shared/security-log.ts';
import { replace, untilWritten } from '../storage/store.ts';
import { ownedPassport } from './passport-store.ts';
import { stripped } from './stripped.ts';

/**
 * Removes everything but the id from the passport, and adds the task that erases the rest, in one write. A repeated
 * call erases what was stored since.
 */
export async function purgePassport(context: Context, agentId: string, actor: Actor): Promise<void> {
  const { store, logState } = context;
  if ((await logState.refresh()) !== undefined) {
    const message = 'The logs are on: what they cover is kept until its retention is over.';
    throw new IdentityError('conflict', message);
  }
  await untilWritten(async () => {
    const found = await ownedPassport(context, agentId, actor);
    const { account_id } = found;
    if (found.status !== 'revoked') {
      throw new IdentityError('conflict', 'The passport is not revoked: revoke it first.');
    }
    if ((await store.get('erasures', erasureId(account_id, agentId))) !== undefined) return true;
    const next = stripped(found, nowAfter(context, found.updated_at));
    const result = await store.write(
      replace('passports', next, found.version),
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
