/** The entry point `./ocsf`: converts verdict records, events and audit entries to lines of OCSF 1.8.0. */
import type { AuditEntry } from '../records/audit.ts';
import type { IdentityEvent } from '../records/event.ts';
import type { RecordedVerdict } from '../records/outcome.ts';
import type { VerdictRecord } from '../records.ts';
import { activityOf } from './activities.ts';
import {
  baseEvent,
  changeEvent,
  type EventLike,
  type OcsfEvent,
  outcomeEvent,
  signInEvent,
  verdictEvent,
} from './events.ts';

export type { AuditEntry } from '../records/audit.ts';
export type { IdentityEvent } from '../records/event.ts';
export type { RecordedVerdict } from '../records/outcome.ts';
export type { VerdictRecord } from '../records.ts';

/** A record that can be converted to a line of OCSF. */
export type OcsfSource = VerdictRecord | RecordedVerdict | IdentityEvent | AuditEntry;

/**
 * Returns a record as one line of OCSF 1.8.0, a JSON object without a line end. Control and format characters are
 * escaped, so that no reader finds a line end in the line.
 *
 * @example
 * import { ocsfLine } from 'agent-identity-service/ocsf';
 *
 * const line = ocsfLine({
 *   id: 'evt_0VZ4Hy3Wg',
 *   type: 'events.gap',
 *   timestamp: '2026-11-20T12:00:00.000Z',
 *   data: { since: '2026-11-20T12:00:00.000Z' },
 * });
 * console.log(JSON.parse(line).severity_id); // 3
 */
export function ocsfLine(record: OcsfSource): string {
  return escaped(JSON.stringify(ocsfOf(record)));
}

function ocsfOf(record: OcsfSource): OcsfEvent {
  if (!('type' in record)) return verdictEvent(record);
  const event: EventLike = 'by' in record ? withAuthor(record) : (record as EventLike);
  const { type, data } = event;
  if (/^verdict\.(?:allowed|denied)$/.test(type)) return verdictEvent(data as unknown as VerdictRecord);
  if (type.startsWith('outcome.')) return outcomeEvent(event);
  if (type === 'member.signed_in') return signInEvent(event);
  const activity = activityOf(type);
  return activity === undefined ? baseEvent(event) : changeEvent(event, activity);
}

function withAuthor({ id, type, timestamp, by, data }: AuditEntry): EventLike {
  return { id, type, timestamp, data: { ...data, ...(by !== null && { changed_by: by }) } };
}

/** Escapes the invisible characters of a JSON text, including all line ends of Unicode. */
function escaped(json: string): string {
  return json.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu, (character) =>
    character
      .split('')
      .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
      .join(''),
  );
}
