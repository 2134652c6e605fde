/** Ends the log of an account at its size, and begins another. */
import { formatInstant } from '../../base/values/instant.ts';
import { IdentityError } from '../../errors.ts';
import { type Context, now } from '../shared/context.ts';
import { insert, replace, untilWritten } from '../storage/store.ts';
import type { AppendParts } from './append.ts';
import type { LogHeadRecord } from './collections.ts';
import { createGrowth, newHead } from './grow.ts';
import { rootIn } from './head.ts';

/** Makes the function that restarts the log of an account; it returns the id of the new one. */
export function createRestart(
  context: Context,
  { keys, publicUrl }: AppendParts,
): (account_id: string) => Promise<string> {
  const { store, logState } = context;
  const grow = createGrowth(context, keys);

  return async (account_id) => {
    const on = await logState.refresh();
    if (on === undefined) throw noLog();
    return untilWritten(async () => {
      const head = await store.get('log_heads', account_id);
      const first = head && (await store.get('log_heads', head.log_id));
      if (head === undefined || first === undefined) throw noLog();
      const { origin, size, positions, version } = head;
      // Entries are listed by time: those of the new log come after all others.
      const appended_at = formatInstant(Math.max(context.clock.now(), Date.parse(head.appended_at) + 1));
      const begun = { version, positions, begun_at: on.at, appended_at, created_at: head.created_at };
      const made = newHead(context, { account_id, publicUrl, on });
      // The address of the service may have changed: the new log stands beside the one before.
      const place = origin.slice(0, origin.lastIndexOf('/') + 1);
      const fresh = { ...made, ...begun, origin: `${place}${made.log_id}` };
      const previous = { origin, size, root: rootIn(head) };
      const leaf = { content: { kind: 'begin', at: on.at, previous }, subject: 'begin' } as const;
      const grown = await grow(fresh, on, [leaf]);
      if (grown === undefined) throw noLog();
      const { next, changes } = grown;
      const ended: LogHeadRecord = {
        ...head,
        id: head.log_id,
        version: first.version + 1,
        ended_at: now(context),
      };
      const { written } = await store.write(
        replace('log_heads', next, version),
        replace('log_heads', ended, first.version),
        insert('log_heads', { ...next, id: next.log_id, version: 1, created_at: appended_at }),
        ...changes,
      );
      return written ? next.log_id : undefined;
    });
  };
}

function noLog(): IdentityError {
  return new IdentityError('not_found', 'There is no such log.');
}
