/**
 * Adds the missing data to stored events of passports and approvals. An event is stored without the data that its
 * passport or approval record contains.
 */
import type { IdentityEvent } from '../../records/event.ts';
import { toApproval } from '../approvals/approval-record.ts';
import { toPassportVersion, versionId } from '../passports/passport-record.ts';
import type { Context } from '../shared/context.ts';
import { type ApprovalChanged, type PassportChanged, PURGED } from '../shared/outbox.ts';

export const OF_STORED_EVENT = '';

type ReadData<Stored> = (store: Context['store'], record: Stored) => Promise<object | undefined>;

export function isPartial(event: IdentityEvent): boolean {
  return readerOf(event) !== undefined;
}

/**
 * Reads the event with all of its data; `undefined` if its passport or approval no longer exists. With a `publicUrl`, a
 * requested approval has the address at which a person decides.
 */
export async function wholeEvent(
  { store, publicUrl }: Pick<Context, 'store'> & Partial<Pick<Context, 'publicUrl'>>,
  event: IdentityEvent,
): Promise<IdentityEvent | undefined> {
  const read = readerOf(event);
  if (read === undefined) return event;
  const data = await read(store, event.data);
  if (data === undefined) return undefined;
  const isAsked = publicUrl !== undefined && event.type === 'approval.requested';
  const url = isAsked ? { url: approvalUrl(publicUrl, event.data.id) } : {};
  return { ...event, data: { ...data, ...url } } as IdentityEvent;
}

function approvalUrl(publicUrl: string, id: string): string {
  return `${publicUrl.replace(/\/api$/, '')}/#/approvals/${id}`;
}

function readerOf({ type }: IdentityEvent): ReadData<IdentityEvent['data']> | undefined {
  if (type === PURGED) return undefined;
  if (type.startsWith('passport.')) return passportData as ReadData<unknown>;
  if (type.startsWith('approval.')) return approvalData as ReadData<unknown>;
  return undefined;
}

const passportData: ReadData<PassportChanged> = async (store, { agent_id, version, change }) => {
  const record = await store.get('passport_versions', versionId(agent_id, version));
  if (record === undefined) return undefined;
  const { changed_at: _, ...data } = toPassportVersion(record);
  return { ...data, ...(change !== undefined && { change }) };
};

/**
 * Adds the intent and the reasons of the approval. The approval may have changed since the event, so data
 * stored with the event is not replaced. The subject of the intent is left out, because it could not be
 * erased from streams, webhooks and the evidence log.
 */
const approvalData: ReadData<ApprovalChanged> = async (store, changedApproval) => {
  const record = await store.get('approvals', changedApproval.id);
  if (record === undefined) return undefined;
  const { subject: _, ...intent } = record.intent;
  return { ...toApproval({ ...record, intent }, 0), ...changedApproval };
};
