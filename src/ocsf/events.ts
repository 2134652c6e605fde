/** Converts verdicts and their outcomes to OCSF: class 6003 (API Activity). */

import type { Outcome, RecordedVerdict } from '../records/outcome.ts';
import type { VerdictRecord } from '../records.ts';
import type { Activity, EntityType } from './activities.ts';

/** The parts of OCSF 1.8.0 that every line has. */

/** An event or an entry of the audit trail, of any type, because a newer service may send more types. */
export interface EventLike {
  readonly id: string;
  readonly type: string;
  readonly timestamp: string;
  readonly data: Readonly<Record<string, unknown>>;
}

export type OcsfEvent = Readonly<Record<string, unknown>>;

export interface OcsfHead {
  readonly class_uid: number;
  readonly category_uid: number;
  readonly activity_id: number;
  readonly activity_name?: string;
  readonly severity_id: number;
  readonly time: string;
  readonly message: string;
  readonly metadata: Readonly<Record<string, unknown>>;
}

const VERSION = '1.8.0';
export const PRODUCT = 'Agent Identity Service';

export function ocsfHead({ time, metadata, ...head }: OcsfHead): OcsfEvent {
  const { class_uid, activity_id } = head;
  return {
    ...head,
    type_uid: class_uid * 100 + activity_id,
    time: Date.parse(time),
    metadata: { version: VERSION, product: { name: PRODUCT }, ...metadata },
  };
}

export function present(members: Readonly<Record<string, unknown>>): OcsfEvent {
  return Object.fromEntries(
    Object.entries(members).filter(([, value]) => value !== null && value !== undefined),
  );
}

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

// Converts changes to OCSF: classes 3004 (Entity Management), 3002 (Authentication) and 0 (Base Event).

const [CATEGORY, ENTITY_MANAGEMENT, AUTHENTICATION] = [3, 3004, 3002];
const [INFORMATIONAL, MEDIUM] = [1, 3];
const OTHER = 99;

/** The fields of a change that OCSF does not have. Each is a word, a number or an id. */
const FACTS = [
  ...['environment', 'version', 'change', 'status', 'role', 'plan', 'method', 'replaces', 'received'],
  ...['kind', 'decision_id', 'retry_after_seconds'],
  ...['window', 'warn_at', 'limit', 'count', 'spent', 'held', 'unit'],
];

export function changeEvent(event: EventLike, { entity: type, ...activity }: Activity): OcsfEvent {
  const { data } = event;
  const facts = factsOf(event);
  const isWider = data['change'] === 'wider' || data['change'] === 'crossing';
  const head = headFields(event, ENTITY_MANAGEMENT, isWider ? MEDIUM : INFORMATIONAL);
  return {
    ...ocsfHead({ ...head, category_uid: CATEGORY, ...activity }),
    entity: present({ type_id: OTHER, type, uid: entityId(type, data) }),
    ...actorOf(data['changed_by']),
    ...(Object.keys(facts).length > 0 && { unmapped: facts }),
  };
}

export function signInEvent(event: EventLike): OcsfEvent {
  const { data } = event;
  const head = headFields(event, AUTHENTICATION, INFORMATIONAL);
  return {
    ...ocsfHead({ ...head, category_uid: CATEGORY, activity_id: 1, activity_name: 'Logon' }),
    user: { uid: `${data['member_id']}` },
    service: { name: PRODUCT },
    unmapped: present({ method: data['method'] }),
  };
}

/**
 * Returns the OCSF event for a gap in an event stream, a webhook test, or an event of an unknown type. A gap
 * means that the client has missed events.
 */
export function baseEvent(event: EventLike): OcsfEvent {
  const severity = event.type === 'events.gap' ? MEDIUM : INFORMATIONAL;
  const activity_name = event.type.slice(event.type.indexOf('.') + 1);
  const head = headFields(event, 0, severity);
  return ocsfHead({ ...head, category_uid: 0, activity_id: OTHER, activity_name });
}

function headFields({ id, type, timestamp }: EventLike, class_uid: number, severity_id: number) {
  return {
    class_uid,
    severity_id,
    time: timestamp,
    message: type,
    metadata: { uid: id, event_code: type },
  };
}

const ID_FIELDS: Readonly<Record<EntityType, string>> = {
  Passport: 'agent_id',
  'API Key': 'id',
  Member: 'member_id',
  Webhook: 'webhook_id',
  Domain: 'domain',
  Approval: 'id',
  Spend: 'decision_id',
  Account: 'account_id',
};

function entityId(type: EntityType, data: EventLike['data']): string {
  return `${subjectOf(data)[ID_FIELDS[type]] ?? 'unknown'}`;
}

function factsOf({ type, data }: EventLike): OcsfEvent {
  const facts = subjectOf(data);
  const namedList = FACTS.filter((name) => typeof facts[name] !== 'object').map((name) => [
    name,
    facts[name],
  ]);
  // Elsewhere a name is a text of a caller.
  const budget = type === 'budget.threshold' ? facts['name'] : undefined;
  return present({ budget, ...Object.fromEntries(namedList) });
}

function subjectOf(data: EventLike['data']): EventLike['data'] {
  return Object(data['spend'] ?? data);
}

function actorOf(author: unknown): { readonly actor?: OcsfEvent } {
  if (typeof author !== 'string') return {};
  return { actor: author.startsWith('key_') ? { app_uid: author } : { user: { uid: author } } };
}
