import { base62 } from '../../base/bytes/base62.ts';
import { crc32OfText } from '../../base/bytes/crc32.ts';
import { eventId, readChangeRecordId } from '../../base/bytes/event-position.ts';
import { formatInstant } from '../../base/values/instant.ts';
import type { OutcomeReport } from '../../journal-format/index.ts';
import type { EventsGap, IdentityEvent } from '../../records/event.ts';
import type { ReportedOutcome } from '../../records/outcome.ts';
import type { VerdictRecord } from '../../records.ts';
import type { EventRecord } from './collections.ts';

/**
 * Converts a stored event of a change to its public form. `wholeEvent` adds the missing data of a passport or an
 * approval.
 */
export function toChangeEvent({ id, type, created_at, data }: EventRecord): IdentityEvent {
  const event = { id: readChangeRecordId(id).id, type, timestamp: created_at, data };
  return event as unknown as IdentityEvent;
}

export function toVerdictEvent(record: VerdictRecord): IdentityEvent {
  const { evaluated_at, decision_id, verdict } = record;
  const position = {
    ms: Date.parse(evaluated_at),
    source: 'v',
    name: decision_id.slice('dec_'.length),
  } as const;
  const type = verdict === 'ALLOW' ? 'verdict.allowed' : 'verdict.denied';
  return { id: eventId(position), type, timestamp: evaluated_at, data: record };
}

/**
 * Creates the event of a reported outcome. The time of the event is the instant at which the service received the
 * report.
 */
export function toOutcomeEvent(report: OutcomeReport): IdentityEvent {
  const { decision_id, agent_id, environment, outcome, code, key_id } = report;
  const timestamp = formatInstant(report.reported_ms);
  const evaluated_at = formatInstant(report.evaluated_ms);
  const query = { decision_id, agent_id, environment, evaluated_at };
  const data = { ...query, outcome, code, reported_at: timestamp, key_id };
  return {
    id: eventId({ ms: report.reported_ms, source: 'o', name: reportName(data) }),
    type: `outcome.${outcome}`,
    timestamp,
    data,
  };
}

const CHECKSUM_DIGITS = 6;

/** Returns the name of a report. Different reports have different names, even for the same verdict and millisecond. */
function reportName(report: ReportedOutcome): string {
  const checksum = crc32OfText(JSON.stringify(report));
  return report.decision_id.slice('dec_'.length) + base62(checksum, CHECKSUM_DIGITS);
}

/**
 * Creates the event that says that events since `sinceMs` may be missing. Earlier events are missing if the retention
 * has removed them.
 */
export function toGap(sinceMs: number): EventsGap {
  const timestamp = formatInstant(sinceMs);
  return {
    id: eventId({ ms: sinceMs, source: 'g', name: '' }),
    type: 'events.gap',
    timestamp,
    data: { since: timestamp },
  };
}

const frames = new WeakMap<IdentityEvent, string>();

/** Formats an event for `text/event-stream`. All streams share the text. */
export function eventFrame(event: IdentityEvent): string {
  const knownFrame = frames.get(event);
  if (knownFrame !== undefined) return knownFrame;
  // JSON has no line break, so that the data is one line.
  const frame = `id: ${event.id}\nevent: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`;
  frames.set(event, frame);
  return frame;
}
