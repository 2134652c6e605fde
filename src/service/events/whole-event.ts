/** Events of passports are stored with the version that they are about; whoever gets one gets the whole passport. */
import type { IdentityEvent } from '../../records/event.ts';
import { toPassportVersion, versionId } from '../passports/passport-record.ts';
import type { Context } from '../shared/context.ts';
import type { PassportChanged } from '../shared/outbox.ts';

/** Whether the event is stored without its data. */
export function isPartial({ type }: IdentityEvent): boolean {
  return type.startsWith('passport.');
}

/** The event with all of its data; `undefined`: the version that it is about is not kept any more. */
export async function wholeEvent(
  { store }: Pick<Context, 'store'>,
  event: IdentityEvent,
): Promise<IdentityEvent | undefined> {
  if (!isPartial(event)) return event;
  const { agent_id, version } = event.data as PassportChanged;
  const record = await store.get('passport_versions', versionId(agent_id, version));
  if (record === undefined) return undefined;
  const { changed_at: _, ...data } = toPassportVersion(record);
  return { ...event, data } as IdentityEvent;
}
