/** Converts verdicts and their outcomes to OCSF: class 6003 (API Activity). */
import type { Outcome, RecordedVerdict } from '../records/outcome.ts';
import type { VerdictRecord } from '../records.ts';
import { type EventLike, type OcsfEvent, ocsfHead, present } from './event.ts';

const CLASS = { class_uid: 6003, category_uid: 6, activity_id: 99 } as const;
const IN_PROCESS = 'in_process';

/** The numbers of ALLOW and DENY in four enumerations of OCSF. */
const [ALLOWED, DENIED] = [1, 2];

/**
 * The additional fields of a record. A record of the journal has the outcome. A record in a webhook has the number of
 * omitted verdicts.
 */
interface MoreOfVerdict {
  readonly outcome?: RecordedVerdict['outcome'];
  readonly dropped?: number;
}

export function verdictEvent(record: (VerdictRecord | RecordedVerdict) & MoreOfVerdict): OcsfEvent {
  const { verdict, reasons, decision_id, trace_id, request_id, subject, target } = record;
  const isAllowed = verdict === 'ALLOW';
  const id = isAllowed ? ALLOWED : DENIED;
  const codes = reasons.map(({ code }) => code);
  return {
    ...ocsfHead({
      ...CLASS,
      activity_name: 'Verify',
      severity_id: id,
      time: record.evaluated_at,
      message: isAllowed ? 'ALLOW' : `DENY: ${codes.join(', ')}`,
      metadata: present({
        uid: decision_id,
        event_code: isAllowed ? 'verdict.allowed' : 'verdict.denied',
        correlation_uid: trace_id,
        profiles: ['security_control'],
      }),
    }),
    status_id: id,
    status_code: isAllowed ? 'ALLOW' : (codes[0] ?? 'DENY'),
    action_id: id,
    disposition_id: id,
    actor: { app_uid: record.agent_id, ...(subject !== null && { user: { uid: subject } }) },
    api: { operation: record.action, ...(request_id !== null && { request: { uid: request_id } }) },
    src_endpoint: { uid: record.key_id ?? IN_PROCESS },
    ...(target !== null && { resources: [{ uid: target }] }),
    unmapped: unmappedOf(record),
  };
}

function unmappedOf(record: (VerdictRecord | RecordedVerdict) & MoreOfVerdict): OcsfEvent {
  const { verdict, environment, dry_run, amount, currency, usage, passport_version } = record;
  const { approval_id, outcome, reasons, budgets, dropped } = record;
  return present({
    verdict,
    environment,
    dry_run,
    amount: amount === null ? null : `${amount}`,
    currency,
    usage,
    passport_version,
    approval_id,
    outcome,
    reasons,
    budgets,
    dropped,
  });
}

const STATUSES: Readonly<Record<Outcome, number>> = {
  succeeded: 1,
  failed: 2,
  not_attempted: 99,
  unknown: 0,
};

export function outcomeEvent({ id, type, timestamp, data }: EventLike): OcsfEvent {
  const { agent_id, key_id, outcome, decision_id, environment, evaluated_at, code, dropped } = data;
  const status_id = Object.hasOwn(STATUSES, `${outcome}`) ? STATUSES[outcome as Outcome] : 0;
  return {
    ...ocsfHead({
      ...CLASS,
      activity_name: 'Report outcome',
      severity_id: outcome === 'succeeded' ? ALLOWED : DENIED,
      time: timestamp,
      message: type,
      metadata: { uid: id, event_code: type },
    }),
    status_id,
    status_code: `${outcome}`,
    actor: { app_uid: `${agent_id}` },
    api: { operation: 'outcome.report' },
    src_endpoint: { uid: `${key_id ?? IN_PROCESS}` },
    unmapped: present({ decision_id, environment, evaluated_at, outcome, code, dropped }),
  };
}
